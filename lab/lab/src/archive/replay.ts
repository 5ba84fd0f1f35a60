import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { count, ratio, share, type StudyTable, text } from '@deadheat/analysis';
import { analyseRecorded } from '@deadheat/engine';
import { type Benchmark, DeadheatError, programFileSchema, recordingFiles, type Report } from '@deadheat/model';
import { programFiles, readExperiment, runRead } from 'deadheat/internals';
import { studentTQuantile } from '@deadheat/stats';
import { z } from 'zod';
import { randomEffects } from './random-effects.ts';
import { benchmarkName, bundleFiles, checksums, type ProgramFile } from './write-archive.ts';

const bundleSchema = z.object({
  schema: z.literal('deadheat.bundle/1'),
  title: z.string(),
  recordings: z.array(z.object({ folder: z.string(), name: z.string(), programs: z.array(programFileSchema) })).min(1),
});
type Bundle = z.infer<typeof bundleSchema>;

/**
 * Reads a bundle and compares its files with their checksums. What make or a reader adds beside the recordings does not matter.
 *
 * @throws DeadheatError `NOT_FOUND` for a folder that holds none, `MALFORMED` for one that was changed
 */
export function openBundle(folder: string): Bundle {
  const read = (name: string): string => {
    try {
      return readFileSync(join(folder, name), 'utf8');
    } catch (cause) {
      throw new DeadheatError('NOT_FOUND', `${folder} is no bundle: ${(cause as Error).message}`, {
        cause,
        hint: 'Name the folder that deadheat lab archive wrote, unpacked.',
      });
    }
  };
  const expected = read(bundleFiles.checksums).split('\n');
  const here = new Set(checksums(folder).split('\n'));
  const changed = expected.filter((line) => !here.has(line)).map((line) => line.slice(66));
  const added = [...here].filter((line) => !expected.includes(line)).map((line) => line.slice(66));
  const [wrong] = [...changed, ...added.filter((name) => name.startsWith(`${bundleFiles.recordings}/`))];
  if (wrong !== undefined) {
    throw new DeadheatError(
      'MALFORMED',
      `${join(folder, wrong)} is not what the bundle was made with (SHA-256 differs)`,
      {
        hint: `Unpack the bundle again; sha256sum --check ${bundleFiles.checksums} lists every file.`,
      },
    );
  }
  const parsed = bundleSchema.safeParse(JSON.parse(read(bundleFiles.manifest)));
  if (parsed.success) return parsed.data;
  throw new DeadheatError('MALFORMED', `${join(folder, bundleFiles.manifest)} is no bundle that this version reads`, {
    hint: 'Read it with the version of deadheat that its entry tool names.',
  });
}

/** A file of a program that is another one here, or none. */
export interface ChangedProgram {
  readonly archived: ProgramFile;
  /** Its hash here; `null` = it cannot be read here. */
  readonly here: string | null;
}

/** The files of programs that differ here from those of a bundle. */
export function changedPrograms(
  archived: readonly ProgramFile[],
  benchmarks: readonly Benchmark[],
): readonly ChangedProgram[] {
  const here = new Map(programFiles(benchmarks).map((file) => [file.path, file.sha256]));
  return archived
    .filter(({ path, sha256 }) => sha256 !== null && here.get(path) !== sha256)
    .map((file) => ({ archived: file, here: here.get(file.path) ?? null }));
}

/** A path below a folder that is not here, below the folder of this process. */
function movedPath(path: string, folders: readonly string[]): string {
  const folder = folders.find((one) => path === one || path.startsWith(`${one}/`));
  return folder === undefined ? path : join(process.cwd(), relative(folder, path));
}

/** Benchmarks with working directories that are here: in place of others the folder of this process, programs that lay below them included. */
function movedHere(benchmarks: Benchmark[]): {
  readonly benchmarks: Benchmark[];
  readonly folders: readonly string[];
} {
  const ofPrograms = benchmarks.filter(({ containers }) => containers === null);
  const named = ofPrograms.flatMap(({ workingDirectory: { A, B } }) => [A, B]).filter((one) => one !== null);
  const folders = [...new Set(named)].filter((one) => !existsSync(one));
  if (folders.length === 0) return { benchmarks, folders };
  const placeOf = (folder: string | null): string | null => (folder === null ? null : movedPath(folder, folders));
  return {
    folders,
    benchmarks: benchmarks.map((one) => {
      const { workingDirectory, commands } = one;
      const commandOf = ({ argv: [program = '', ...rest], ...command }: Benchmark['commands']['A']) => ({
        ...command,
        argv: [movedPath(program, folders), ...rest],
      });
      return {
        ...one,
        workingDirectory: { A: placeOf(workingDirectory.A), B: placeOf(workingDirectory.B) },
        commands: { A: commandOf(commands.A), B: commandOf(commands.B) },
      };
    }),
  };
}

/** What measuring a bundle again gave. */
export interface Replayed {
  /** Bundle and machine side by side, and from three machines on the mean over machines. */
  readonly tables: readonly StudyTable[];
  readonly changed: readonly ChangedProgram[];
}

/**
 * Measures every recording of a bundle again, here, by its configuration and seed.
 *
 * @param options.output folder in which the recordings of this machine are stored
 * @param options.beside folders in which other machines stored theirs
 * @throws as {@link openBundle}; DeadheatError as a run, `COMMAND_NOT_FOUND` for a program that is missing here, `NOT_FOUND` for a folder beside
 *   it that lacks a recording of the bundle
 */
export async function replayBundle(
  folder: string,
  {
    output,
    beside,
    signal,
    onNotice,
  }: {
    readonly output: string;
    readonly beside: readonly string[];
    readonly signal: AbortSignal;
    readonly onNotice: (text: string) => void;
  },
): Promise<Replayed> {
  const bundle = openBundle(folder);
  for (const { folder: name } of bundle.recordings) for (const other of beside) checkBeside(other, name);
  const pooled: StudyTable['rows'][number][] = [];
  const hosts = new Set<string>();
  const rows: StudyTable['rows'][number][] = [];
  const allChanged: ChangedProgram[] = [];
  for (const { folder: name, programs } of bundle.recordings) {
    const archived = join(folder, bundleFiles.recordings, name);
    const file = resolve(archived, recordingFiles.experiment);
    const recorded = await readExperiment(file, { variables: process.env });
    const { benchmarks, folders } = movedHere(recorded.draft.benchmarks);
    const experiment = { ...recorded, draft: { ...recorded.draft, benchmarks } };
    for (const one of folders) onNotice(`the folder ${one} is not here: its programs are executed in ${process.cwd()}`);
    const placed = programs.map((one) => ({ ...one, path: movedPath(one.path, folders) }));
    const changed = changedPrograms(placed, benchmarks);
    allChanged.push(...changed);
    const missing = changed.find((one) => one.here === null && one.archived.role === 'program');
    if (missing !== undefined) throw absent(missing.archived);
    for (const one of changed) onNotice(noticeOf(one));
    const options = { output: join(output, name), signal, onNotice, file: null };
    const report = await runRead(() => Promise.resolve(experiment), options);
    const before = await analyseRecorded(archived);
    rows.push(...sideBySide(before, report));
    const others = await Promise.all(beside.map(async (other) => analyseRecorded(join(other, name))));
    const reports = [before, report, ...others];
    for (const { machine } of reports) hosts.add(machine?.hostname ?? '');
    pooled.push(...overMachines(reports));
  }
  const tables = [replayTable(bundle.title, rows)];
  if (beside.length > 0)
    tables.push(machinesTable(bundle.title, pooled, { measured: beside.length + 2, hosts: hosts.size }));
  return { tables, changed: allChanged };
}

function checkBeside(folder: string, name: string): void {
  if (existsSync(join(folder, name, recordingFiles.experiment))) return;
  throw new DeadheatError('NOT_FOUND', `${join(folder, name)} holds no recording of this bundle`, {
    hint: 'Name the folder that --output of deadheat lab replay named on another machine, for the same bundle.',
  });
}

/** A row for each comparison of the first report that others have as well: the mean ratio over their machines. */
function overMachines([first, ...others]: readonly Report[]): StudyTable['rows'] {
  return (first?.comparisons ?? []).flatMap((one) => {
    const name = benchmarkName(one);
    const same = others.flatMap(({ comparisons }) =>
      comparisons.filter((own) => benchmarkName(own) === name && own.method === one.method),
    );
    const effects = [one, ...same].map(({ interval: { estimate, low, high, level }, runs }) => {
      const reach = 2 * studentTQuantile((1 + level) / 2, Math.max(1, runs - 1));
      return { effect: Math.log(estimate), variance: ((Math.log(high) - Math.log(low)) / reach) ** 2 };
    });
    const usable = effects.filter(
      ({ effect, variance }) => Number.isFinite(effect) && variance > 0 && variance < Infinity,
    );
    if (usable.length < 2) return [];
    const { machines, mean, low, high, between, heterogeneity } = randomEffects(usable, one.interval.level);
    return [
      [
        name,
        one.method,
        machines,
        Math.exp(mean),
        Math.exp(low),
        Math.exp(high),
        one.interval.level,
        between,
        heterogeneity,
      ],
    ];
  });
}

function machinesTable(
  title: string,
  rows: StudyTable['rows'],
  { measured, hosts }: { readonly measured: number; readonly hosts: number },
): StudyTable {
  return {
    title: `${title}: the mean over machines`,
    source: 'random effects: restricted maximum likelihood, interval of Hartung and Knapp',
    columns: [
      text('benchmark'),
      text('method'),
      count('machines'),
      ratio('B / A'),
      ratio('low'),
      ratio('high'),
      share('level'),
      share('between machines (SD)'),
      share('of the variation'),
    ],
    rows,
    notes: [
      'the interval is about machines of this kind, of which those here are taken for a sample',
      ...(hosts < measured
        ? [`${measured} recordings come from ${hosts} host names: those of one machine are no sample of machines`]
        : []),
    ],
  };
}

function absent({ path, sha256 }: ProgramFile): DeadheatError {
  return new DeadheatError('COMMAND_NOT_FOUND', `the program ${path} of the bundle (SHA-256 ${sha256}) is not here`, {
    hint: 'Install it in the same place; bundle.json lists every file with its hash.',
  });
}

function noticeOf({ archived: { role, path, sha256 }, here }: ChangedProgram): string {
  const now = here === null ? 'is not here' : `is another file here (SHA-256 ${here.slice(0, 16)})`;
  return `${role} ${path} ${now}; the bundle was measured with ${sha256!.slice(0, 16)}`;
}

/** Comparisons of a recording beside those of the same benchmark, parameters and method here. */
function sideBySide(before: Report, now: Report): StudyTable['rows'] {
  return before.comparisons.map((one) => {
    const name = benchmarkName(one);
    const other = now.comparisons.find((own) => benchmarkName(own) === name && own.method === one.method);
    const { estimate, low, high } = one.interval;
    const here = other?.interval;
    const overlaps = here === undefined ? null : low <= here.high && here.low <= high ? 'yes' : 'no';
    return [
      name,
      one.method,
      estimate,
      low,
      high,
      here?.estimate ?? null,
      here?.low ?? null,
      here?.high ?? null,
      overlaps,
    ];
  });
}

function replayTable(title: string, rows: StudyTable['rows']): StudyTable {
  return {
    title: `${title}: the bundle beside this machine`,
    source: 'ratio B / A of the metric that decides, with its confidence interval',
    columns: [
      text('benchmark'),
      text('method'),
      ratio('bundle'),
      ratio('low'),
      ratio('high'),
      ratio('here'),
      ratio('low here'),
      ratio('high here'),
      text('overlap'),
    ],
    rows,
    notes: [
      'overlap: whether the two intervals have a value in common, which is no test of a difference between machines',
    ],
  };
}
