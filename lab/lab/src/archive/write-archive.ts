import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { count, ratio, share, type StudyTable, text } from '@deadheat/analysis';
import { reportRecorded } from '@deadheat/engine';
import {
  type Comparison,
  DeadheatError,
  type Experiment,
  type ProgramFacts,
  recordingFiles,
  type Report,
} from '@deadheat/model';
import { findRecording, tool } from '@deadheat/recording';
import { renderPlots, studyCsv } from '@deadheat/report';
import { digestOf, distributionHere, programFiles } from 'deadheat/internals';
import { latexTable, makefile, tablesDocument } from './latex-table.ts';
import { withPrintColours } from './print-colours.ts';

export type ProgramFile = ProgramFacts['files'][number];

/** Names of the files of a bundle. */
export const bundleFiles = {
  manifest: 'bundle.json',
  checksums: 'SHA256SUMS',
  recordings: 'recordings',
} as const;

/** A recording of a bundle, with the files of its programs as they were when the bundle was made. */
export interface ArchivedRecording {
  /** Folder in `recordings/`. */
  readonly folder: string;
  readonly id: string;
  readonly name: string;
  readonly startedAt: string;
  readonly programs: readonly ProgramFile[];
}

/** A bundle that was written. */
export interface WrittenArchive {
  readonly folder: string;
  readonly recordings: readonly ArchivedRecording[];
  /** Files of programs that could not be hashed. */
  readonly unknown: readonly ProgramFile[];
}

/** Who made the measurements, for CITATION.cff and the metadata. */
export interface ArchiveFacts {
  readonly title: string;
  /** `Family name, given names`; at least one. */
  readonly authors: readonly string[];
}

/** The columns of the table of results. */
const resultColumns: StudyTable['columns'] = [
  text('recording'),
  text('benchmark'),
  text('method'),
  text('metric'),
  count('runs'),
  ratio('B / A'),
  ratio('low'),
  ratio('high'),
  share('level'),
  text('verdict'),
];

/** A row for each comparison of a report. */
export function resultRows(name: string, { comparisons }: Pick<Report, 'comparisons'>): StudyTable['rows'] {
  return comparisons.map((one) => {
    const { method, metric, runs, interval, verdict } = one;
    const { estimate, low, high, level } = interval;
    return [name, benchmarkName(one), method, metric, runs, estimate, low, high, level, verdict];
  });
}

/** A benchmark with its parameters. */
export function benchmarkName({ benchmark, params }: Pick<Comparison, 'benchmark' | 'params'>): string {
  return [benchmark, ...Object.entries(params).map(([key, value]) => `${key}=${value}`)].join(' ');
}

/**
 * Writes recordings with all that a reader needs to measure them again into one folder, whose name ends in the first 16 digits of the SHA-256
 * of its list of checksums: the same content has the same name.
 *
 * @param paths folders of recordings, or of recordings that stand for their newest; each is taken once
 * @throws RecordError for what cannot be read; DeadheatError `NOT_WRITABLE` for a folder that cannot be written, or lies in a recording
 */
export async function writeArchive(
  paths: readonly string[],
  { output, ...facts }: ArchiveFacts & { readonly output: string },
): Promise<WrittenArchive> {
  const found = await Promise.all(paths.map(async (path) => findRecording(path)));
  const recordings = [...new Map(found.map((one) => [one.experiment.id, one])).values()];
  const around = recordings.find(({ directory }) => !relative(directory, output).startsWith('..'));
  if (around !== undefined) {
    throw new DeadheatError('NOT_WRITABLE', `a bundle in ${around.directory} would have to hold itself`, {
      hint: 'Name a folder outside of the recording with --output.',
    });
  }
  const building = makeFolder(output);
  try {
    const archived: ArchivedRecording[] = [];
    const rows: StudyTable['rows'][number][] = [];
    for (const { directory, experiment } of recordings) {
      const { id, startedAt, config } = experiment;
      const folder = `${String(archived.length + 1).padStart(2, '0')}-${basename(directory)}`;
      copyRecording(directory, join(building, bundleFiles.recordings, folder));
      archived.push({ folder, id, name: config.name, startedAt, programs: filesOf(experiment) });
      const { report, points } = await reportRecorded(directory, { segments: false });
      rows.push(...resultRows(config.name, report));
      for (const { name, svg } of renderPlots({ report, points }))
        writeInto(building, `figures/${folder}/${name}`, withPrintColours(svg));
    }
    const results: StudyTable = {
      title: facts.title,
      source: 'the recordings of this bundle',
      columns: resultColumns,
      rows,
      notes: ['B / A: ratio of the metric that decides, with its confidence interval'],
    };
    writeInto(building, 'tables/results.csv', studyCsv({ tables: [results] }));
    writeInto(building, 'tables/results.tex', latexTable(results));
    writeInto(building, 'tables.tex', tablesDocument);
    writeInto(building, 'Makefile', makefile);
    const [first] = recordings.map(({ experiment }) => experiment);
    const manifest = {
      schema: 'deadheat.bundle/1',
      ...facts,
      tool: { name: tool.name, version: tool.version },
      environment: environmentOf(first!),
      recordings: archived,
    };
    writeInto(building, bundleFiles.manifest, json(manifest));
    writeInto(building, 'CITATION.cff', citation(facts, first!.startedAt));
    writeInto(building, 'ro-crate-metadata.json', json(crate(building, { ...facts, startedAt: first!.startedAt })));
    const sums = checksums(building);
    writeInto(building, bundleFiles.checksums, sums);
    const folder = join(output, `bundle-${digestOf(sums).slice(0, 16)}`);
    // The name says what is in it, so that one of the same name is the same.
    if (!existsSync(folder)) renameSync(building, folder);
    const unknown = archived.flatMap(({ programs }) => programs.filter(({ sha256 }) => sha256 === null));
    return { folder, recordings: archived, unknown };
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

/** The files of the programs: as the recording has them, and those that it leaves out, such as libraries, as they are now. */
function filesOf({ config, programs }: Experiment): readonly ProgramFile[] {
  const recorded = new Map(programs?.files.map((file) => [file.path, file]));
  return programFiles(config.benchmarks).map((file) => recorded.get(file.path) ?? file);
}

function makeFolder(output: string): string {
  try {
    mkdirSync(output, { recursive: true });
    return mkdtempSync(join(output, '.bundle-'));
  } catch (cause) {
    throw new DeadheatError('NOT_WRITABLE', `${output} cannot be written: ${(cause as Error).message}`, {
      cause,
      hint: 'Name a folder in one that is yours with --output.',
    });
  }
}

/** Everything of a recording but its lock. */
function copyRecording(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => relative(from, path) !== recordingFiles.lock });
}

function writeInto(folder: string, name: string, content: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Commands that print the version of what programs are executed or made by. */
const versionCommands = {
  java: ['java', '-version'],
  javac: ['javac', '-version'],
  cc: ['cc', '--version'],
  clang: ['clang', '--version'],
  python: ['python3', '--version'],
  go: ['go', 'version'],
  rust: ['rustc', '--version'],
} as const;

/** Machine, distribution and versions: those of the first recording, and of this machine where the recording does not hold them. */
function environmentOf({ machine, programs }: Experiment): Readonly<Record<string, unknown>> {
  const versions = Object.entries(versionCommands).flatMap(([name, [command, option]]) => {
    const { status, stdout, stderr } = spawnSync(command, [option], { encoding: 'utf8' });
    return status === 0 ? [[name, `${stdout}${stderr}`.trim().split('\n')[0]]] : [];
  });
  return {
    machine,
    distribution: programs?.distribution ?? distributionHere(),
    ...(programs === undefined ? {} : { runtimes: programs.runtimes, variables: programs.variables }),
    versions: { node: machine.node, ...(Object.fromEntries(versions) as Record<string, string>) },
  };
}

function citation({ title, authors }: ArchiveFacts, startedAt: string): string {
  const people = authors.map((author) => {
    const [family = '', given] = author.split(/,\s*/);
    return `  - family-names: ${JSON.stringify(family)}${given === undefined ? '' : `\n    given-names: ${JSON.stringify(given)}`}`;
  });
  return [
    'cff-version: 1.2.0',
    'message: If you use these measurements, please cite them.',
    'type: dataset',
    `title: ${JSON.stringify(title)}`,
    'authors:',
    ...people,
    `date-released: ${startedAt.slice(0, 10)}`,
    '',
  ].join('\n');
}

/** RO-Crate 1.1: the bundle as a dataset with its files. */
function crate(folder: string, { title, authors, startedAt }: ArchiveFacts & { readonly startedAt: string }): unknown {
  const files = filesBelow(folder);
  const people = authors.map((name, place) => ({ '@id': `#author-${place + 1}`, '@type': 'Person', name }));
  const root = {
    '@id': './',
    '@type': 'Dataset',
    name: title,
    description:
      'Measurements by deadheat, with the hashes of their programs; deadheat lab replay measures them again.',
    datePublished: startedAt,
    author: people.map(({ '@id': id }) => ({ '@id': id })),
    hasPart: files.map((name) => ({ '@id': name })),
  };
  const descriptor = {
    '@id': 'ro-crate-metadata.json',
    '@type': 'CreativeWork',
    conformsTo: { '@id': 'https://w3id.org/ro/crate/1.1' },
    about: { '@id': './' },
  };
  const parts = files.map((name) => ({ '@id': name, '@type': 'File', name: basename(name) }));
  return { '@context': 'https://w3id.org/ro/crate/1.1/context', '@graph': [descriptor, root, ...people, ...parts] };
}

/** Files below a folder by their paths, sorted. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

/** The lines that `sha256sum --check` reads, of all files but the list itself. */
export function checksums(folder: string): string {
  const names = filesBelow(folder).filter((name) => name !== bundleFiles.checksums);
  return names.map((name) => `${digestOf(readFileSync(join(folder, name)))}  ${name}\n`).join('');
}
