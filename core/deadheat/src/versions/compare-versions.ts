import { createHash, randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import type { ExperimentDraft } from '@deadheat/engine';
import {
  type CheckedOut,
  openRepository,
  type Repository,
  resolveRevisions,
  type Revision,
  Versions,
} from '@deadheat/versions';
import { type CommitRef, type Commits, type Layout, type Layouts, type Side, sides } from '@deadheat/model';
import type { Changes } from '../config/changes.ts';
import type { SideLayer } from '../config/deadheat-file.ts';
import type { TypedLayer } from '../settings/layer-of-flags.ts';
import { UsageError } from '../errors/usage-error.ts';
import {
  type Both,
  commitRefOf,
  labelOf,
  readInPlaces,
  type SidePlace,
  type Subject,
  titleOf,
  withInstalledPrograms,
} from './sides.ts';

/** Options of preparing a commit. */
export interface VersionChoices {
  /** Shell command; `null` = nothing is to be made. */
  readonly setup: string | null;
  /** Files of the benchmark that both sides take from one commit; `null` = each side has its own. */
  readonly bench: { readonly from: 'head' | 'base'; readonly paths: readonly string[] } | null;
  /** True if the setup is carried out although that was done before. */
  readonly fresh: boolean;
}

/** Two commits of the repository around the current folder, and what is run in both. */
export interface RevisionsComparison extends VersionChoices {
  readonly revisions: Parameters<typeof resolveRevisions>[0];
  readonly subject: Subject;
  readonly changes: Changes;
  /** Builds of each side with a layout of their own; `null` = one build, as it comes. */
  readonly layouts: number | null;
}

/** Two versions of a package, and what is run with both. */
export interface PackagesComparison {
  /** Package specifiers in the form that npm takes. */
  readonly specs: Both<string>;
  readonly fresh: boolean;
  readonly subject: Subject;
  readonly changes: Changes;
}

/** Tools of the preparation of versions. */
export interface Preparation {
  readonly versions: Versions;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Called with a line for each step of the preparation. */
  readonly onNotice: (text: string) => void;
}

/** An experiment of two versions that are ready, and what its sides are. */
export interface VersionsDraft {
  readonly draft: ExperimentDraft;
  readonly commits: Commits;
  /** Reads it once more, in the same folders, with more options as if they had been typed, and other commands in place of those typed. */
  readonly read: (more: TypedLayer, rewrite?: (commandLine: string) => string) => Promise<ExperimentDraft>;
}

/** Lends folders of versions to `work`; what others left behind is removed first, and what was lent given back in the end. */
export async function withVersions<Result>(work: (versions: Versions) => Promise<Result>): Promise<Result> {
  const versions = new Versions();
  try {
    await versions.sweep();
    return await work(versions);
  } finally {
    await versions.releaseAll();
  }
}

/**
 * Makes two commits ready, each in a folder of its own, and resolves what is run in them.
 *
 * @throws DeadheatError without a repository or such a commit, and for a setup that fails; UsageError, ConfigError and CommandError for what
 *   cannot be run there
 */
export async function draftOfRevisions(
  comparison: RevisionsComparison,
  preparation: Preparation,
): Promise<VersionsDraft> {
  const { subject, changes } = comparison;
  const { variables, signal } = preparation;
  if (comparison.layouts !== null && comparison.setup === null && !('file' in subject)) throw nothingBuilt();
  const repository = await openRepository(process.cwd(), signal);
  const seed = String(changes.typed.seed ?? randomBytes(4).toString('hex'));
  const { places, commits, layouts } = await prepareSides(comparison, { ...preparation, repository, seed });
  const name = basename(repository.root);
  const path = variables['PATH'] ?? '';
  const { read } = await readTwice(subject, { places, path, seed, name, changes });
  const withLayouts: VersionsDraft['read'] = async (...more) =>
    spreadOver(await read(...more), { layouts, isBuiltBefore: comparison.setup !== null });
  return { draft: await withLayouts({}), read: withLayouts, commits };
}

function nothingBuilt(): UsageError {
  return new UsageError('CONFLICT', 'several layouts were asked for, and nothing says how a side is built', {
    hint: "Name the command, such as --build 'make', or build: in deadheat.yaml.",
  });
}

/** An experiment whose runs are spread over builds, each of which has a block of two runs at least. */
function spreadOver(
  draft: ExperimentDraft,
  { layouts, isBuiltBefore }: { readonly layouts: Layouts | null; readonly isBuiltBefore: boolean },
): ExperimentDraft {
  if (layouts === null) return draft;
  const isBuilt =
    isBuiltBefore || draft.benchmarks.every(({ hooks }) => sides.every((side) => hooks[side].build !== null));
  if (!isBuilt) throw nothingBuilt();
  return {
    ...draft,
    leastRuns: Math.max(draft.leastRuns, 2 * layouts.A.length),
    benchmarks: draft.benchmarks.map((benchmark) => ({ ...benchmark, layouts })),
  };
}

/**
 * Installs two versions of a package, each in a copy of the current folder, and resolves the command that uses them.
 *
 * @throws DeadheatError for what cannot be installed
 */
export async function draftOfPackages(
  { specs, fresh, subject, changes }: PackagesComparison,
  { versions, variables, signal, onNotice }: Preparation,
): Promise<VersionsDraft> {
  const path = variables['PATH'] ?? '';
  const place = async (side: Side): Promise<SidePlace> => {
    const spec = specs[side];
    const { folder, label, wasReady } = await versions.install({
      spec,
      what: side,
      cwd: process.cwd(),
      signal,
      fresh,
      onInstall: () => onNotice(`${side}: npm install ${spec}`),
    });
    onNotice(`${side} = ${label}${wasReady ? ', installed before' : ''}`);
    return { folder, root: folder, label, environment: withInstalledPrograms(folder, path) };
  };
  const places = { A: await place('A'), B: await place('B') };
  const packageRef = ({ label }: SidePlace): CommitRef => ({ id: label, label, committedAt: null });
  const seed = randomBytes(4).toString('hex');
  const commits = { A: packageRef(places.A), B: packageRef(places.B) };
  return { ...(await readTwice(subject, { places, path, seed, name: '', changes })), commits };
}

async function readTwice(
  subject: Subject,
  { changes, ...sources }: Omit<Parameters<typeof readInPlaces>[1], 'changes'> & { readonly changes: Changes },
): Promise<Pick<VersionsDraft, 'draft' | 'read'>> {
  const read: VersionsDraft['read'] = async (more, rewrite) =>
    readInPlaces('file' in subject || rewrite === undefined ? subject : rewritten(subject, rewrite), {
      ...sources,
      changes: { ...changes, typed: { ...changes.typed, ...more } },
    });
  return { draft: await read({}), read };
}

/** Typed commands with other command lines. */
export function rewritten<Described extends { readonly commands: readonly SideLayer[] }>(
  subject: Described,
  rewrite: (commandLine: string) => string,
): Described {
  const commands = subject.commands.map(({ command, ...side }) => ({
    ...side,
    ...(command === undefined ? {} : { command: rewrite(command) }),
  }));
  return { ...subject, commands };
}

async function prepareSides(
  { revisions: request, setup, bench, fresh, layouts: number }: RevisionsComparison,
  { versions, repository, onNotice, seed }: Preparation & { readonly repository: Repository; readonly seed: string },
): Promise<{ readonly places: Both<SidePlace>; readonly commits: Commits; readonly layouts: Layouts | null }> {
  const { base, head } = await resolveRevisions(request, repository);
  const isSame = base.commit.id === head.commit.id;
  const revisions: Both<Revision> = { A: isSame ? head : base, B: head };
  for (const side of sides) onNotice(`${side} = ${describe(revisions[side])}`);
  if (isSame) onNotice('both sides are the same commit, so the result shows which slowdown this machine can detect');
  const benchFiles = bench === null ? null : { from: (bench.from === 'head' ? head : base).commit, paths: bench.paths };
  const checkOut = async (side: Side, layout: number): Promise<CheckedOut> => {
    const named = number === null ? side : `${side}, layout ${layout + 1} of ${number}`;
    const ready = await versions.checkOut({
      revision: revisions[side],
      what: `${named}, ${describe(revisions[side])},`,
      setup,
      benchFiles,
      repository,
      fresh,
      ...(number === null ? {} : { layout: layoutSeed(seed, side, layout) }),
      onSetup: () => onNotice(`${named}: ${setup ?? ''}`),
    });
    if (ready.wasReady && setup !== null) onNotice(`${named}: uses the kept build`);
    const packages = aboutPackages[ready.packages];
    if (packages !== null && layout === 0) onNotice(`${side}: ${packages}`);
    return ready;
  };
  const layouts: Record<Side, Layout[]> = { A: [], B: [] };
  const place = async (side: Side): Promise<SidePlace> => {
    const first = await checkOut(side, 0);
    if (first.layout !== undefined) layouts[side].push(first.layout);
    for (let layout = 1; layout < (number ?? 1); layout++) {
      const { layout: found } = await checkOut(side, layout);
      if (found !== undefined) layouts[side].push(found);
    }
    const { folder, root } = first;
    return { folder, root, label: labelOf(revisions[side]), environment: {} };
  };
  return {
    places: { A: await place('A'), B: await place('B') },
    layouts: number === null ? null : layouts,
    commits: { A: commitRefOf(revisions.A), B: commitRefOf(revisions.B) },
  };
}

/** Seeds of builds come from that of the experiment: with another one, other layouts are drawn. */
function layoutSeed(seed: string, side: Side, layout: number): string {
  return createHash('sha256').update(`${seed}/layout/${side}/${layout}`).digest('hex').slice(0, 8);
}

const aboutPackages = {
  own: null,
  lent: 'uses the node_modules of the working tree, as it asks for the same packages',
  different: "has no node_modules, as it asks for other packages than the working tree; --build 'npm ci' installs them",
  workspaces:
    "has no node_modules, as those of the working tree hold its own workspaces; --build 'npm ci' installs them",
} as const;

/** `main, 1a2b3c4 Add the cache`. */
function describe({ label, commit }: Revision): string {
  return label === commit.short ? titleOf(commit) : `${label}, ${titleOf(commit)}`;
}
