import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type ExperimentDraft,
  openRepository,
  readRange,
  type ReadyVersion,
  type Repository,
  resolveRevisions,
  type Revision,
  startExperiment,
  Versions,
} from '@deadheat/engine';
import { type Commits, type FamilyCorrection, type Side, sides } from '@deadheat/model';
import type { Command } from 'commander';
import { narrowDraft, readUncontrolled, withControls } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import { addCompareOptionsBut } from '../arguments/compare-options.ts';
import { addFilterOption } from '../arguments/filter-option.ts';
import { flagOf } from '../arguments/flag-of.ts';
import { splitCommandWords } from '../arguments/fold-command-words.ts';
import type { CompareInvocation, OutputChoices } from '../arguments/invocation.ts';
import { outputKeys } from '../arguments/output-keys.ts';
import { readOutputChoices } from '../arguments/output-options.ts';
import { probeFile } from '../arguments/probe-file.ts';
import type { RawCompareOptions } from '../arguments/raw-options.ts';
import { toCompareInvocation } from '../arguments/to-compare-invocation.ts';
import { runWithProgress } from '../experiment/run-with-progress.ts';
import { withInterruption } from '../terminal/interruption.ts';
import { checkExports } from '../experiment/finish.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { createTeller } from '../terminal/output.ts';
import { tool } from '../version.ts';
import {
  addVersionOptions,
  type RawVersionOptions,
  readVersionChoices,
  splitVersionOptions,
  type VersionChoices,
} from '../versions/options.ts';
import { commitRefOf, draftInFolder, joinDrafts, labelOf, type SidePlace, titleOf } from '../versions/sides.ts';
import type { SubcommandContext } from './subcommand.ts';

type RawGitOptions = RawVersionOptions &
  Omit<RawCompareOptions, 'setup' | 'resume'> & { readonly exact?: true; readonly filter?: readonly string[] };

/** What counts beside a file, which says everything else. */
const besideFile: ReadonlySet<string> = new Set<keyof RawCompareOptions>([
  'seed',
  'maxTime',
  'control',
  'correction',
  'showOutput',
  'output',
  ...outputKeys,
]);

/** `deadheat git`: two commits, or the working tree and the commit it came from. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('git')
    .description(
      'Compares two commits of a git repository. Each commit is checked out into a separate folder and built there, and the command runs in both folders. The working tree is not changed. Without HEAD, B is the working tree, including uncommitted changes and new files. A is the last common ancestor of BASE and HEAD. Without BASE, A is the commit at which your branch left the default branch; on the default branch itself it is the previous commit. Without a command, deadheat.yaml describes the benchmarks. More: docs/git.md.',
    )
    .usage('[options] [BASE[..HEAD]] [-- COMMAND]')
    .argument('[words...]')
    .action((words: readonly string[], raw: RawGitOptions) => {
      const { before, commandLine } = splitCommandWords(words);
      if (before.length > 1) {
        throw new UsageError('TOO_MANY_ARGUMENTS', `git compares one range of commits, not ${before.join(' ')}`, {
          hint: 'Put the command behind --: deadheat git BASE..HEAD -- COMMAND.',
        });
      }
      const { exact, filter = [], ...others } = raw;
      const { version, compare } = splitVersionOptions(others);
      const revisions = { ...readRange(before[0] ?? null), exact: exact === true };
      if (commandLine !== null && filter.length > 0) {
        throw new UsageError(
          'CONFLICT',
          '--filter chooses among the benchmarks of deadheat.yaml, and there is a command',
          {
            hint: 'Leave one of them out.',
          },
        );
      }
      const subject =
        commandLine === null ? readFileSubject(compare, filter) : readCommandSubject(commandLine, compare);
      const comparison = { ...readVersionChoices(version), revisions, subject };
      choose((terminal) => compareRevisions(comparison, terminal));
    });
  command.optionsGroup('Which versions:');
  addVersionOptions(command, { base: 'side A', head: 'side B' });
  command.option('--exact', 'A is the commit BASE itself, not the last common ancestor of BASE and HEAD');
  addFilterOption(command);
  addCompareOptionsBut(command, ['setup', 'resume']);
  return command.addHelpText('after', examples);
}

function readCommandSubject(commandLine: string, raw: RawCompareOptions): RevisionsSubject {
  return { kind: 'command', invocation: toCompareInvocation([commandLine, commandLine], raw, { probeFile }) };
}

function readFileSubject(raw: RawCompareOptions, filter: readonly string[]): RevisionsSubject {
  const idle = Object.keys(raw).find((key) => !besideFile.has(key));
  if (idle !== undefined) {
    throw new UsageError(
      'CONFLICT',
      `${flagOf(idle)} needs a command behind --: without one deadheat.yaml says how to measure`,
      {
        hint: 'Add -- COMMAND, or say it in the file (docs/configuration.md).',
      },
    );
  }
  const { output = null, seed = null, maxTime = null, showOutput = false, control = false, correction = null } = raw;
  if (maxTime === 'none') {
    throw new UsageError(
      'BAD_VALUE',
      '--max-time none: without a command deadheat.yaml says how long a benchmark takes',
      {
        hint: 'Write max-time: none into the file.',
      },
    );
  }
  const narrowing = { filter, seed, maxTimeNs: maxTime, control, correction };
  return { kind: 'file', ...readOutputChoices(raw), ...narrowing, output, showOutput };
}

const examples = `
Examples:
  deadheat git --setup 'npm ci' -- node bench.js
      did my changes, committed or not, make the benchmark slower?
  deadheat git main..topic --quick --margin 1% --fail-on slower -- ./run-bench
      for continuous integration: exit code 1 if topic is slower than the commit
      at which it left main
  deadheat git v1.0..v2.0 --exact --bench-path bench -- node bench/sort.js
      compare two releases, both with the benchmark of the newer one
  deadheat git main
      compare the benchmarks that deadheat.yaml describes

The exit codes are those of comparisons (deadheat --help). The exit code is also
4 if a side cannot be built, and 2 if the repository or a commit does not exist.
`;

/** What is run in both versions: a typed command, or what a file describes. */
type RevisionsSubject =
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

interface RevisionsComparison extends VersionChoices {
  readonly revisions: Parameters<typeof resolveRevisions>[0];
  readonly subject: RevisionsSubject;
}

type FileSubject = Extract<RevisionsSubject, { kind: 'file' }>;
type Both<Value> = Readonly<Record<Side, Value>>;

const configFiles = ['deadheat.yaml', 'deadheat.yml'];

/** `deadheat git`. Returns the exit code. */
async function compareRevisions(comparison: RevisionsComparison, terminal: Terminal): Promise<number> {
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
