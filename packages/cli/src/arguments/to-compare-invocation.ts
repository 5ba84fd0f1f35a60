import { UsageError } from '../errors/usage-error.ts';
import { checkConflicts } from './check-conflicts.ts';
import { checkInput } from './check-input.ts';
import { asyncIterations, defaultMaxTimeNs, fewestRuns, intervalDefaults } from './defaults.ts';
import type { CompareInvocation, ShellChoice } from './invocation.ts';
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
  if (raw.input !== undefined) checkInput(raw.input, probeFile);
  const method = raw.method ?? 'sync-duet';
  const defaults = intervalDefaults[method];
  const { runs, maxRuns } = raw;
  const choices = readOutputChoices(raw);
  if (raw.showOutput === true && Object.values(choices.exports).includes('-')) {
    throw new UsageError('CONFLICT', '--show-output would mix the output of the commands into an export to -', {
      hint: 'Export to a file, or leave --show-output out.',
    });
  }
  return {
    kind: 'compare',
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
    ignoreFailure: raw.ignoreFailure ?? false,
    showOutput: raw.showOutput ?? false,
    method,
    iterations: method === 'async-duet' ? (raw.iterations ?? asyncIterations) : 1,
    confidence: raw.confidence ?? defaults.confidence,
    margin: raw.margin ?? 0,
    interval: raw.interval ?? defaults.interval,
    replicates: defaults.replicates,
    metric: raw.metric ?? 'auto',
    swap: raw.swap ?? 'pair',
    stop: readStopRule(raw),
    maxTimeNs: raw.maxTime ?? (runs === undefined ? defaultMaxTimeNs : null),
    leastRuns: Math.min(fewestRuns, runs ?? maxRuns ?? fewestRuns),
    warmupRuns: raw.warmup ?? 0,
    timeoutNs: raw.timeout ?? null,
    cpus: raw.cpus ?? null,
    seed: raw.seed ?? null,
    output: raw.output ?? null,
    ...choices,
  };
}

function readShell({ N, shell }: RawCompareOptions): ShellChoice {
  if (N === true || shell === 'none') return { kind: 'none' };
  if (shell === undefined || shell === 'default') return { kind: 'automatic' };
  return { kind: 'shell', commandLine: shell };
}
