import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ExperimentDraft } from '@deadheat/engine';
import { loadPackage } from '@deadheat/recording';
import {
  defaultSettings,
  matchesStars,
  nearestWord,
  type Benchmark,
  type Method,
  type Settings,
} from '@deadheat/model';
import { nameExperiment, slug, wordingOfCommands } from '../draft/commands.ts';
import { findExecutable } from '../draft/find-executable.ts';
import { withControls } from '../draft/with-controls.ts';
import { UsageError } from '../errors/usage-error.ts';
import { experimentTable } from '../settings/experiment-table.ts';
import { flagAt, type TypedLayer } from '../settings/layer-of-flags.ts';
import { Problems, typedRoot, type Path, type Problem } from '../settings/problem.ts';
import type { Text } from '../settings/scalars.ts';
import type { Wording } from '../settings/settings-resolver.ts';
import { choicesOf, type BenchmarkSpec, type ExperimentSpec } from './benchmark-spec.ts';
import { noChanges, type Changes } from './changes.ts';
import { badConfig, ConfigError } from './config-error.ts';
import { deadheatFileSchema, outermostSchema, type SideLayer } from './deadheat-file.ts';
import { explainIssues } from './explain-issues.ts';
import { readDeadheatSpec } from './read-deadheat-spec.ts';
import { mostCombinations } from './read-matrix.ts';
import { ownSettings, toBenchmarks, type BenchmarkSources } from './to-benchmarks.ts';
import { isRecorded, readRecorded } from './read-recorded.ts';
import { readYaml, type YamlTree } from './yaml-tree.ts';

const defaultFiles = ['deadheat.yaml', 'deadheat.yml'];

/** Where an experiment is described. */
export type Described =
  /** A file; `null` looks for deadheat.yaml and deadheat.yml. */
  | string
  | null
  /** An object with the keys and the values of a file. */
  | { readonly data: unknown; readonly defaultName: string }
  /** Commands that were typed: A, B, and those that A is compared with as well. */
  | { readonly commands: readonly SideLayer[] };

export interface Sources {
  /** Where a relative path starts, absolute. */
  readonly cwd: string;
  /** Where programs are sought, colon-separated. */
  readonly searchPath: string;
  /** Counts where the description has no seed. */
  readonly defaultSeed: string;
  /** Absent = none. */
  readonly changes?: Partial<Changes> | undefined;
  /** Where the paths of the description start and how the experiment is called without a name; absent = by the file's folder. */
  readonly place?: { readonly folder: string; readonly name: string };
  /** Name of a key in messages; absent = keys of a file as they are, and flags for what was typed. */
  readonly nameOfKey?: (key: string) => string;
  /** Suggests the probable meaning of the only word of a command, such as a subcommand; absent = nothing is suggested. */
  readonly suggest?: (word: string) => string | null;
  /** Finds programs; absent = `findExecutable`. */
  readonly find?: typeof findExecutable;
}

/**
 * The experiment that a file, an object or commands describe, commands resolved, with what the caller changes of it.
 *
 * @throws ConfigError with every problem of a file or an object and its place; UsageError and CommandError for what was typed
 * @throws DeadheatError `PACKAGE_MISSING` for a file whose format a package brings that is not installed
 */
export async function readConfig(described: Described, sources: Sources): Promise<ExperimentDraft> {
  const { draft, control } = await readUncontrolled(described, sources);
  return control ? withControls(draft) : draft;
}

/** An experiment without controls, and whether it asks for them; errors are those of {@link readConfig}. */
export async function readUncontrolled(described: Described, sources: Sources): Promise<Uncontrolled> {
  if (typeof described === 'object' && described !== null) return readAtOnce(described, sources);
  const file = described ?? findFile(sources.cwd);
  const tree = readTree(file, resolve(sources.cwd, file));
  if (isRecorded(tree.data)) {
    const changes = { ...noChanges, ...sources.changes };
    const draft = readRecorded(tree.data, { file, changes });
    return { draft: { ...draft, benchmarks: byName(draft.benchmarks, changes.filter) }, control: false };
  }
  if (!isDuetbench(tree.data)) return readAtOnce({ file, tree, duetbench: null }, sources);
  const read = await loadPackage<DuetbenchReader>('@deadheat/lab', {
    exported: 'readDuetbenchSpec',
    user: `${file}, a file of duetbench,`,
  });
  const problems = new Problems();
  const duetbench = await read(tree.data, { textAt: textsOf(tree), problems });
  return readAtOnce({ file, tree, duetbench: { spec: duetbench, problems } }, sources);
}

/** The experiment of an object or of commands; errors are those of {@link readConfig}. */
export function readObject(described: Exclude<Described, string | null>, sources: Sources): ExperimentDraft {
  const { draft, control } = readAtOnce(described, sources);
  return control ? withControls(draft) : draft;
}

interface Uncontrolled {
  readonly draft: ExperimentDraft;
  readonly control: boolean;
}

/** A file that was read. */
interface ReadFile {
  readonly file: string;
  readonly tree: YamlTree;
  /** The experiment of a file of duetbench and its problems; `null` for a deadheat.yaml. */
  readonly duetbench: { readonly spec: ExperimentSpec | null; readonly problems: Problems } | null;
}

/** Scalars as they are written in the file. */
function textsOf(tree: YamlTree | null): (path: Path, value: Text) => string {
  return (path, value) => tree?.sourceOf(path) ?? String(value);
}

function readAtOnce(described: Exclude<Described, string | null> | ReadFile, sources: Sources): Uncontrolled {
  const { cwd, searchPath, defaultSeed, nameOfKey, suggest = (): null => null, find = findExecutable } = sources;
  const changes = { ...noChanges, ...sources.changes };
  const { typed } = changes;
  const { file, tree, duetbench } = 'tree' in described ? described : { file: '', tree: null, duetbench: null };
  const problems = duetbench?.problems ?? new Problems();
  const ofCommands = 'commands' in described;
  const folder = sources.place?.folder ?? (tree === null ? cwd : dirname(resolve(cwd, file)));
  const nameOf = (path: Path): string => {
    if (path[0] === typedRoot && nameOfKey === undefined) return flagAt(path.slice(1), typed);
    return (nameOfKey ?? String)(String(path.at(-1)));
  };
  const wording: Wording = ofCommands
    ? wordingOfCommands(typed)
    : {
        name: nameOf,
        noEffect: (path, { why }) => ({ message: `${nameOf(path)} has no effect: ${why}`, hint: 'Leave it out.' }),
      };
  const spec =
    duetbench === null
      ? readSpec(tree === null ? dataOf(described as Exclude<Described, string | null>) : tree.data, {
          ...changes,
          textAt: textsOf(tree),
          problems,
          wording,
        })
      : duetbench.spec === null
        ? null
        : withTyped(duetbench.spec, { typed, problems, wording });
  const compared = sources.place === undefined ? undefined : spec?.benchmarks.find(({ baseline }) => baseline !== null);
  if (compared !== undefined) {
    problems.add(compared.path, 'it has versions, in place of which two others are compared here', {
      at: 'key',
      hint: 'Use deadheat run.',
    });
  }
  const typedFrom = sources.place?.folder ?? cwd;
  const benchmarks = toAllBenchmarks(spec, { folder, typedFrom, searchPath, problems, ofCommands, suggest, find });
  if (spec === null || problems.found.length > 0) throw refusal(problems.found, { tree, file, nameOf, nameOfKey });
  const defaultName = ofCommands
    ? nameExperiment(described.commands)
    : 'defaultName' in described
      ? described.defaultName
      : (sources.place?.name ?? basename(folder));
  const draft = toDraft(spec, { benchmarks, defaultName, defaultSeed });
  return { draft: { ...draft, benchmarks: byName(draft.benchmarks, changes.filter) }, control: spec.control };
}

/** Keys and values of the outermost level of a file as the innermost layer of an experiment. @throws ConfigError */
export function readSettings(data: unknown, nameOfKey: (key: string) => string): TypedLayer {
  const parsed = outermostSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const problems = new Problems();
  explainIssues(parsed.error.issues, { data, problems });
  throw refusal(problems.found, { tree: null, file: '', nameOf: String, nameOfKey });
}

/** The error of what cannot be carried out: of what was typed that of the first problem, of a file or an object that of all. */
function refusal(
  problems: readonly Problem[],
  {
    tree,
    file,
    nameOf,
    nameOfKey,
  }: {
    readonly tree: YamlTree | null;
    readonly file: string;
    readonly nameOf: (path: Path) => string;
    readonly nameOfKey: Sources['nameOfKey'];
  },
): Error {
  const described = problems.filter(({ path: [first] }) => first !== typedRoot);
  if (tree !== null && described.length > 0) {
    return badConfig(
      file,
      described.map((problem) => tree.locate(problem)),
    );
  }
  if (nameOfKey !== undefined) {
    const sentences = problems.map(({ path, message, hint }) => {
      const keys = path[0] === typedRoot ? path.slice(1) : path;
      const place = keys.map((step) => (typeof step === 'string' ? nameOfKey(step) : step)).join('.');
      return [`${place}${place === '' ? '' : ': '}${message}`, ...(hint === null ? [] : [hint])].join('. ');
    });
    return new ConfigError('BAD_CONFIG', sentences.join('\n'), { file: '' });
  }
  const [first] = problems;
  if (first === undefined) throw new RangeError('there is no problem');
  const { path, message, hint, cause } = first;
  if (cause !== null) return cause;
  const named = path[0] === typedRoot && path[1] !== 'matrix' ? nameOf(path) : '';
  return new UsageError('CONFLICT', message.includes(named) ? message : `${named}: ${message}`, { hint });
}

/** Commands as the content of a file: each but the first is compared with the first, a benchmark each. */
function dataOf(described: Exclude<Described, string | null>): unknown {
  if ('data' in described) return described.data;
  const [A, ...others] = described.commands;
  return { benchmarks: Object.fromEntries(others.map((B, index) => [String(index), { A, B }])) };
}

/** The benchmarks that are asked for. @throws UsageError for a name that none of them has */
function byName(benchmarks: readonly Benchmark[], filter: readonly string[]): Benchmark[] {
  if (filter.length === 0) return [...benchmarks];
  const names = [...new Set(benchmarks.map(({ name }) => name))];
  for (const pattern of filter) {
    if (names.some((name) => matchesStars(pattern, name))) continue;
    const nearest = nearestWord(pattern, names);
    throw new UsageError('BAD_VALUE', `--filter ${pattern}: no benchmark has such a name`, {
      hint: nearest === null ? `Benchmarks of the file: ${names.join(', ')}.` : `Did you mean ${nearest}?`,
    });
  }
  return benchmarks.filter(({ name }) => filter.some((pattern) => matchesStars(pattern, name)));
}

function toAllBenchmarks(spec: ExperimentSpec | null, sources: Omit<BenchmarkSources, 'called'>): readonly Benchmark[] {
  if (spec === null) return [];
  const { problems, ofCommands } = sources;
  checkContainers(spec.benchmarks, problems);
  const wanted = spec.benchmarks.reduce((sum, benchmark) => sum + countOf(benchmark), 0);
  if (wanted > mostCombinations) {
    const [first] = spec.benchmarks;
    problems.add(
      first?.path.slice(0, -1) ?? [],
      `the file stands for ${wanted} measurements, more than ${mostCombinations}`,
      {
        at: 'key',
        hint: 'Each benchmark counts once for each combination of its matrix and each method; write several files.',
      },
    );
    return [];
  }
  const several = ofCommands && spec.benchmarks.length > 1;
  const found = spec.benchmarks.map((benchmark, index) =>
    toBenchmarks(benchmark, { ...sources, called: several ? { A: 'A', B: `${index + 2}` } : null }),
  );
  // Commands are compared with each other by the same values of parameters, one combination after another.
  return ofCommands ? (found[0] ?? []).flatMap((_, n) => found.flatMap((ofOne) => ofOne[n] ?? [])) : found.flat();
}

/** Measurements that a benchmark stands for. */
function countOf({ parameters, methods }: BenchmarkSpec): number {
  return parameters.reduce((product, { values }) => product * values.length, methods.length);
}

/** An experiment is executed in containers, or it is not: results of the two are not comparable. */
function checkContainers(benchmarks: readonly BenchmarkSpec[], problems: Problems): void {
  const hasOne = benchmarks.some(({ sides }) => sides.A.container !== null || sides.B.container !== null);
  if (!hasOne) return;
  for (const { path, sides } of benchmarks) {
    for (const side of ['A', 'B'] as const) {
      if (sides[side].container !== null) continue;
      problems.add(path, `side ${side} has no image, and others of this file have one`, {
        at: 'key',
        hint: 'Containers cost a little time: give every side an image, or write two files.',
      });
    }
  }
}

function toDraft(
  spec: ExperimentSpec,
  {
    benchmarks,
    defaultName,
    defaultSeed,
  }: { readonly benchmarks: readonly Benchmark[]; readonly defaultName: string; readonly defaultSeed: string },
): ExperimentDraft {
  const common: Settings = { ...defaultSettings('auto'), ...(benchmarks[0]?.own as Settings) };
  const { name, seed, control: _control, benchmarks: _benchmarks, ...choices } = spec;
  return {
    ...common,
    ...choices,
    name: slug(name ?? defaultName) || 'experiment',
    seed: seed ?? defaultSeed,
    benchmarks: benchmarks.map((benchmark) => ({
      ...benchmark,
      own: ownSettings(benchmark.own as Settings, common),
    })),
  };
}

/** Reads files of duetbench. The package `@deadheat/lab` exports it as `readDuetbenchSpec`. */
export type DuetbenchReader = (
  data: Readonly<Record<string, unknown>>,
  sources: { readonly textAt: (path: Path, value: Text) => string; readonly problems: Problems },
) => Promise<ExperimentSpec | null>;

/** True if data is a file of duetbench or, like listing 1 of the thesis, its benchmarks alone. */
function isDuetbench(data: unknown): data is Readonly<Record<string, unknown>> {
  if (!isMap(data)) return false;
  // No other file has commands under the key `run` of a side.
  const isBenchmark = (one: unknown): boolean => isMap(one) && isMap(one['A']) && Object.hasOwn(one['A'], 'run');
  const entries = Object.values(data);
  return Object.hasOwn(data, 'duetbench') || (entries.length > 0 && entries.every(isBenchmark));
}

function isMap(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

function readSpec(data: unknown, sources: Parameters<typeof readDeadheatSpec>[1]): ExperimentSpec | null {
  const { problems } = sources;
  if (data === null) {
    problems.add([], 'the file is empty', { hint: 'It has to hold benchmarks: (docs/configuration.md).' });
    return null;
  }
  const parsed = deadheatFileSchema.safeParse(data);
  if (parsed.success) return readDeadheatSpec(parsed.data, sources);
  explainIssues(parsed.error.issues, { data, problems });
  return null;
}

/** Typed settings over the experiment of a file whose settings are not those of deadheat.yaml. */
function withTyped(
  spec: ExperimentSpec,
  { typed, problems, wording }: Pick<Parameters<typeof readDeadheatSpec>[1], 'typed' | 'problems' | 'wording'>,
): ExperimentSpec {
  const { seed, methods, name, 'max-time': maxTime, 'show-output': showOutput = spec.showOutput } = typed;
  const fit = new Set(['methods', 'max-time', ...Object.keys(experimentTable)]);
  for (const path of Object.keys(typed).map((key) => [typedRoot, key])) {
    if (fit.has(path[1] ?? '')) continue;
    problems.add(path, `${wording.name(path)} cannot change a file of duetbench`, { hint: 'Leave it out.' });
  }
  const wanted = (methods ?? []) as readonly Method[];
  const isWanted = ({ method }: Settings): boolean => wanted.length === 0 || wanted.some((one) => one === method);
  const limit = maxTime === undefined ? {} : { maxTimeNs: maxTime === 'none' ? null : maxTime };
  const benchmarks = spec.benchmarks.map((one) => ({
    ...one,
    methods: one.methods.filter(isWanted).map((settings) => ({ ...settings, ...limit })),
  }));
  if (benchmarks.every((one) => one.methods.length === 0)) {
    problems.add([typedRoot, 'methods'], `nothing is measured by ${wanted.join(' or ')}`, {
      hint: 'Choose a method of the file.',
    });
  }
  return {
    ...spec,
    ...choicesOf(typed),
    name: name === undefined ? spec.name : String(name),
    seed: seed === undefined ? spec.seed : String(seed),
    showOutput,
    benchmarks,
  };
}

/**
 * A file of YAML as a tree; `name` is what messages call it.
 *
 * @throws ConfigError `CONFIG_NOT_FOUND`, `CONFIG_NOT_READABLE`, `BAD_CONFIG`
 */
export function readTree(name: string, path: string): YamlTree {
  const reading = readYaml(readText(name, path));
  if (reading.kind === 'malformed') throw badConfig(name, reading.problems);
  return reading.tree;
}

export function findFile(cwd: string): string {
  const found = defaultFiles.find((name) => statSync(join(cwd, name), { throwIfNoEntry: false }) !== undefined);
  if (found !== undefined) return found;
  throw new ConfigError(
    'CONFIG_NOT_FOUND',
    `there is no ${defaultFiles.join(' or ')} in ${cwd}\nName the file: deadheat run FILE. docs/configuration.md shows how to write one.`,
    { file: join(cwd, 'deadheat.yaml') },
  );
}

function readText(name: string, path: string): string {
  const refuse = (code: 'CONFIG_NOT_FOUND' | 'CONFIG_NOT_READABLE', why: string, hint: string): ConfigError =>
    new ConfigError(code, `${name} ${why}\n${hint}`, { file: path });
  let isFolder: boolean;
  try {
    isFolder = statSync(path).isDirectory();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === 'ENOENT'
      ? refuse('CONFIG_NOT_FOUND', 'is not there', `A relative path starts at the current folder.`)
      : refuse('CONFIG_NOT_READABLE', `cannot be read: ${message}`, 'Check the path.');
  }
  if (isFolder) {
    const inside = defaultFiles.find((file) => statSync(join(path, file), { throwIfNoEntry: false }) !== undefined);
    const hint = inside === undefined ? 'Name the file in it.' : `Did you mean ${join(name, inside)}?`;
    throw refuse('CONFIG_NOT_READABLE', 'is a folder', hint);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof TypeError) throw refuse('CONFIG_NOT_READABLE', 'is not UTF-8', 'Save it as UTF-8.');
    throw refuse('CONFIG_NOT_READABLE', `cannot be read: ${(error as Error).message}`, 'Look at its permissions.');
  }
}
