import { type Workload, lanesOf, workloadFacts, experimentDefaults } from '@deadheat/model';
import { takesPart, type CompareRequest, type ShellChoice } from 'deadheat/internals';
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
import { compareOptions, type CompareValues } from '../command/compare-options.ts';
import { untyped } from '../command/option.ts';
import { limitedResources, toOutputChoices } from '../command/output-options.ts';
import type { FileProbe } from './probe-file.ts';
import { readCommands, type ReadCommands } from './read-commands.ts';
import { readParameters } from './read-parameters.ts';
import { readEach, readSides } from './read-sides.ts';

/** The flags with the resources that `--fail-on` limits, which have to be measured. */
function withLimited(layer: FlagLayer, { failOn }: Pick<CompareValues, 'failOn'>): FlagLayer {
  const limited = limitedResources(failOn);
  if (limited.length === 0) return layer;
  const { also = 'none' } = layer;
  return { ...layer, also: [...new Set([...(also === 'none' ? [] : also), ...limited])] };
}

/** The comparison that was typed: its flags are one layer of settings, and the defaults are below it. */
export function toCompareInvocation(
  words: readonly string[],
  values: Partial<CompareValues>,
  { probeFile, most }: { readonly probeFile: (path: string) => FileProbe; readonly most?: number },
): CompareInvocation {
  const raw = { ...untyped(compareOptions), ...values };
  const typed = withLimited(layerOfFlags({ ...raw }), raw);
  const layer: FlagLayer = words.length > 0 && words.every(takesPart) ? { workload: 'harness', ...typed } : typed;
  const settings = readSettings(layer);
  const read = readCommands(words, {
    reference: raw.reference,
    ...(most === undefined ? {} : { most }),
  });
  const { commands, alone } = read;
  const sides = readOfSides(read, { raw, workload: layer.workload ?? 'command' });
  if (alone && layer.control === true) {
    throw new UsageError('CONFLICT', 'a single command is compared with itself already: --control adds nothing', {
      hint: 'Leave it out, or name a second command.',
    });
  }
  if (layer.input !== undefined) checkInput(layer.input, probeFile);
  const choices = toOutputChoices(raw);
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
    ...sides,
    setup: layer.setup ?? null,
    cleanup: layer.cleanup ?? null,
    parameters: readParameters(raw),
    shell: readShell(layer),
    input: layer.input ?? null,
    scratch: layer.scratch ?? null,
    workload: layer.workload ?? 'command',
    showOutput,
    lanes: layer.lanes ?? null,
    cpus: layer.cpus ?? null,
    seed: layer.seed === undefined ? null : String(layer.seed),
    control: layer.control ?? false,
    correction: layer.correction ?? experimentDefaults.correction,
    strict: layer.strict ?? experimentDefaults.strict,
  };
  return { ...request, output: raw.output, ...choices };
}

/** Names and hooks of the sides, and the commands beside B. */
function readOfSides(
  { commands, further, places }: ReadCommands,
  { raw, workload }: { readonly raw: CompareValues; readonly workload: Workload },
): Pick<CompareRequest, 'names' | 'prepare' | 'conclude' | 'contenders'> {
  const { commandName, prepare, conclude } = raw;
  if (places.length <= 2) {
    return inOrder(places, {
      names: readSides('--command-name', commandName),
      prepare: readSides('--prepare', prepare),
      conclude: readSides('--conclude', conclude),
    });
  }
  if (workloadFacts[workload].timesItself) {
    throw new UsageError(
      'CONFLICT',
      '--harness compares two commands, because their benchmarks have names of their own',
      {
        hint: 'Compare them two by two.',
      },
    );
  }
  const count = places.length;
  const placed = (values: readonly (string | null)[]): readonly (string | null)[] =>
    places.map((place) => values[place] ?? null);
  const [names, before, after] = [
    placed(readEach('--command-name', { values: commandName, count })),
    placed(readEach('--prepare', { values: prepare, count })),
    placed(readEach('--conclude', { values: conclude, count })),
  ];
  const called = [commands.B, ...further].map((command, index) => names[index + 1] ?? command);
  const twice = called.find((name, index) => called.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new UsageError('CONFLICT', `two commands are called ${twice}`, {
      hint: 'Give each a name of its own: -n NAME.',
    });
  }
  const pair = (values: readonly (string | null)[]): Record<'A' | 'B', string | null> => ({
    A: values[0] ?? null,
    B: values[1] ?? null,
  });
  return {
    names: pair(names),
    prepare: pair(before),
    conclude: pair(after),
    contenders: further.map((command, index) => ({
      command,
      name: names[index + 2] ?? null,
      prepare: before[index + 2] ?? null,
      conclude: after[index + 2] ?? null,
    })),
  };
}

/** The values of two sides, which trade places where the second command that was typed is A. */
function inOrder<Values extends Record<string, Readonly<Record<'A' | 'B', string | null>>>>(
  [first = 0]: readonly number[],
  values: Values,
): Values {
  if (first === 0) return values;
  return Object.fromEntries(Object.entries(values).map(([key, { A, B }]) => [key, { A: B, B: A }])) as Values;
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
  resolver.reportSettingsWithoutEffect();
  const [problem] = problems.found;
  if (problem !== undefined) throw new UsageError('CONFLICT', problem.message, { hint: problem.hint });
  const { lanes } = layer;
  if (lanes !== undefined && lanes !== 1 && method !== 'auto' && lanesOf(method, 2) === 1) {
    const why = 'only tandems run several at a time';
    throw new UsageError('CONFLICT', `--lanes has no effect with ${methodInWords(layer, method)}: ${why}`, {
      hint: 'Leave one of them out.',
    });
  }
  return settings;
}

/** The settings of a layer, which override those of a file. */
export function settingsOnly(layer: FlagLayer): FlagLayer {
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
