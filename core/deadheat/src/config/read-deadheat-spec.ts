import { readsAsItComes } from '@deadheat/readers';
import {
  workloadFacts,
  builtInParserSchema,
  methodFacts,
  experimentDefaults,
  askedMethodSchema,
  sides,
  type LinePattern,
  type AskedMethod,
  type Side,
  type Workload,
} from '@deadheat/model';
import type { ShellChoice } from '../draft/compare-request.ts';
import {
  defaultNetwork,
  type BenchmarkSpec,
  type ContainerSpec,
  type ExperimentSpec,
  type PlacedText,
  type SideSpec,
} from './benchmark-spec.ts';
import { whyNoPattern } from './check-pattern.ts';
import {
  type BenchmarkLayer,
  type DeadheatFile,
  type MethodsLayer,
  type ProgramLayer,
  type SideLayer,
  type WorkloadLayer,
} from './deadheat-file.ts';
import { isSetting } from '../settings/settings-table.ts';
import type { Path, Problems } from '../settings/problem.ts';
import { readMatrix } from './read-matrix.ts';
import type { Text } from '../settings/scalars.ts';
import { impliedMethod, SettingsResolver, type PlacedLayer, type Wording } from '../settings/settings-resolver.ts';
import type { Subject } from '../settings/option.ts';

interface Sources {
  /** A scalar as it is written in the file. */
  readonly textAt: (path: Path, value: Text) => string;
  readonly problems: Problems;
  /** Names of the settings in messages; absent = their keys. */
  readonly wording?: Wording;
  /** Settings that were typed: the innermost layer. */
  readonly typed: PlacedLayer['layer'];
}

/** A level of the file and where it stands. */
interface Level<Layer> {
  readonly layer: Layer;
  readonly path: Path;
}

/** The experiment that a deadheat.yaml describes: what is not said is inherited, or is the default. */
export function readDeadheatSpec(file: DeadheatFile, sources: Sources): ExperimentSpec {
  const resolver = new SettingsResolver(sources.problems, sources.wording);
  const root: Level<DeadheatFile> = { layer: file, path: [] };
  const benchmarks = Object.entries(file.benchmarks).map(([name, layer]) =>
    readBenchmark(name, { root, level: { layer: layer ?? {}, path: ['benchmarks', name] }, resolver, sources }),
  );
  resolver.reportSettingsWithoutEffect();
  if (file.results !== undefined && benchmarks.every((benchmark) => benchmark === null || benchmark.parser === null)) {
    reportUnreadResults(['results'], sources.problems);
  }
  const isContained = benchmarks.some((spec) => spec?.sides.A.container != null || spec?.sides.B.container != null);
  if (file.engine !== undefined && !isContained) {
    sources.problems.add(['engine'], 'engine has no effect: nothing here has an image', {
      at: 'key',
      hint: 'Add image:, or leave it out.',
    });
  }
  const { textAt } = sources;
  const timeout = file.timeouts?.experiment;
  return {
    name: file.name === undefined ? null : textAt(['name'], file.name),
    seed: file.seed === undefined ? null : textAt(['seed'], file.seed),
    schedule: file.schedule ?? experimentDefaults.schedule,
    cpus: file.cpus ?? null,
    lanes: file.lanes ?? null,
    engine: file.engine ?? experimentDefaults.engine,
    correction: file.correction ?? experimentDefaults.correction,
    strict: file.strict ?? experimentDefaults.strict,
    control: file.control ?? false,
    artifacts: file.artifacts ?? experimentDefaults.artifacts,
    experimentTimeoutNs: timeout === undefined || timeout === 'none' ? null : timeout,
    showOutput: file['show-output'] ?? experimentDefaults.showOutput,
    benchmarks: benchmarks.filter((benchmark) => benchmark !== null),
  };
}

interface BenchmarkContext {
  readonly root: Level<DeadheatFile>;
  readonly level: Level<BenchmarkLayer>;
  readonly resolver: SettingsResolver;
  readonly sources: Sources;
}

/** `null` when there is nothing to execute, which is reported. */
function readBenchmark(name: string, context: BenchmarkContext): BenchmarkSpec | null {
  const { level, sources } = context;
  const { problems, textAt } = sources;
  const finder = readFinder(context);
  const workload = readWorkload(finder, context);
  const { printed } = workloadFacts[workload];
  const matrix = innermost(workloadLevels(context), 'matrix');
  const unseen = printed ? whyUnseen(finder, context) : null;
  const methods = readMethods({ workload, unseen }, context);
  reportEndlessContainers(methods, context);
  const a = readSide('A', context);
  const b = level.layer.B === undefined ? a : readSide('B', context);
  if (name.trim() === '') problems.add(level.path, 'a benchmark needs a name', { at: 'key' });
  if (a === null || b === null) return null;
  return {
    name,
    path: level.path,
    workload,
    lines: printed && finder.kind === 'pattern' ? finder.lines : null,
    parser: printed && finder.kind === 'parser' ? finder.parser : null,
    input: innermost(workloadLevels(context), 'input')?.value ?? null,
    parameters: matrix === null ? [] : readMatrix(matrix.value, { path: matrix.path, textAt, problems }),
    sides: { A: a, B: b },
    suite: context.root.layer.name === undefined ? 'deadheat' : String(context.root.layer.name),
    agentBarrier: false,
    waiver: level.layer.waiver ?? null,
    countsCut: false,
    methods,
  };
}

/** The levels that say what a workload is, outermost first. */
function workloadLevels({ root, level }: BenchmarkContext): readonly Level<WorkloadLayer>[] {
  return [root, level];
}

/** Parser that finds iterations in a program's output. */
type Finder =
  | { readonly kind: 'none' }
  | { readonly kind: 'pattern'; readonly lines: LinePattern }
  | { readonly kind: 'parser'; readonly parser: PlacedText };

/** A pattern or a parser: what the innermost level says. */
function readFinder(context: BenchmarkContext): Finder {
  const { problems } = context.sources;
  const lines = innermost(workloadLevels(context), 'lines');
  const parser = innermost(workloadLevels(context), 'parser');
  if (lines !== null) {
    const why = whyNoPattern(lines.value.pattern);
    if (why !== null) problems.add([...lines.path, 'pattern'], `pattern ${why}`);
  }
  if (lines !== null && parser?.path.length === lines.path.length) {
    problems.add(parser.path, 'parser and lines contradict each other: one of them finds the iterations', {
      at: 'key',
      hint: 'Leave one of them out.',
    });
  }
  if (parser !== null && parser.path.length >= (lines?.path.length ?? 0)) {
    return { kind: 'parser', parser: { text: parser.value, path: parser.path } };
  }
  return lines === null ? { kind: 'none' } : { kind: 'pattern', lines: lines.value };
}

function readWorkload(finder: Finder, context: BenchmarkContext): Workload {
  const { level, sources } = context;
  const { problems } = sources;
  const said = innermost(workloadLevels(context), 'workload');
  const workload = said?.value ?? (finder.kind === 'none' ? 'command' : 'lines');
  const { printed } = workloadFacts[workload];
  if (printed && finder.kind === 'none') {
    problems.add(said?.path ?? level.path, 'a program that prints its times needs a pattern that finds them', {
      hint: 'Add lines: {pattern: …, unit: ms}, or a parser.',
    });
  }
  for (const key of ['lines', 'parser'] as const) {
    if (!printed && level.layer[key] !== undefined) {
      problems.add([...level.path, key], `${key} has no effect: the workload is ${workload}`, {
        at: 'key',
        hint: `Write workload: lines, or leave ${key} out.`,
      });
    }
  }
  for (const { layer, path } of [level, ...sides.map((side) => sideLevel(side, level))]) {
    if (layer.results !== undefined && finder.kind !== 'parser') {
      reportUnreadResults([...path, 'results'], problems);
    }
  }
  return workload;
}

function reportUnreadResults(path: Path, problems: Problems): void {
  problems.add(path, 'results has no effect: there is no parser that reads it', {
    at: 'key',
    hint: 'Add parser:, or leave results out.',
  });
}

function sideLevel(side: Side, { layer, path }: Level<BenchmarkLayer>): Level<SideLayer> {
  return { layer: layer[side] ?? {}, path: [...path, side] };
}

/** Why iterations are not seen while a program makes them; `null` = they are. */
function whyUnseen(finder: Finder, { root, level }: BenchmarkContext): string | null {
  const name = finder.kind === 'parser' ? finder.parser.text : null;
  const readers = builtInParserSchema.options.filter(readsAsItComes);
  const levels = [root, level, ...sides.map((side) => sideLevel(side, level))];
  if (innermost(levels, 'image') !== null) return 'what a program prints in a container is read after the run';
  if (innermost(levels, 'results') !== null) return 'the file that the program writes is read after the run';
  if (readers.some((reader) => reader === name)) return null;
  return `only ${readers.slice(0, -1).join(', ')} and ${readers.at(-1)} read what is printed as it comes`;
}

/** Programs in containers that meet at no page cannot be ended before they end. */
function reportEndlessContainers(methods: BenchmarkSpec['methods'], { root, level, sources }: BenchmarkContext): void {
  const levels = [root, level, ...sides.map((side) => sideLevel(side, level))];
  if (innermost(levels, 'image') === null) return;
  if (!methods.some(({ method, lengthNs = null }) => lengthNs !== null && !methodFacts[method].barrier)) return;
  sources.problems.add([...level.path], 'a program in a container is ended by time in sync-duet only', {
    at: 'key',
    hint: 'Give it iterations in place of a length.',
  });
}

function readMethods(
  { workload, unseen }: Omit<Subject, 'method'>,
  context: BenchmarkContext,
): BenchmarkSpec['methods'] {
  const { root, level, resolver, sources } = context;
  const { problems } = sources;
  const said = innermost(workloadLevels(context), 'methods');
  const names =
    said === null
      ? [impliedMethod(workload, [settingsOf(root.layer), settingsOf(level.layer), sources.typed])]
      : namesOf(said.value);
  for (const [index, name] of names.entries()) {
    if (said !== null && names.indexOf(name) < index) problems.add([...said.path, index], `${name} is there twice`);
  }
  if (said !== null && names.length === 0) {
    problems.add(said.path, `methods must hold at least one of ${askedMethodSchema.options.join(', ')}`, { at: 'key' });
  }
  if (said !== null && names.includes('auto') && names.length > 1) {
    problems.add(said.path, 'auto chooses one of the methods and does not go with others', {
      at: 'key',
      hint: 'Leave auto out, or the others.',
    });
  }
  const unfit = names.find((name) => name !== 'auto' && methodFacts[name].barrier);
  if (workloadFacts[workload].printed && unfit !== undefined) {
    const path = level.layer.methods === undefined ? level.path : [...level.path, 'methods'];
    problems.add(path, `a program that prints its times cannot wait at the barrier of ${unfit}`, {
      at: 'key',
      hint: 'Give the benchmark methods: [async-duet, sequential].',
    });
  }
  return [...new Set(names)].map((method) => {
    const layers: PlacedLayer[] = [];
    for (const { layer, path } of [root, level]) {
      layers.push({ layer: settingsOf(layer), path });
      const { methods } = layer;
      const own = methods === undefined || isList(methods) ? null : methods[method];
      if (own != null) layers.push({ layer: own, path: [...path, 'methods', method] });
    }
    layers.push({ layer: sources.typed, path: [] });
    return resolver.resolve(layers, { method, workload, unseen });
  });
}

function isList(methods: MethodsLayer): methods is readonly AskedMethod[] {
  return Array.isArray(methods);
}

function namesOf(methods: MethodsLayer): readonly AskedMethod[] {
  if (isList(methods)) return methods;
  return askedMethodSchema.options.filter((name) => methods[name] !== undefined);
}

/** The keys of a level that are settings. */
function settingsOf(layer: DeadheatFile | BenchmarkLayer): PlacedLayer['layer'] {
  return Object.fromEntries(Object.entries(layer).filter(([key]) => isSetting(key)));
}

const hookNames = ['build', 'setup', 'prepare', 'conclude', 'cleanup'] as const;

function readSide(side: Side, { root, level, sources }: BenchmarkContext): SideSpec | null {
  const { problems, textAt } = sources;
  const own = sideLevel(side, level);
  const levels: readonly Level<ProgramLayer>[] = [root, level, own];
  const command = textOf(levels, 'command');
  if (command === null) {
    problems.add(level.layer[side] === undefined ? level.path : own.path, `there is no command for side ${side}`, {
      at: 'key',
      hint: `Add command: to ${sides.join(' and ')}, or one to the benchmark that counts for both.`,
    });
    return null;
  }
  const environment: Record<string, string> = {};
  for (const { layer, path } of levels) {
    for (const [variable, value] of Object.entries(layer.environment ?? {})) {
      const place = [...path, 'environment', variable];
      if (!/^[^=\0]+$/.test(variable)) problems.add(place, `'${variable}' cannot be a variable's name`, { at: 'key' });
      if (variable.startsWith('DEADHEAT_')) {
        problems.add(place, `${variable} is set by deadheat itself`, { at: 'key', hint: 'Choose another name.' });
      }
      environment[variable] = textAt(place, value);
    }
  }
  const hook = (key: (typeof hookNames)[number]): string | null => textOf(levels, key)?.text ?? null;
  return {
    command,
    name: own.layer.name === undefined ? null : textAt([...own.path, 'name'], own.layer.name),
    cwd: textOf(levels, 'cwd'),
    scratch: textOf(levels, 'scratch'),
    results: textOf(levels, 'results'),
    environment,
    container: readContainer(levels, problems),
    shell: toShell(textOf(levels, 'shell')?.text),
    hooks: {
      build: hook('build'),
      setup: hook('setup'),
      prepare: hook('prepare'),
      conclude: hook('conclude'),
      cleanup: hook('cleanup'),
    },
  };
}

const containerKeys = ['limits', 'network', 'writable', 'keep'] as const;

/** `null` where no level names an image; settings of containers alone are reported then. */
function readContainer(levels: readonly Level<ProgramLayer>[], problems: Problems): ContainerSpec | null {
  const image = textOf(levels, 'image');
  if (image === null) {
    for (const key of containerKeys) {
      const found = innermost(levels, key);
      if (found === null) continue;
      problems.add(found.path, `${key} has no effect: it is for a container, and there is no image`, {
        at: 'key',
        hint: 'Add image:, or leave it out.',
      });
    }
    return null;
  }
  const limits = levels.map(({ layer }) => layer.limits ?? {});
  return {
    image,
    cpus: limits.findLast(({ cpus }) => cpus !== undefined)?.cpus ?? null,
    memoryBytes: limits.findLast(({ memory }) => memory !== undefined)?.memory ?? null,
    network: innermost(levels, 'network')?.value ?? defaultNetwork,
    writable: innermost(levels, 'writable')?.value ?? null,
    keep: innermost(levels, 'keep')?.value ?? [],
    output: textOf(levels, 'results')?.text ?? null,
  };
}

function toShell(text: string | undefined): ShellChoice {
  if (text === undefined || text === 'default') return { kind: 'automatic' };
  return text === 'none' ? { kind: 'none' } : { kind: 'shell', commandLine: text };
}

function textOf(
  levels: readonly Level<ProgramLayer>[],
  key: 'command' | 'cwd' | 'scratch' | 'image' | 'results' | 'shell' | (typeof hookNames)[number],
): PlacedText | null {
  const found = innermost(levels, key);
  return found === null ? null : { text: found.value, path: found.path };
}

/** Value of the innermost level that has one, and its place. */
function innermost<Layer, Key extends keyof Layer & string>(
  levels: readonly Level<Layer>[],
  key: Key,
): { readonly value: NonNullable<Layer[Key]>; readonly path: Path } | null {
  const level = levels.findLast(({ layer }) => layer[key] !== undefined && layer[key] !== null);
  return level === undefined
    ? null
    : { value: level.layer[key] as NonNullable<Layer[Key]>, path: [...level.path, key] };
}
