import { experimentDefaults, isResourceMetric } from '@deadheat/model';
import type { CompareRequest, ShellChoice } from 'deadheat/internals';
import {
  flagOfSetting,
  impliedMethod,
  layerOfFlags,
  meansDuet,
  Problems,
  SettingsResolver,
  UsageError,
  isSetting,
  type FlagLayer,
  type SettingKey,
  type Wording,
} from 'deadheat/settings';
import { checkInput } from './check-input.ts';
import type { CompareInvocation } from './invocation.ts';
import { readOutputChoices } from './output-options.ts';
import type { FileProbe } from './probe-file.ts';
import type { RawCompareOptions } from './raw-options.ts';
import { readCommands } from './read-commands.ts';
import { readParameters } from './read-parameters.ts';
import { readSides } from './read-sides.ts';

/** The flags with the resources that `--fail-on` limits, which have to be measured. */
function withLimited(layer: FlagLayer, { failOn }: Pick<RawCompareOptions, 'failOn'>): FlagLayer {
  const limited = (failOn?.limits ?? []).map(({ metric }) => metric).filter(isResourceMetric);
  if (limited.length === 0) return layer;
  const { also = 'none' } = layer;
  return { ...layer, also: [...new Set([...(also === 'none' ? [] : also), ...limited])] };
}

/** The comparison that was typed: its flags are one layer of settings, and the defaults are below it. */
export function toCompareInvocation(
  words: readonly string[],
  raw: RawCompareOptions,
  { probeFile }: { readonly probeFile: (path: string) => FileProbe },
): CompareInvocation {
  const layer = withLimited(layerOfFlags({ ...raw }), raw);
  const settings = readSettings(layer);
  const { commands, alone } = readCommands(words);
  if (alone && layer.control === true) {
    throw new UsageError('CONFLICT', 'a single command is compared with itself already: --control adds nothing', {
      hint: 'Leave it out, or name a second command.',
    });
  }
  if (layer.input !== undefined) checkInput(layer.input, probeFile);
  const choices = readOutputChoices(raw);
  const showOutput = layer['show-output'] ?? false;
  if (showOutput && Object.values(choices.exports).includes('-')) {
    throw new UsageError('CONFLICT', '--show-output would mix the output of the commands into an export to -', {
      hint: 'Export to a file, or leave --show-output out.',
    });
  }
  const request: CompareRequest = {
    ...settings,
    commands,
    alone,
    names: readSides('--command-name', raw.commandName),
    setup: layer.setup ?? null,
    prepare: readSides('--prepare', raw.prepare),
    conclude: readSides('--conclude', raw.conclude),
    cleanup: layer.cleanup ?? null,
    parameters: readParameters(raw),
    shell: readShell(layer),
    input: layer.input ?? null,
    workload: layer.workload ?? 'command',
    showOutput,
    lanes: layer.lanes ?? null,
    cpus: layer.cpus ?? null,
    seed: layer.seed === undefined ? null : String(layer.seed),
    control: layer.control ?? false,
    correction: layer.correction ?? experimentDefaults.correction,
  };
  return { kind: 'compare', ...request, output: raw.output ?? null, ...choices };
}

/** @throws UsageError for the first flag that contradicts another one or does nothing */
function readSettings(layer: FlagLayer): ReturnType<SettingsResolver['resolve']> {
  const workload = layer.workload ?? 'command';
  const method = layer.methods ?? impliedMethod(workload, [layer]);
  const problems = new Problems();
  const resolver = new SettingsResolver(problems, wordingOf(layer, method));
  if (layer.stable !== undefined && layer.stable !== 'never' && !Object.hasOwn(layer.stable, 'criteria')) {
    const [detail = ''] = Object.keys(layer.stable);
    const flag = detail === 'like' ? `--like ${String(Object.values(layer.stable)[0])}` : `--${detail}`;
    throw new UsageError('CONFLICT', `${flag} says how --stable decides, and there is no --stable`, {
      hint: 'Add --stable cv, or leave it out.',
    });
  }
  const settings = resolver.resolve([{ layer: settingsOnly(layer), path: [] }], { method, workload, unseen: null });
  resolver.tellOfNoEffect();
  const [problem] = problems.found;
  if (problem !== undefined) throw new UsageError('CONFLICT', problem.message, { hint: problem.hint });
  const { lanes } = layer;
  if (lanes !== undefined && lanes !== 1 && method !== 'auto' && method !== 'tandem') {
    const why = 'only tandems run several at a time';
    throw new UsageError('CONFLICT', `--lanes has no effect with ${methodInWords(layer, method)}: ${why}`, {
      hint: 'Leave one of them out.',
    });
  }
  return settings;
}

function settingsOnly(layer: FlagLayer): FlagLayer {
  return Object.fromEntries(Object.entries(layer).filter(([key]) => isSetting(key)));
}

/** Settings by their flags; where a method was not named, what means it is told. */
function wordingOf(layer: FlagLayer, method: string): Wording {
  return {
    name: (key) => {
      if (key === 'preset') return `--${layer.preset ?? 'quick'}`;
      return key === 'like' ? `--like ${layer.like ?? ''}` : flagOfSetting(key);
    },
    noEffect: (key, { because, why, value }) => {
      const flag = key === 'metric' ? `--metric ${String(value)}` : flagOfSetting(key);
      return because === 'method'
        ? {
            message: `${flag} has no effect with ${methodInWords(layer, method)}: ${why}`,
            hint: 'Leave one of them out.',
          }
        : { message: `${flag} has no effect without --harness: ${why}`, hint: 'Add --harness, or leave it out.' };
    },
  };
}

function methodInWords(layer: FlagLayer, method: string): string {
  if (layer.methods !== undefined) return `--method ${method}`;
  if (layer.like !== undefined) return `${method}, which --like ${layer.like} means`;
  const cause: SettingKey | null = meansDuet(layer.workload ?? 'command', [layer]);
  if (cause === null) return `the default, ${method}`;
  return `${method}, which ${cause === 'metric' ? '--metric time' : flagOfSetting(cause)} means`;
}

function readShell({ shell }: FlagLayer): ShellChoice {
  if (shell === 'none') return { kind: 'none' };
  if (shell === undefined || shell === 'default') return { kind: 'automatic' };
  return { kind: 'shell', commandLine: shell };
}
