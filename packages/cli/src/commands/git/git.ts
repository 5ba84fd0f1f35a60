import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import {
  openRepository,
  resolveRevisions,
  startExperiment,
  Versions,
  type ExperimentDraft,
  type ReadyVersion,
  type Repository,
  type Revision,
  type RevisionRequest,
} from '@deadheat/engine';
import { sides, type Commits, type FamilyCorrection, type Side } from '@deadheat/model';
import type { CompareInvocation, OutputChoices } from '../../arguments/invocation.ts';
import { narrowDraft, readUncontrolled, withControls } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import { tool } from '../../version.ts';
import { draftInFolder } from '../../versions/draft-in-folder.ts';
import { joinDrafts, type SidePlace } from '../../versions/join-drafts.ts';
import { commitRefOf, labelOf, titleOf } from '../../versions/label-of.ts';
import { createTeller } from '../../terminal/teller.ts';
import type { VersionChoices } from '../../versions/version-choices.ts';
import { checkExports } from '../../experiment/finish.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import { runWithProgress } from '../../experiment/run-with-progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** What is run in both versions: a typed command, or what a file describes. */
export type RevisionsSubject =
  | { readonly kind: 'command'; readonly invocation: CompareInvocation }
  | (OutputChoices & {
      readonly kind: 'file';
      readonly output: string | null;
      /** Names of benchmarks, `*` standing for any text; empty = all. */
      readonly filter: readonly string[];
      readonly seed: string | null;
      readonly maxTimeNs: number | null;
      readonly showOutput: boolean;
      readonly control: boolean;
      readonly correction: FamilyCorrection | null;
    });

export interface RevisionsComparison extends VersionChoices {
  readonly revisions: RevisionRequest;
  readonly subject: RevisionsSubject;
}

type FileSubject = Extract<RevisionsSubject, { kind: 'file' }>;
type Both<Value> = Readonly<Record<Side, Value>>;

const configFiles = ['deadheat.yaml', 'deadheat.yml'];

/** `deadheat git`. Returns the exit code. */
export async function compareRevisions(comparison: RevisionsComparison, terminal: Terminal): Promise<number> {
  const { subject } = comparison;
  const choices = subject.kind === 'command' ? subject.invocation : subject;
  const { output, showOutput } = choices;
  checkExports(choices.exports);
  const file = subject.kind === 'file' ? findConfigFile() : null;
  const versions = new Versions();
  return withInterruption(async (signal) => {
    try {
      await versions.sweep();
      const repository = await openRepository(process.cwd(), signal);
      const { places, commits } = await prepareSides(comparison, {
        versions,
        repository,
        tell: createTeller(choices, terminal),
      });
      const seed = randomBytes(4).toString('hex');
      const path = terminal.env['PATH'] ?? '';
      const draft =
        subject.kind === 'command'
          ? joinCommands(subject.invocation, { places, path, seed })
          : joinFiles(subject, { file: file ?? '', places, path, seed, name: basename(repository.root) });
      return await runWithProgress(
        (control) => startExperiment({ ...control, draft, directory: output, parent: '.deadheat', tool, commits }),
        { choices, terminal, showOutput: draft.showOutput || showOutput },
      );
    } finally {
      await versions.releaseAll();
    }
  });
}

interface Preparation {
  readonly versions: Versions;
  readonly repository: Repository;
  readonly tell: (text: string) => void;
}

async function prepareSides(
  { revisions: request, setup, bench, fresh }: RevisionsComparison,
  { versions, repository, tell }: Preparation,
): Promise<{ readonly places: Both<SidePlace>; readonly commits: Commits }> {
  const { base, head } = await resolveRevisions(request, repository);
  const isSame = base.commit.id === head.commit.id;
  const revisions: Both<Revision> = { A: isSame ? head : base, B: head };
  for (const side of sides) tell(`${side} = ${describe(revisions[side])}`);
  if (isSame) tell('both sides are the same commit, so this shows what can be seen here');
  const benchFiles = bench === null ? null : { from: (bench.from === 'head' ? head : base).commit, paths: bench.paths };
  const checkOut = async (side: Side): Promise<ReadyVersion> => {
    const ready = await versions.checkOut({
      revision: revisions[side],
      what: `${side}, ${describe(revisions[side])},`,
      setup,
      benchFiles,
      repository,
      fresh,
      onSetup: () => tell(`${side}: ${setup ?? ''}`),
    });
    if (ready.wasReady && setup !== null) tell(`${side}: was built before`);
    return ready;
  };
  const place = async (side: Side): Promise<SidePlace> => {
    const { folder } = await checkOut(side);
    return { folder, label: labelOf(revisions[side]), environment: {} };
  };
  return {
    places: { A: await place('A'), B: await place('B') },
    commits: { A: commitRefOf(revisions.A), B: commitRefOf(revisions.B) },
  };
}

/** `main, 1a2b3c4 Add the cache`. */
function describe({ label, commit }: Revision): string {
  return label === commit.short ? titleOf(commit) : `${label}, ${titleOf(commit)}`;
}

interface Placed {
  readonly places: Both<SidePlace>;
  readonly path: string;
  readonly seed: string;
}

function joinCommands(invocation: CompareInvocation, { places, path, seed }: Placed): ExperimentDraft {
  const draft = (side: Side): ExperimentDraft => draftInFolder(invocation, { place: places[side], path, seed });
  const joined = joinDrafts({ A: draft('A'), B: draft('B') }, places);
  return invocation.control ? withControls(joined) : joined;
}

/** The file of side B, read once for each tree. */
function joinFiles(
  { filter, seed, maxTimeNs, showOutput, control, correction }: FileSubject,
  placed: Placed & { readonly file: string; readonly name: string },
): ExperimentDraft {
  const { places, path: searchPath, file, name } = placed;
  const read = (side: Side): ReturnType<typeof readUncontrolled> =>
    readUncontrolled(file, {
      cwd: places.B.folder,
      searchPath,
      defaultSeed: placed.seed,
      place: { folder: places[side].folder, name },
    });
  const { A, B } = { A: read('A'), B: read('B') };
  const joined = joinDrafts({ A: A.draft, B: B.draft }, places);
  if (joined.benchmarks.some(({ containers }) => containers !== null)) {
    throw new UsageError('CONFLICT', `${file} has images, and a container does not see the files of a commit`, {
      hint: 'Build an image for each commit and compare these: deadheat run.',
    });
  }
  const common = { filter, methods: [], engine: null };
  return narrowDraft(joined, { ...common, seed, maxTimeNs, showOutput, control: control || B.control, correction });
}

/** Looked for before anything is built. */
function findConfigFile(): string {
  const found = configFiles.find((name) => existsSync(name));
  if (found !== undefined) return found;
  throw new UsageError(
    'MISSING_COMMAND',
    `git needs a command, and there is no ${configFiles[0]} here that names one`,
    {
      hint: 'Put the command behind --: deadheat git main -- node bench.js.',
    },
  );
}
