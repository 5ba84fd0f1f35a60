import { UsageError } from 'deadheat/settings';
import { askedMethod, checkConflicts, paperOf } from './check-conflicts.ts';
import { checkInput } from './check-input.ts';
import {
  defaultSettings,
  experimentDefaults,
  paperSettings,
  presets,
  stableDefaults,
  stableRuleSchema,
} from '@deadheat/model';
import type { ShellChoice } from 'deadheat/internals';
import type { CompareInvocation } from './invocation.ts';
import { readOutputChoices } from './output-options.ts';
import type { FileProbe } from './probe-file.ts';
import type { RawCompareOptions } from './raw-options.ts';
import { readCommands } from './read-commands.ts';
import { readParameters } from './read-parameters.ts';
import { readSides } from './read-sides.ts';
import { readStopRule } from './read-stop-rule.ts';

/** The comparison that was typed, checked, with its defaults filled in. */
export function toCompareInvocation(
  words: readonly string[],
  raw: RawCompareOptions,
  { probeFile }: { readonly probeFile: (path: string) => FileProbe },
): CompareInvocation {
  checkConflicts(raw);
  const { commands, alone } = readCommands(words);
  if (alone && raw.control === true) {
    throw new UsageError('CONFLICT', 'a single command is compared with itself already: --control adds nothing', {
      hint: 'Leave it out, or name a second command.',
    });
  }
  if (raw.input !== undefined) checkInput(raw.input, probeFile);
  const workload = raw.harness === true ? 'harness' : 'command';
  const usual = defaultSettings(askedMethod(raw), workload);
  const paper = paperOf(raw);
  const defaults = paper === null ? usual : { ...usual, ...paperSettings(paper, usual.method) };
  const { runs, maxRuns } = raw;
  const preset = raw.quick === true ? presets.quick : raw.rigorous === true ? presets.rigorous : null;
  const stop = readStopRule(raw, preset?.stop ?? null);
  const isBounded = stop.kind === 'runs' || stop.kind === 'stable';
  const choices = readOutputChoices(raw);
  if (raw.showOutput === true && Object.values(choices.exports).includes('-')) {
    throw new UsageError('CONFLICT', '--show-output would mix the output of the commands into an export to -', {
      hint: 'Export to a file, or leave --show-output out.',
    });
  }
  return {
    kind: 'compare',
    ...defaults,
    commands,
    alone,
    names: readSides('--command-name', raw.commandName),
    setup: raw.setup ?? null,
    prepare: readSides('--prepare', raw.prepare),
    conclude: readSides('--conclude', raw.conclude),
    cleanup: raw.cleanup ?? null,
    parameters: readParameters(raw),
    shell: readShell(raw),
    input: raw.input ?? null,
    workload,
    fill: raw.fill ?? defaults.fill,
    tradeEvery: raw.tradeEvery ?? defaults.tradeEvery,
    warmup: raw.warmupIterations === undefined ? defaults.warmup : { kind: 'fixed', iterations: raw.warmupIterations },
    stable:
      raw.stable === undefined
        ? defaults.stable
        : {
            ...stableDefaults,
            criteria: raw.stable,
            combine: raw.combine ?? stableDefaults.combine,
            like: stableRuleSchema.shape.like.options.find((reading) => reading === raw.like) ?? stableDefaults.like,
            liftCaps: raw.liftCaps ?? stableDefaults.liftCaps,
          },
    runTimeoutNs: raw.runTimeout ?? defaults.runTimeoutNs,
    ignoreFailure: raw.ignoreFailure ?? false,
    showOutput: raw.showOutput ?? false,
    iterations: raw.iterations ?? defaults.iterations,
    confidence: raw.confidence ?? preset?.confidence ?? defaults.confidence,
    margin: raw.margin ?? preset?.margin ?? defaults.margin,
    interval: raw.interval ?? defaults.interval,
    metric: raw.metric ?? defaults.metric,
    swap: raw.swap ?? defaults.swap,
    stop,
    maxTimeNs: raw.maxTime ?? (isBounded ? null : (preset ?? defaults).maxTimeNs),
    leastRuns: Math.min(
      defaults.leastRuns,
      runs ?? (stop.kind === 'stable' ? stop.minRuns : maxRuns) ?? defaults.leastRuns,
    ),
    warmupRuns: raw.warmup ?? defaults.warmupRuns,
    timeoutNs: raw.timeout ?? defaults.timeoutNs,
    unpaired: raw.unpaired ?? defaults.unpaired,
    lanes: raw.lanes ?? null,
    cpus: raw.cpus ?? null,
    seed: raw.seed ?? null,
    control: raw.control ?? false,
    correction: raw.correction ?? experimentDefaults.correction,
    output: raw.output ?? null,
    ...choices,
  };
}

function readShell({ N, shell }: RawCompareOptions): ShellChoice {
  if (N === true || shell === 'none') return { kind: 'none' };
  if (shell === undefined || shell === 'default') return { kind: 'automatic' };
  return { kind: 'shell', commandLine: shell };
}
