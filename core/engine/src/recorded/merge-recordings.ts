import { existsSync } from 'node:fs';
import { cp, readdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import {
  recordingFiles,
  type Benchmark,
  type Experiment,
  type Host,
  type Parts,
  type Recording,
  type Warning,
  type ExperimentConfig,
} from '@deadheat/model';
import { readRecording, RecordError, refuseLinks, TrialRecords } from '@deadheat/recording';
import { MergeError, RecordingMerger, type MergedRecording } from './recording-merger.ts';

export interface MergeOptions {
  /** Folder for the recording, new or empty; `null` = a new one below `parent`. */
  readonly output: string | null;
  readonly parent: string;
}

/** Parts brought together. */
export interface MergedParts extends MergedRecording {
  readonly recordings: number;
  /** Runs that were in two of them, with the same content. */
  readonly repeated: number;
}

/** Folders that may lie in a recording beside its measurements. */
const folders = ['artifacts', 'logs', 'results'] as const;

/**
 * Makes one recording of the parts of an experiment, and judges it. A folder that is no recording stands for all recordings in
 * it. The order in which they are given does not matter. Nothing is written unless all of them fit together.
 *
 * @throws MergeError where they do not; RecordError as `readRecording`, and as `RecordingMerger`
 */
export async function mergeRecordings(
  directories: readonly string[],
  { output, parent }: MergeOptions,
): Promise<MergedParts> {
  const found = await Promise.all(directories.map(recordingsIn));
  const paths = [...new Set(found.flat().map((path) => resolve(path)))];
  // A merged recording may be published, and parts come from other machines.
  for (const path of paths) await refuseLinks(path);
  const recordings = (await Promise.all(paths.map((path) => readRecording(path)))).toSorted(
    (one, other) => firstPart(one) - firstPart(other) || (one.directory < other.directory ? -1 : 1),
  );
  const [first, ...others] = recordings;
  if (first === undefined)
    throw new MergeError('NOTHING_TO_MERGE', 'There is no recording to merge; name one or more.');
  for (const other of others) checkSame(first, other);
  const benchmarks = withMethods(recordings, first);

  const merger = await RecordingMerger.create({
    experiment: togetherOf(recordings, { first, benchmarks }),
    directory: output,
    parent,
  });
  try {
    let repeated = 0;
    for (const [index, recording] of recordings.entries()) repeated += await add(recording, { merger, index });
    return {
      ...(await merger.finish({ warnings: recordings.flatMap(({ warnings = [] }) => warnings) })),
      recordings: recordings.length,
      repeated,
    };
  } catch (error) {
    merger.close();
    // Parts that do not fit together are found while they are copied; after a failure of the device the folder stays.
    const isOfParts = error instanceof MergeError || (error instanceof RecordError && error.code === 'MALFORMED');
    if (isOfParts) await rm(merger.directory, { recursive: true, force: true });
    throw error;
  }
}

/** Gives how many of its runs were in already. */
async function add(
  { directory, experiment, trials }: Recording,
  { merger, index }: { readonly merger: RecordingMerger; readonly index: number },
): Promise<number> {
  const hosts = hostsOf(experiment);
  for (const host of hosts) await merger.addHost(host);
  const files = new TrialRecords(directory);
  const gathered = new TrialRecords(merger.directory);
  let repeated = 0;
  for (const trial of trials) {
    const { A, B } = trial.sides;
    const texts = { A: await files.text(A), B: await files.text(B) };
    const number = await merger.addTrial(trial, trial.host ?? hosts[0]?.id ?? experiment.machine.hostname, texts);
    if (number === null) repeated += 1;
    else await gathered.copyOutput({ directory, trial: trial.trial }, number);
  }
  for (const folder of folders.filter((name) => existsSync(join(directory, name)))) {
    await cp(join(directory, folder), join(merger.directory, folder, `${index + 1}-${basename(directory)}`), {
      recursive: true,
    });
  }
  return repeated;
}

async function recordingsIn(path: string): Promise<readonly string[]> {
  if (existsSync(join(path, recordingFiles.experiment))) return [path];
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const inside = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name))
    .filter((folder) => existsSync(join(folder, recordingFiles.experiment)));
  // Without any it is what `readRecording` says of it.
  return inside.length === 0 ? [path] : inside;
}

function firstPart({ experiment: { parts } }: Recording): number {
  return Math.min(...(parts?.taken ?? [0]));
}

function hostsOf({ hosts, machine }: Experiment): readonly Host[] {
  return hosts ?? [{ id: machine.hostname, machine, labels: {} }];
}

/** @throws MergeError where two recordings are not of one experiment */
function checkSame(one: Recording, other: Recording): void {
  const bothParts = one.experiment.parts !== undefined && other.experiment.parts !== undefined;
  const [left, right] = [one, other].map(({ experiment }) => ({
    ...comparable(experiment),
    ...(bothParts ? { parts: experiment.parts?.count } : {}),
  }));
  const found = firstDifference(left, right);
  if (found !== null) {
    throw new MergeError(
      'CONFIGURATIONS_DIFFER',
      `${one.directory} and ${other.directory} cannot be merged: ${found.path} is ${found.left} in the first and ` +
        `${found.right} in the second. Parts of one experiment are made of the same file, commit and version of deadheat.`,
    );
  }
  if (one.experiment.id === other.experiment.id) return;
  throw new MergeError(
    'DIFFERENT_EXPERIMENTS',
    `${one.directory} and ${other.directory} are two experiments (${one.experiment.id} and ${other.experiment.id}), not ` +
      'parts of one. All parts of an experiment have the same identifier.',
  );
}

/**
 * The benchmarks with the methods that the pilot runs of the parts chose: each part chooses for itself, and a part that ended before
 * leaves it to the others.
 *
 * @throws MergeError `METHODS_DIFFER`
 */
function withMethods(recordings: readonly Recording[], first: Recording): readonly Benchmark[] {
  return first.experiment.config.benchmarks.map((benchmark, entry) => {
    const choices = recordings.flatMap(({ directory, experiment }) => {
      const chosen = experiment.config.benchmarks[entry]?.chosen ?? null;
      return chosen === null ? [] : [{ directory, chosen }];
    });
    const [one] = choices;
    const other = choices.find(({ chosen }) => chosen.method !== one?.chosen.method);
    if (one === undefined || other === undefined) return { ...benchmark, chosen: one?.chosen ?? null };
    const [choice, otherChoice] = [one, other].map(
      ({ directory, chosen: { method, reason } }) => `${method} in ${directory}, because ${reason}`,
    );
    throw new MergeError(
      'METHODS_DIFFER',
      `The parts cannot be merged: for ${benchmark.name} the pilot runs chose ${choice}; and ${otherChoice}. Results of two methods ` +
        `cannot be compared. Choose one method for all parts, such as methods: [${one.chosen.method}] in the file, and execute the parts again.`,
    );
  });
}

/** The fields of an experiment that must be the same in every part. */
function comparable({ tool, config, parts, containers, commits, project }: Experiment): object {
  return {
    version: tool.version,
    config: comparableConfig(config, parts?.folder ?? null),
    images: Object.fromEntries(Object.entries(containers?.images ?? {}).map(([name, { id }]) => [name, id])),
    commits: commits ?? null,
    project: project ?? null,
  };
}

/** The experiment of all parts, and the missing runs. */
function togetherOf(
  recordings: readonly Recording[],
  { first: { experiment }, benchmarks }: { readonly first: Recording; readonly benchmarks: readonly Benchmark[] },
): Experiment {
  const { parts: _, hosts: __, ...rest } = experiment;
  const parts = partsOf(recordings);
  const warnings = new Map(
    recordings
      .flatMap((one) => one.experiment.warnings)
      .filter(({ code }) => code !== 'MISSING_PARTS')
      .map((warning) => [`${warning.code} ${warning.message}`, warning] as const),
  );
  const startedAt = recordings.map((one) => one.experiment.startedAt).toSorted()[0] ?? experiment.startedAt;
  return {
    ...rest,
    config: { ...rest.config, benchmarks: [...benchmarks] },
    startedAt,
    hosts: [],
    ...(parts === null ? {} : { parts }),
    warnings: [...warnings.values(), ...missingParts(parts)],
  };
}

/** `null` where they are no parts. */
function partsOf(recordings: readonly Recording[]): Parts | null {
  const all = recordings.flatMap(({ experiment: { parts } }) => (parts === undefined ? [] : [parts]));
  const [first] = all;
  if (first === undefined) return null;
  const taken = [...new Set(all.flatMap((parts) => parts.taken))].toSorted((one, other) => one - other);
  return { ...first, taken };
}

function missingParts(parts: Parts | null): readonly Warning[] {
  if (parts === null) return [];
  const { count, taken } = parts;
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((part) => !taken.includes(part));
  if (missing.length === 0) return [];
  const named = missing.map((part) => `${part}/${count}`).join(', ');
  return [
    {
      code: 'MISSING_PARTS',
      message:
        `${missing.length} of ${count} parts are missing (${named}), so runs are missing too; make them with deadheat run ` +
        `--part ${missing[0] ?? 1}/${count} and the same --experiment-id, and merge again`,
    },
  ];
}

/** Keys of a configuration that depend on the machine that runs it. */
export type MachineKey = 'cpus' | 'tandemCpus' | 'sequentialCpus' | 'lanes' | 'workerLanes';

/**
 * A configuration as far as it is to be the same on every machine: without the cores and what pilot runs chose, and with `folder`, paths below it, and a
 * name that is its own written as a dot, so that clones in different places are equal.
 */
export function comparableConfig(
  config: Omit<ExperimentConfig, MachineKey> & { readonly [Key in MachineKey]?: unknown },
  folder: string | null,
): unknown {
  const {
    cpus: _,
    tandemCpus: _tandem,
    sequentialCpus: _sequential,
    lanes: _lanes,
    workerLanes: _workerLanes,
    ...whole
  } = config;
  const rest = { ...whole, benchmarks: whole.benchmarks.map(({ chosen: _chosen, ...benchmark }) => benchmark) };
  if (folder === null || folder === '/') return rest;
  return withoutFolder({ ...rest, name: rest.name === basename(folder) ? '.' : rest.name }, folder);
}

function withoutFolder(value: unknown, folder: string): unknown {
  if (typeof value === 'string') {
    return value === folder ? '.' : value.replaceAll(`${folder}/`, './');
  }
  if (Array.isArray(value)) return value.map((item) => withoutFolder(item, folder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutFolder(item, folder)]));
}

/** Where two values are not the same. */
interface Difference {
  /** Keys from the outermost, joined by dots. */
  readonly path: string;
  /** The value as JSON; `nothing` = absent. */
  readonly left: string;
  readonly right: string;
}

const longest = 120;

/** The first place at which two JSON values differ, in the order of keys; `null` = they are the same. */
export function firstDifference(left: unknown, right: unknown, path: readonly string[] = []): Difference | null {
  if (isGroup(left) && isGroup(right) && Array.isArray(left) === Array.isArray(right)) {
    const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    for (const key of keys) {
      const found = firstDifference(left[key], right[key], [...path, key]);
      if (found !== null) return found;
    }
    return null;
  }
  return Object.is(left, right) ? null : { path: path.join('.'), left: shown(left), right: shown(right) };
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
