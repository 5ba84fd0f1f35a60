import { readsAsItComes } from '@deadheat/readers';
import {
  workloadFacts,
  builtInParserSchema,
  turnParsers,
  methodFacts,
  experimentDefaults,
  askedMethodSchema,
  lanesOf,
  sides,
  type LinePattern,
  type AskedMethod,
  type ResourceMetric,
  type Settings,
  type Side,
  type Workload,
} from '@deadheat/model';
import type { ShellChoice } from '../draft/resolve-command.ts';
import {
  choicesOf,
  defaultNetwork,
  type BenchmarkSpec,
  type ContainerSpec,
  type ExperimentSpec,
  type PlacedText,
  type SideSpec,
} from './benchmark-spec.ts';
import type {
  BenchmarkLayer,
  DeadheatFile,
  MethodsLayer,
  ProgramLayer,
  SideLayer,
  WorkloadLayer,
} from './deadheat-file.ts';
import type { Parsed } from '../settings/amounts.ts';
import type { OutermostOf } from '../settings/experiment-table.ts';
import { settingsOf, type TypedLayer } from '../settings/layer-of-flags.ts';
import type { Parameter } from '../settings/parameters.ts';
import { typedRoot, type Path, type Problems } from '../settings/problem.ts';
import { readMatrix } from './read-matrix.ts';
import type { Text } from '../settings/scalars.ts';
import { impliedMethod, SettingsResolver, type PlacedLayer, type Wording } from '../settings/settings-resolver.ts';
import type { Subject } from '../settings/option.ts';

interface Sources {
  /** A scalar as it is written in the file. */
  readonly textAt: (path: Path, value: Text) => string;
  readonly problems: Problems;
  readonly wording: Wording;
  /** The innermost layer. */
  readonly typed: TypedLayer;
  /** Resources that are measured beside those of the description. */
  readonly resources: readonly ResourceMetric[];
}

/** A level of the file and where it stands. */
interface Level<Layer> {
  readonly layer: Layer;
  readonly path: Path;
}

/**
 * The experiment that a deadheat.yaml describes: what is not said is inherited, or is the default. What was typed overrides it, and settings
 * of the file that do nothing by a method that was typed are no mistake.
 */
export function readDeadheatSpec(file: DeadheatFile, sources: Sources): ExperimentSpec {
  const { problems, textAt, typed, wording } = sources;
  const resolver = new SettingsResolver(problems, wording);
  const root: Level<DeadheatFile> = { layer: file, path: [] };
  const innerLevel: Level<TypedLayer> = { layer: typed, path: [typedRoot] };
  const benchmarks = Object.entries(file.benchmarks)
    .flatMap(([name, layer]) => {
      const level: Level<BenchmarkLayer> = { layer: layer ?? {}, path: ['benchmarks', name] };
      const context = { root, level, typed: innerLevel, resolver, sources };
      return readVersions(context).map((versions) => readBenchmark(name, { ...context, versions }));
    })
    .filter((benchmark) => benchmark !== null);
  const isAskedAnew = typed.methods !== undefined || typed.workload !== undefined;
  resolver.reportSettingsWithoutEffect(([first]) => !isAskedAnew || first === typedRoot);
  const top: readonly Level<OutermostOf<Parsed>>[] = [root, innerLevel];
  const results = innermost(top, 'results');
  if (results !== null && benchmarks.every(({ parser }) => parser === null)) reportUnreadResults(results.path, sources);
  const engine = innermost(top, 'engine');
  if (engine !== null && benchmarks.every(({ sides: { A, B } }) => A.container === null && B.container === null)) {
    problems.add(engine.path, `${wording.name(engine.path)} has no effect: nothing here has an image`, {
      at: 'key',
      hint: engine.path[0] === typedRoot ? 'Leave it out.' : 'Add image:, or leave it out.',
    });
  }
  const lanes = innermost(top, 'lanes');
  const takesLanes = ({ method, pilotRuns }: Settings): boolean => pilotRuns > 0 || lanesOf(method, 2) > 1;
  if (lanes !== null && lanes.value !== 1 && !benchmarks.some(({ methods }) => methods.some(takesLanes))) {
    const why = 'only tandems run several at a time';
    const { message, hint } = wording.noEffect(lanes.path, { because: 'method', why });
    problems.add(lanes.path, message, { at: 'key', hint });
  }
  reportUnusedParameters(Object.keys(typed.matrix ?? {}), { benchmarks, problems });
  const textOfTop = (key: 'name' | 'seed'): string | null => {
    const found = innermost(top, key);
    return found === null ? null : textAt(found.path, found.value);
  };
  const timeout = typed.timeouts?.experiment ?? file.timeouts?.experiment;
  return {
    ...experimentDefaults,
    cpus: null,
    lanes: null,
    control: false,
    ...choicesOf(file, typed),
    name: textOfTop('name'),
    seed: textOfTop('seed'),
    experimentTimeoutNs: timeout === undefined || timeout === 'none' ? null : timeout,
    showOutput: innermost(top, 'show-output')?.value ?? experimentDefaults.showOutput,
    benchmarks,
  };
}

/** Reports parameters that were typed and change nothing, since no program of a benchmark holds them between braces. */
function reportUnusedParameters(
  typed: readonly string[],
  { benchmarks, problems }: { readonly benchmarks: readonly BenchmarkSpec[]; readonly problems: Problems },
): void {
  const text = JSON.stringify(benchmarks.map(({ sides: both, input, parser }) => [both, input?.text, parser?.text]));
  // `${y}` is of the shell.
  const held = Array.from(text.matchAll(/(?<!\$)\{([\p{L}\p{N}_.-]+)\}/gu), ([, name = '']) => name);
  const other = held.find((name) => name !== 'side' && !typed.includes(name));
  for (const name of typed.filter((one) => !text.includes(`{${one}}`))) {
    problems.add([typedRoot, 'matrix', name], `the parameter ${name} has no effect: no command holds {${name}}`, {
      hint:
        other === undefined
          ? `Write {${name}} where its value is to be, or leave the parameter out.`
          : `There is {${other}}, for which there is no parameter. Did you mean {${name}}?`,
    });
  }
}

interface BenchmarkContext {
  readonly root: Level<DeadheatFile>;
  readonly level: Level<BenchmarkLayer>;
  readonly typed: Level<TypedLayer>;
  readonly resolver: SettingsResolver;
  readonly sources: Sources;
  /** The versions that are the sides; `null` = the benchmark has A and B. */
  readonly versions: Readonly<Record<Side, Level<SideLayer & { readonly name: string }>>> | null;
}

/** Each version with the first one, as sides; `null` alone where the benchmark has A and B. */
function readVersions({
  root,
  level,
  sources: { problems, textAt },
}: Omit<BenchmarkContext, 'versions'>): readonly BenchmarkContext['versions'][] {
  const said = innermost<Pick<BenchmarkLayer, 'versions'>, 'versions'>([root, level], 'versions');
  if (said === null) return [null];
  for (const side of sides.filter((one) => level.layer[one] !== undefined)) {
    problems.add([...level.path, side], `${side} and versions contradict each other: leave one of them out`, {
      at: 'key',
    });
  }
  const all = Object.entries(said.value).map(([key, value]: [string, unknown]) => {
    const isListed = Array.isArray(said.value);
    const path = [...said.path, isListed ? Number(key) : key];
    const layer = isListed ? {} : typeof value === 'string' ? { command: value } : (value as SideLayer | null);
    // JavaScript moves such keys to the front.
    if (!isListed && /^\d+$/.test(key)) {
      problems.add(path, `${key} is a whole number, and loses its place in a map of versions`, {
        at: 'key',
        hint: `Call it v${key}, or write a list.`,
      });
    }
    return { layer: { ...layer, name: isListed ? textAt(path, value as Text) : key }, path };
  });
  const names = all.map(({ layer: { name } }) => name);
  for (const [index, { path, layer }] of all.entries()) {
    if (names.indexOf(layer.name) < index) problems.add(path, `the version ${layer.name} is there twice`);
  }
  const [A, ...others] = all;
  return A === undefined ? [] : others.map((B) => ({ A, B }));
}

/** `null` when there is nothing to execute, which is reported. */
function readBenchmark(name: string, context: BenchmarkContext): BenchmarkSpec | null {
  const { level, sources } = context;
  const { problems } = sources;
  const finder = readFinder(context);
  const workload = readWorkload(finder, context);
  const { printed } = workloadFacts[workload];
  const unseen = printed ? whyUnseen(finder, context) : null;
  const methods = readMethods({ workload, unseen }, context);
  reportEndlessContainers(methods, context);
  const a = readSide('A', context);
  const hasOwn = (level.layer.B ?? context.typed.layer.B ?? context.versions) != null;
  const b = hasOwn ? readSide('B', context) : a;
  if (name.trim() === '') problems.add(level.path, 'a benchmark needs a name', { at: 'key' });
  if (a === null || b === null) return null;
  return {
    name,
    path: level.path,
    workload,
    lines: printed && finder.kind === 'pattern' ? finder.lines : null,
    parser: printed && finder.kind === 'parser' ? finder.parser : null,
    input: textOf(workloadLevels(context), 'input'),
    parameters: readParameters(context),
    sides: { A: a, B: b },
    baseline: context.versions?.A.layer.name ?? null,
    suite: context.root.layer.name === undefined ? 'deadheat' : String(context.root.layer.name),
    agentBarrier: false,
    waiver: level.layer.waiver ?? null,
    countsCut: false,
    methods,
  };
}

/** The levels that say what a workload is, outermost first. */
function workloadLevels({ root, level, typed }: BenchmarkContext): readonly Level<WorkloadLayer>[] {
  return [root, level, typed];
}

/** The parameters of the innermost matrix of the file; those that were typed replace the ones of their names, or are added. */
function readParameters({ root, level, typed, sources, versions }: BenchmarkContext): readonly Parameter[] {
  const ofFile: readonly Level<Pick<BenchmarkLayer, 'matrix'>>[] = [root, level];
  const [own, further] = [innermost(ofFile, 'matrix'), innermost([typed], 'matrix')].map((matrix) =>
    matrix === null ? [] : readMatrix(matrix.value, { path: matrix.path, ...sources }),
  );
  const replaced = (own ?? []).map((one) => further?.find(({ name }) => name === one.name) ?? one);
  const parameters = [...replaced, ...(further ?? []).filter((one) => !replaced.includes(one))];
  if (versions === null) return parameters;
  if (parameters.some(({ name }) => name === 'version')) {
    const path = innermost(ofFile, 'matrix')?.path ?? [typedRoot, 'matrix'];
    sources.problems.add([...path, 'version'], 'versions gives the parameter version its values', {
      at: 'key',
      hint: 'Rename it.',
    });
  }
  return [...parameters, { name: 'version', values: [versions.B.layer.name] }];
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
  if (lines !== null && parser?.depth === lines.depth) {
    problems.add(parser.path, 'parser and lines contradict each other: one of them finds the iterations', {
      at: 'key',
      hint: 'Leave one of them out.',
    });
  }
  if (parser !== null && parser.depth >= (lines?.depth ?? 0)) {
    return { kind: 'parser', parser: { text: parser.value, path: parser.path } };
  }
  return lines === null ? { kind: 'none' } : { kind: 'pattern', lines: lines.value };
}

function readWorkload(finder: Finder, context: BenchmarkContext): Workload {
  const { level, typed, sources } = context;
  const { problems, wording } = sources;
  const said = innermost(workloadLevels(context), 'workload');
  const workload = said?.value ?? (finder.kind === 'none' ? 'command' : 'lines');
  const { printed } = workloadFacts[workload];
  if (printed && finder.kind === 'none') {
    problems.add(said?.path ?? level.path, 'a program that prints its times needs a pattern that finds them', {
      hint: 'Add lines: {pattern: …, unit: ms}, or a parser.',
    });
  }
  for (const key of ['lines', 'parser'] as const) {
    for (const { layer, path } of [level, typed]) {
      if (printed || layer[key] === undefined) continue;
      const name = wording.name([...path, key]);
      problems.add([...path, key], `${name} has no effect: the workload is ${workload}`, {
        at: 'key',
        hint: path === level.path ? `Write workload: lines, or leave ${name} out.` : `Leave ${name} out, or --harness.`,
      });
    }
  }
  for (const { layer, path } of [level, ...sides.map((side) => sideLevel(side, context))]) {
    if (layer.results !== undefined && finder.kind !== 'parser') reportUnreadResults([...path, 'results'], sources);
  }
  return workload;
}

function reportUnreadResults(path: Path, { problems, wording }: Sources): void {
  const add = path[0] === typedRoot ? '--parser' : 'parser:';
  problems.add(path, `${wording.name(path)} has no effect: there is no parser that reads it`, {
    at: 'key',
    hint: `Add ${add}, or leave it out.`,
  });
}

function sideLevel(
  side: Side,
  {
    versions,
    level: { layer, path },
  }: Pick<BenchmarkContext, 'versions'> & { readonly level: Level<Pick<BenchmarkLayer, Side>> },
): Level<SideLayer> {
  return versions?.[side] ?? { layer: layer[side] ?? {}, path: [...path, side] };
}

/** Every level that says something of a program. */
function allLevels(context: BenchmarkContext): readonly Level<ProgramLayer>[] {
  return [context.root, context.level, ...sides.map((side) => sideLevel(side, context)), context.typed];
}

/** Why iterations are not seen while a program makes them; `null` = they are. */
function whyUnseen(finder: Finder, context: BenchmarkContext): string | null {
  const name = finder.kind === 'parser' ? finder.parser.text : null;
  const readers = builtInParserSchema.options.filter(readsAsItComes);
  const levels = allLevels(context);
  if (innermost(levels, 'image') !== null) return 'what a program prints in a container is read after the run';
  if (innermost(levels, 'results') !== null) return 'the file that the program writes is read after the run';
  if (readers.some((reader) => reader === name)) return null;
  return `only ${readers.slice(0, -1).join(', ')} and ${readers.at(-1)} read what is printed as it comes`;
}

/** Programs in containers that meet at no page cannot be ended before they end. */
function reportEndlessContainers(methods: BenchmarkSpec['methods'], context: BenchmarkContext): void {
  const { level, sources } = context;
  if (innermost(allLevels(context), 'image') === null) return;
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
  const { root, level, typed, resolver, sources } = context;
  const { problems, resources } = sources;
  const said = innermost(workloadLevels(context), 'methods');
  const names =
    said === null
      ? [
          impliedMethod(
            workload,
            [root, level, typed].map(({ layer }) => settingsOf(layer)),
          ),
        ]
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
    const path = said !== null && said.depth > 0 ? said.path : level.path;
    problems.add(path, `a program that prints its times cannot wait at the barrier of ${unfit}`, {
      at: 'key',
      hint: 'Give the benchmark methods: [async-tandem, async-duet, sequential].',
    });
  }
  const forPrinted = names.find((name) => name !== 'auto' && methodFacts[name].valueOfRun === 'lower-quartile');
  const parser = builtInParserSchema.safeParse(innermost(workloadLevels(context), 'parser')?.value).data;
  const holdsTurns = parser !== undefined && !turnParsers.includes(parser);
  if (forPrinted !== undefined && (!workloadFacts[workload].printed || holdsTurns)) {
    problems.add(
      said !== null && said.depth > 0 ? said.path : level.path,
      holdsTurns
        ? `the times that ${parser} reads hold turns of the other side on the core, so that they are not for ${forPrinted}`
        : `${forPrinted} is for programs that print their times`,
      {
        at: 'key',
        hint: holdsTurns
          ? `Take sequential; ${forPrinted} is for ${turnParsers.join(', ')} and parsers of your own.`
          : 'Take tandem for other programs, or name a parser of the output.',
      },
    );
  }
  return [...new Set(names)].map((method) => {
    const layers: PlacedLayer[] = [];
    for (const { layer, path } of [root, level]) {
      layers.push({ layer: settingsOf(layer), path });
      const { methods } = layer;
      const own = methods === undefined || isList(methods) ? null : methods[method];
      if (own != null) layers.push({ layer: own, path: [...path, 'methods', method] });
    }
    layers.push({ layer: settingsOf(typed.layer), path: typed.path });
    const settings = resolver.resolve(layers, { method, workload, unseen });
    return resources.length === 0
      ? settings
      : { ...settings, also: [...new Set([...(settings.also ?? []), ...resources])] };
  });
}

function isList(methods: MethodsLayer): methods is readonly AskedMethod[] {
  return Array.isArray(methods);
}

function namesOf(methods: MethodsLayer): readonly AskedMethod[] {
  if (isList(methods)) return methods;
  return askedMethodSchema.options.filter((name) => methods[name] !== undefined);
}

const hookNames = ['build', 'setup', 'prepare', 'conclude', 'cleanup'] as const;

function readSide(side: Side, context: BenchmarkContext): SideSpec | null {
  const { root, level, typed, sources } = context;
  const { problems, textAt } = sources;
  const own = sideLevel(side, context);
  const named = [own, sideLevel(side, { versions: null, level: typed })];
  const levels: readonly Level<ProgramLayer>[] = [root, level, own, typed, ...named.slice(1)];
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
  const name = innermost(named, 'name');
  const hooks = hookNames.map((key) => [key, textOf(levels, key)?.text ?? null] as const);
  return {
    command,
    name: name === null ? null : textAt(name.path, name.value),
    cwd: textOf(levels, 'cwd'),
    scratch: textOf(levels, 'scratch'),
    results: textOf(levels, 'results'),
    environment,
    container: readContainer(levels, sources),
    shell: toShell(textOf(levels, 'shell')?.text),
    hooks: Object.fromEntries(hooks) as SideSpec['hooks'],
  };
}

const containerKeys = ['limits', 'network', 'writable', 'keep'] as const;

/** `null` where no level names an image; settings of containers alone are reported then. */
function readContainer(levels: readonly Level<ProgramLayer>[], { problems }: Sources): ContainerSpec | null {
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

function textOf<Layer>(levels: readonly Level<Layer>[], key: keyof Layer & string): PlacedText | null {
  const found = innermost(levels, key);
  return found === null ? null : { text: String(found.value), path: found.path };
}

/** Value of the innermost level that has one, its place, and the number of levels outside of it. */
function innermost<Layer, Key extends keyof Layer & string>(
  levels: readonly Level<Layer>[],
  key: Key,
): { readonly value: NonNullable<Layer[Key]>; readonly path: Path; readonly depth: number } | null {
  const depth = levels.findLastIndex(({ layer }) => layer[key] !== undefined && layer[key] !== null);
  const level = levels[depth];
  return level === undefined
    ? null
    : { value: level.layer[key] as NonNullable<Layer[Key]>, path: [...level.path, key], depth };
}

/** Why a text is no pattern of lines; `null` when it is one. */
function whyNoPattern(pattern: string): string | null {
  try {
    new RegExp(pattern, 'u').exec('');
  } catch (error) {
    return `is no regular expression: ${(error as Error).message.replace(/^.*: /s, '')}`;
  }
  const groups = new Set([...pattern.matchAll(/\(\?<([A-Za-z]\w*)>/g)].map(([, name]) => name));
  const fits =
    (groups.has('start') && groups.has('end')) ||
    ((groups.has('start') || groups.has('end')) && groups.has('duration')) ||
    groups.has('time');
  return fits
    ? null
    : 'needs the groups (?<start>…) and (?<end>…), one of them and (?<duration>…), or (?<time>…) alone';
}
