import { delimiter, dirname, join } from 'node:path';
import type { ExperimentDraft } from '@deadheat/engine';
import { type Commit, type Revision, findCommit, openRepository, type Repository } from '@deadheat/versions';
import { type Benchmark, type Command, type CommitRef, type Side, sides, DeadheatError } from '@deadheat/model';
import { printable } from '@deadheat/report';
import type { Changes } from '../config/changes.ts';
import type { SideLayer } from '../config/deadheat-file.ts';
import { readUncontrolled } from '../config/read-config.ts';
import { withControls } from '../draft/with-controls.ts';
import { UsageError } from '../errors/usage-error.ts';

/** The programs that are run in two trees: typed commands, or the experiment of a file. */
export type Subject = { readonly commands: readonly SideLayer[] } | { readonly file: string };

/**
 * The experiment of a subject in two trees, read once for each; what belongs to both sides is as in that of B.
 *
 * @throws ConfigError for a file that cannot be carried out there, UsageError for one with images; UsageError and CommandError for commands
 */
export async function readInPlaces(
  subject: Subject,
  {
    places,
    path,
    seed,
    name,
    changes,
  }: {
    readonly places: Both<SidePlace>;
    readonly path: string;
    readonly seed: string;
    readonly name: string;
    readonly changes: Partial<Changes>;
  },
): Promise<ExperimentDraft> {
  const read = async (side: Side): ReturnType<typeof readUncontrolled> => {
    const place = places[side];
    return readUncontrolled('file' in subject ? subject.file : subject, {
      cwd: places.B.folder,
      searchPath: [place.environment['PATH'] ?? path, binFolders(place)].join(delimiter),
      defaultSeed: seed,
      place: { folder: place.folder, name },
      changes,
    });
  };
  const { A, B } = { A: await read('A'), B: await read('B') };
  const joined = joinDrafts({ A: A.draft, B: B.draft }, places);
  if (joined.benchmarks.some(({ containers }) => containers !== null)) {
    throw new UsageError('CONFLICT', 'a container does not see the files of a commit, and there are images', {
      hint: 'Build an image for each commit and compare these: deadheat run.',
    });
  }
  return B.control ? withControls(joined) : joined;
}

/** Where npm puts the programs of packages that are installed in a folder or, up to the root of the version, above it. */
function binFolders({ folder, root }: SidePlace): string {
  const folders: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    folders.push(join(at, 'node_modules', '.bin'));
    if (at === root || at === dirname(at)) return folders.join(delimiter);
  }
}

/** Variables with which programs of packages installed in `folder` are found first. */
export function withInstalledPrograms(folder: string, path: string): Readonly<Record<string, string>> {
  return { PATH: [join(folder, 'node_modules', '.bin'), path].join(delimiter) };
}

/** Where a side is executed and how it is called. */
export interface SidePlace {
  /** Absolute. */
  readonly folder: string;
  /** Root of its files, absolute; `folder` or a folder above it. */
  readonly root: string;
  /** The version, such as `main (1a2b3c4)`. */
  readonly label: string;
  /** Variables beside those of the benchmark. */
  readonly environment: Readonly<Record<string, string>>;
}

export type Both<Value> = Readonly<Record<Side, Value>>;

/**
 * One experiment of the same one described twice, each time for the tree of a side: side A is that of A's tree, side B that of
 * B's. What belongs to both, such as settings and parsers, is as in the tree of B. Sides that the user gave no name are called by
 * their versions.
 */
function joinDrafts(drafts: Both<ExperimentDraft>, places: Both<SidePlace>): ExperimentDraft {
  const benchmarks = drafts.B.benchmarks.map((benchmark, index) =>
    joinSides({ A: drafts.A.benchmarks[index] ?? benchmark, B: benchmark }, places),
  );
  return { ...drafts.B, benchmarks };
}

function joinSides(benchmarks: Both<Benchmark>, places: Both<SidePlace>): Benchmark {
  const pick = <Value>(value: (benchmark: Benchmark, side: Side) => Value): { A: Value; B: Value } => {
    const [A, B] = sides.map((side) => value(benchmarks[side], side));
    return { A: A as Value, B: B as Value };
  };
  return {
    ...benchmarks.B,
    commands: pick(({ commands }, side) => labelled(commands[side], places[side])),
    hooks: pick(({ hooks }, side) => hooks[side]),
    results: pick(({ results }, side) => results[side]),
    environment: pick(({ environment }, side) => ({ ...places[side].environment, ...environment[side] })),
    scratch: pick(({ scratch }, side) => scratch[side]),
    workingDirectory: pick(({ workingDirectory }, side) => workingDirectory[side] ?? places[side].folder),
  };
}

/** The command line holds the version, so that two of one command are not taken for a comparison of one with itself. */
function labelled(command: Command, { label }: SidePlace): Command {
  const isNamed = command.name !== command.commandLine;
  return { ...command, name: isNamed ? command.name : label, commandLine: `${command.commandLine}  # ${label}` };
}

/** Name of a version: `main (1a2b3c4)`, or the hash alone where it has no other name. */
export function labelOf({ label, commit }: Revision): string {
  return label === commit.short ? label : `${label} (${commit.short})`;
}

/** A commit for a reader: `1a2b3c4 Add the cache`. */
export function titleOf({ short, subject }: Commit): string {
  return subject === '' ? short : `${short} ${printable(subject)}`;
}

/** A version as a recording keeps it. */
export function commitRefOf({ label, commit: { id, committedAt, subject, author } }: Revision): CommitRef {
  const said = Object.entries({ subject, author }).filter(([, text]) => text !== '');
  return { id, label, committedAt, ...Object.fromEntries(said.map(([key, text]) => [key, text.slice(0, mostSaid)])) };
}

/** Characters of the subject and of the author that are kept. */
const mostSaid = 200;

/** Names that a user gives the commits of the sides. */
type NamedCommits = Readonly<Partial<Record<Side, string>>>;

/**
 * The commits that a user named: looked up in the repository of the working directory, with their times, where there is one that
 * knows them; else as they were typed.
 */
export async function findNamedCommits(typed: NamedCommits, cwd: string): Promise<Partial<Record<Side, CommitRef>>> {
  const named = sides.flatMap((side) => {
    const name = typed[side];
    return name === undefined ? [] : [{ side, name }];
  });
  if (named.length === 0) return {};
  const repository = await repositoryAt(cwd);
  const commits: Partial<Record<Side, CommitRef>> = {};
  for (const { side, name } of named) commits[side] = await readCommit(name, repository);
  return commits;
}

async function readCommit(name: string, repository: Repository | null): Promise<CommitRef> {
  const found = repository === null ? null : await findCommit(name, repository);
  if (repository === null || found === null) return { id: name, label: name, committedAt: null };
  // A branch or HEAD is another commit tomorrow: of all that is kept for years only a tag is a name of its commit.
  const tagged = await findCommit(`refs/tags/${name}`, repository);
  return commitRefOf({ label: tagged?.id === found.id ? name : found.short, commit: found });
}

async function repositoryAt(cwd: string): Promise<Repository | null> {
  try {
    return await openRepository(cwd, new AbortController().signal);
  } catch (error) {
    if (error instanceof DeadheatError) return null;
    throw error;
  }
}
