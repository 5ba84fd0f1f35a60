import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { explainQuietly } from '@deadheat/cli/kit';
import { type ExperimentDraft, obstacleHere } from '@deadheat/engine';
import { runFleet } from '@deadheat/fleet';
import { canaryProject } from '@deadheat/history';
import {
  type Benchmark,
  benchmarkDefaults,
  type CommitRef,
  DeadheatError,
  defaultSettings,
  type EngineEvent,
  experimentDefaults,
  type Method,
  type Side,
} from '@deadheat/model';
import { tool } from '@deadheat/recording';
import type { Commit, Repository } from '@deadheat/versions';
import { workloadCommand, type WorkloadName } from '@deadheat/workloads';
import {
  commitRefOf,
  ConfigError,
  drawSeed,
  type FinishedSession,
  type FleetRequest,
  noChanges,
  readInPlaces,
  runDraft,
  type SidePlace,
  titleOf,
  type VersionChoices,
  withVersions,
} from 'deadheat/internals';

/** Two commits of a branch, the earlier one as side A. */
export interface CommitPair {
  readonly base: Commit;
  readonly commit: Commit;
}

/** A commit that cannot be checked out or built, or whose programs do not run. */
export class CommitFailure extends Error {
  override readonly name = 'CommitFailure';
  readonly commit: string;
  readonly code: string;

  constructor(commit: Commit, why: { readonly code: string; readonly message: string }) {
    super(why.message, { cause: why });
    this.commit = commit.id;
    this.code = why.code;
  }
}

/** The measurement of commits. */
export interface MeasuringOptions extends VersionChoices {
  /** Absolute path of the file of the benchmarks; for a fleet its path in the repository, of which each commit has its own. */
  readonly file: string;
  readonly project: string;
  /** Folder of recordings. */
  readonly outbox: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onNotice: (text: string) => void;
  readonly onProgress: (event: EngineEvent) => void;
  /** `null` = here. */
  readonly fleet: FleetPlace | null;
  /** True if a commit that is slower or faster is explained by functions, in further runs. */
  readonly explains: boolean;
}

/** Workers that execute runs. */
export interface FleetPlace {
  readonly request: FleetRequest;
  /** From where workers fetch the commits. */
  readonly repository: string;
}

/** Failures of one commit that say nothing about the others. */
const ofOneCommit: ReadonlySet<string> = new Set([
  'SETUP_FAILED',
  'CHECKOUT_FAILED',
  'SUBMODULE_MISSING',
  'UNKNOWN_BENCH_PATH',
]);

/**
 * Builds two commits and measures the benchmarks of the file in them, as `deadheat git` does.
 *
 * @returns folder of the finished recording
 * @throws CommitFailure for what is wrong with one of the commits; DeadheatError `INTERRUPTED`; else as `checkOut` and `startExperiment`
 */
export async function measureCommit(
  pair: CommitPair,
  { repository, ...options }: MeasuringOptions & { readonly repository: Repository },
): Promise<string> {
  const { file, project, outbox, variables, signal, setup, bench, fresh, onNotice, onProgress, fleet } = options;
  const { base, commit } = pair;
  return withVersions(async (versions) => {
    const benchFiles = bench === null ? null : { from: bench.from === 'head' ? commit : base, paths: bench.paths };
    const placeOf = async (of: Commit): Promise<SidePlace> => {
      const ready = await versions
        .checkOut({
          revision: { commit: of, label: of.short },
          what: `${titleOf(of)},`,
          setup,
          benchFiles,
          repository,
          fresh,
          onSetup: () => onNotice(`${of.short}: ${setup ?? ''}`),
        })
        .catch((error: unknown) => {
          throw error instanceof DeadheatError && ofOneCommit.has(error.code) ? new CommitFailure(of, error) : error;
        });
      return { folder: ready.folder, root: ready.root, label: of.short, environment: {} };
    };
    const places = { A: await placeOf(base), B: await placeOf(commit) };
    const path = variables['PATH'] ?? '';
    const sources = { places, path, seed: drawSeed(), name: project, changes: noChanges };
    const draft = await readInPlaces({ file }, sources).catch((error: unknown) => {
      // Such a file says something of the commit: the file itself is checked with the newest one.
      throw error instanceof ConfigError && error.code === 'BAD_CONFIG' ? new CommitFailure(commit, error) : error;
    });
    const refOf = (of: Commit): CommitRef => commitRefOf({ commit: of, label: of.short });
    // Its name is the project in the history.
    const named = { ...draft, name: project, showOutput: false };
    const directory = join(outbox, `${commit.short}-${randomBytes(4).toString('hex')}`);
    const commits = { A: refOf(base), B: refOf(commit) };
    if (fleet === null) {
      const finished = await runDraft(named, { output: directory, commits, signal, onProgress }).settled;
      const measured = directoryOf(finished, pair);
      if (options.explains) {
        // What goes wrong here, but for an interruption, changes nothing about what was measured.
        await explainQuietly(finished, { variables, signal }).catch((error: unknown) => {
          if (signal.aborted || !(error instanceof DeadheatError)) throw error;
          onNotice(`${commit.short}: not explained: ${error.message}`);
        });
      }
      return measured;
    }
    const finished = await runFleet(fleet.request, {
      draft: named,
      directory,
      parent: outbox,
      commits,
      file,
      changes: noChanges,
      code: {
        kind: 'commit',
        repository: fleet.repository,
        commit: commit.id,
        base: base.id,
        file,
        setup: null,
        changes: { ...noChanges },
      },
      tool,
      variables,
      signal,
      onEvent: onProgress,
      onNotice,
    }).catch((error: unknown) => {
      // Only the worker reports an obstacle to a run: a file of the commit that it cannot use, or a commit that it cannot get.
      throw error instanceof DeadheatError && error.code === 'RUN_REFUSED' ? new CommitFailure(commit, error) : error;
    });
    return directoryOf(finished, pair);
  });
}

/** @throws CommitFailure for an experiment without a result; DeadheatError `INTERRUPTED` */
export function directoryOf({ outcome, report, directory }: FinishedSession, { base, commit }: CommitPair): string {
  const isWhole = report.comparisons.length > 0 && report.experiment.complete;
  switch (outcome.kind) {
    case 'done':
      return directory;
    case 'interrupted':
      throw new DeadheatError('INTERRUPTED', 'interrupted');
    case 'time-limit':
      if (isWhole) return directory;
      throw new CommitFailure(commit, { code: 'TIME_LIMIT', message: 'The time limit passed without a result.' });
    case 'failed': {
      // The comparisons of other benchmarks are a result.
      if (isWhole) return directory;
      const isOfBase = outcome.failures.every(({ side }: { readonly side: Side | null }) => side === 'A');
      const message = outcome.failures.map((failure) => failure.message).join('\n');
      throw new CommitFailure(isOfBase ? base : commit, { code: 'RUN_FAILED', message });
    }
  }
}

/**
 * Units of work an iteration: some 50 ms on a processor of 2020. They are the same on every machine and in every version, so that the
 * times of months and machines compare: integers show the frequency of the cores, memory shows what neighbours take of it.
 */
const amounts: Partial<Readonly<Record<WorkloadName, number>>> = { integer: 60_000, memory: 400 };
const runs = 15;
const iterations = 10;
/** A difference of a workload from itself beyond this is an alarm. */
const margin = 0.01;

/**
 * The canary of this host: artificial workloads of a fixed amount, each compared with itself. Every one is a series of its own for each
 * host. It takes about half a minute.
 */
export function canaryDraft(): ExperimentDraft {
  const method: Method = obstacleHere('tandem') === null ? 'tandem' : 'sequential';
  return {
    ...defaultSettings(method, 'harness'),
    ...experimentDefaults,
    confidence: 0.99,
    margin,
    stop: { kind: 'runs', runs },
    maxTimeNs: null,
    iterations,
    name: canaryProject,
    benchmarks: Object.entries(amounts).map(([workload, amount]): Benchmark => {
      const commandLine = `deadheat lab workload ${workload} --amount ${amount}`;
      const argv = [...workloadCommand({ workload: workload as WorkloadName, amount, iterations }, 'js')];
      const command = { name: commandLine, commandLine, argv, executedBy: 'direct' as const };
      return {
        ...benchmarkDefaults,
        name: workload,
        params: { host: hostname() },
        commands: { A: command, B: command },
        workload: 'harness',
      };
    }),
    cpus: null,
    seed: randomBytes(4).toString('hex'),
  };
}
