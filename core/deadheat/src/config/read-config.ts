import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ExperimentDraft } from '@deadheat/engine';
import { defaultSettings, type Benchmark, type Settings } from '@deadheat/model';
import { loadPackage } from '@deadheat/recording';
import type { BenchmarkSpec, ExperimentSpec } from './benchmark-spec.ts';
import { badConfig, ConfigError } from './config-error.ts';
import { deadheatFileSchema } from './deadheat-file.ts';
import { explainIssues } from './explain-issues.ts';
import { Problems, type Path } from '../settings/problem.ts';
import { readDeadheatSpec } from './read-deadheat-spec.ts';
import { mostCombinations } from './read-matrix.ts';
import type { Text } from '../settings/scalars.ts';
import type { SettingsLayer } from '../settings/settings-table.ts';
import type { Wording } from '../settings/settings-resolver.ts';
import { withControls } from '../draft/with-controls.ts';
import { ownSettings, toBenchmarks } from './to-benchmarks.ts';
import { readYaml, type YamlTree } from './yaml-tree.ts';

const defaultFiles = ['deadheat.yaml', 'deadheat.yml'];

export interface ConfigSources {
  /** Where a relative path starts, absolute. */
  readonly cwd: string;
  /** Where programs are sought, colon-separated. */
  readonly searchPath: string;
  /** Counts where the file has no seed. */
  readonly defaultSeed: string;
  /** Settings that were typed, which override those of the file; absent = none. */
  readonly typed?: SettingsLayer;
  /** Where the paths in the file start and how the experiment is called without a name; absent = by the file's folder. */
  readonly place?: { readonly folder: string; readonly name: string };
}

/**
 * The experiment that a file describes, commands resolved; `null` looks for deadheat.yaml and deadheat.yml.
 *
 * @throws ConfigError with every problem of the file and its place
 * @throws DeadheatError `PACKAGE_MISSING` for a file whose format a package brings that is not installed
 */
export async function readConfig(file: string | null, sources: ConfigSources): Promise<ExperimentDraft> {
  const { draft, control } = await readUncontrolled(file, sources);
  return control ? withControls(draft) : draft;
}

/** Experiment of a file without controls, and whether the file asks for them. */
export async function readUncontrolled(
  file: string | null,
  { cwd, searchPath, defaultSeed, place, typed = {} }: ConfigSources,
): Promise<{ readonly draft: ExperimentDraft; readonly control: boolean }> {
  const name = file ?? findFile(cwd);
  const path = resolve(cwd, name);
  const tree = readTree(name, path);
  const problems = new Problems();
  const spec = await readSpec(tree, { name, problems, typed });
  const folder = place?.folder ?? dirname(path);
  const benchmarks = toAllBenchmarks(spec, { folder, searchPath, problems });
  if (spec === null || problems.found.length > 0) {
    throw badConfig(
      name,
      problems.found.map((problem) => tree.locate(problem)),
    );
  }
  const draft = toDraft(spec, { benchmarks, defaultName: place?.name ?? basename(folder), defaultSeed });
  return { draft, control: spec.control };
}

/** An experiment as a program says it, with the keys of a file. */
export interface ObjectSources extends Omit<ConfigSources, 'place'> {
  /** Name of an experiment that has none. */
  readonly defaultName: string;
  /** Name of a key in messages. */
  readonly nameOfKey: (key: string) => string;
}

/**
 * The experiment that an object describes, with the keys and the values of a file; relative paths start at `cwd`.
 *
 * @throws ConfigError `BAD_CONFIG` with every problem and the keys down to it
 */
export function readObject(
  data: unknown,
  { cwd, searchPath, defaultSeed, defaultName, nameOfKey, typed = {} }: ObjectSources,
): ExperimentDraft {
  const problems = new Problems();
  const wording: Wording = {
    name: nameOfKey,
    noEffect: (key, { why }) => ({ message: `${nameOfKey(key)} has no effect: ${why}`, hint: 'Leave it out.' }),
  };
  const parsed = deadheatFileSchema.safeParse(data);
  if (!parsed.success) explainIssues(parsed.error.issues, { data, problems });
  const textAt = (_: Path, value: Text): string => String(value);
  const spec = parsed.success ? readDeadheatSpec(parsed.data, { textAt, problems, wording, typed }) : null;
  const benchmarks = toAllBenchmarks(spec, { folder: cwd, searchPath, problems });
  if (spec === null || problems.found.length > 0) {
    const sentences = problems.found.map(({ path, message, hint }) => {
      const place = path.map((step) => (typeof step === 'string' ? nameOfKey(step) : step)).join('.');
      return [`${place}${place === '' ? '' : ': '}${message}`, ...(hint === null ? [] : [hint])].join('. ');
    });
    throw new ConfigError('BAD_CONFIG', sentences.join('\n'), { file: '' });
  }
  const draft = toDraft(spec, { benchmarks, defaultName, defaultSeed });
  return spec.control ? withControls(draft) : draft;
}

function toAllBenchmarks(
  spec: ExperimentSpec | null,
  sources: { readonly folder: string; readonly searchPath: string; readonly problems: Problems },
): readonly Benchmark[] {
  if (spec === null) return [];
  checkContainers(spec.benchmarks, sources.problems);
  const wanted = spec.benchmarks.reduce((sum, benchmark) => sum + countOf(benchmark), 0);
  if (wanted > mostCombinations) {
    const [first] = spec.benchmarks;
    sources.problems.add(
      first?.path.slice(0, -1) ?? [],
      `the file stands for ${wanted} measurements, more than ${mostCombinations}`,
      {
        at: 'key',
        hint: 'Each benchmark counts once for each combination of its matrix and each method; write several files.',
      },
    );
    return [];
  }
  return spec.benchmarks.flatMap((benchmark) => toBenchmarks(benchmark, sources));
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
  return {
    ...common,
    name: toFolderName(spec.name ?? defaultName),
    seed: spec.seed ?? defaultSeed,
    schedule: spec.schedule,
    cpus: spec.cpus,
    lanes: spec.lanes,
    engine: spec.engine,
    correction: spec.correction,
    strict: spec.strict,
    artifacts: { ...spec.artifacts },
    experimentTimeoutNs: spec.experimentTimeoutNs,
    showOutput: spec.showOutput,
    benchmarks: benchmarks.map((benchmark) => ({
      ...benchmark,
      own: ownSettings(benchmark.own as Settings, common),
    })),
  };
}

/** Letters, digits, `.`, `_` and `-`: the name of a recording's folder. */
function toFolderName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9._]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '') || 'experiment';
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

async function readSpec(
  tree: YamlTree,
  { name, problems, typed }: { readonly name: string; readonly problems: Problems; readonly typed: SettingsLayer },
): Promise<ExperimentSpec | null> {
  const { data } = tree;
  const textAt = (path: Path, value: Text): string => tree.sourceOf(path) ?? String(value);
  if (isDuetbench(data)) {
    const [key] = Object.keys(typed);
    if (key !== undefined) problems.add([], `${key} cannot change a file of duetbench`, { hint: 'Leave it out.' });
    const readDuetbenchSpec = await loadPackage<DuetbenchReader>('@deadheat/lab', {
      exported: 'readDuetbenchSpec',
      user: `${name}, a file of duetbench,`,
    });
    return readDuetbenchSpec(data, { textAt, problems });
  }
  if (data === null) {
    problems.add([], 'the file is empty', { hint: 'It has to hold benchmarks: (docs/configuration.md).' });
    return null;
  }
  const parsed = deadheatFileSchema.safeParse(data);
  if (parsed.success) return readDeadheatSpec(parsed.data, { textAt, problems, typed });
  explainIssues(parsed.error.issues, { data, problems });
  return null;
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
