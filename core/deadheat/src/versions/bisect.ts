import { randomBytes } from 'node:crypto';
import { Bisection, type BisectionOutcome, halfOfSlowdown, judgeVersion, runsForAnyStep } from '@deadheat/analysis';
import { type SessionResult, startExperiment } from '@deadheat/engine';
import { type Commit, commitsBetween, openRepository, type ReadyVersion, type Repository } from '@deadheat/versions';
import {
  type ChosenMethod,
  type CommitRef,
  type Comparison,
  configOf,
  DeadheatError,
  type EngineEvent,
  type Experiment,
  type ExperimentConfig,
  type Interval,
  type Method,
} from '@deadheat/model';
import { countOf, formatShare, formatStretch } from '@deadheat/report';
import { tool } from '@deadheat/recording';
import type { Changes } from '../config/changes.ts';
import { type Preparation, type VersionChoices } from './compare-versions.ts';
import { commitRefOf, readInPlaces, type SidePlace, type Subject, titleOf } from './sides.ts';

/** A search for the commit that made a program slower. */
export interface BisectRequest extends VersionChoices {
  readonly good: string;
  readonly bad: string;
  readonly subject: Subject;
  /** Its level and margin are replaced in every step. */
  readonly changes: Changes;
  /** Confidence of the whole search. */
  readonly confidence: number;
  /** `null` = half of BAD's slowdown. */
  readonly margin: number | null;
}

/** Options of a search. */
export interface BisectOptions extends Preparation {
  /** Called after every step, the first being 1. */
  readonly onStep: (step: BisectStep, number: number) => void;
  /** Called before the runs of a step; `handle` of its result receives their events, `close` is called at their end. */
  readonly follow: () => { readonly handle: (event: EngineEvent) => void; readonly close: () => void };
  /**
   * Called with the measurement of each bad commit; that of the first bad one is the last. The folders of GOOD and of the last one stay until
   * `versions` gives all back. Absent = none is kept.
   */
  readonly onSlow?: (measured: SessionResult) => void;
}

/** Result for one commit. */
export interface BisectStep {
  readonly commit: Commit;
  readonly outcome: BisectionOutcome;
  /** Ratio of its time to GOOD's, with the interval that holds at every interim analysis; `null` when it was not measured. */
  readonly interval: Interval | null;
  readonly runs: number | null;
  /** Folder of the recording; `null` when there is none. */
  readonly recording: string | null;
  /** Why it was skipped or stayed undecided; else `null`. */
  readonly reason: string | null;
}

/** The result of a search, as `--export json:FILE` writes it. */
export interface BisectResult {
  readonly schema: 'deadheat.bisect/1';
  readonly seed: string;
  /** By which every step was measured, and why where pilot runs of the first chose it; `null` = nothing was measured. */
  readonly method: { readonly name: Method; readonly reason: string | null } | null;
  readonly good: Commit;
  readonly bad: Commit;
  /** Commits from the first after GOOD to BAD. */
  readonly commits: number;
  /** True if BAD is slower than GOOD. */
  readonly verdict: 'slower' | 'not-slower' | 'undecided';
  /** Slowdown against GOOD beyond which a commit is bad. */
  readonly threshold: number;
  /** The first bad commit is one of these, in order; empty unless BAD is slower. */
  readonly suspects: readonly Commit[];
  /** Last commit that is good; that before the suspects. */
  readonly lastGood: Commit | null;
  /** At least so probable it is that no step was wrong. */
  readonly confidence: number;
  readonly steps: readonly BisectStep[];
  /** Why the search ended before it had tried every commit that might have helped, and what to change; absent = it did not. */
  readonly stopped?: string;
}

function bisectResult(facts: {
  readonly range: { readonly good: Commit; readonly commits: readonly Commit[] };
  readonly bisection: Pick<Bisection, 'interval' | 'confidence'>;
  readonly steps: readonly BisectStep[];
  readonly threshold: number;
  readonly method: BisectResult['method'];
  readonly seed: string;
  readonly stopped: string | null;
}): BisectResult {
  const { range, bisection, steps, threshold, method, seed, stopped } = facts;
  const { good, commits } = range;
  const { interval, confidence } = bisection;
  const first = steps[0]?.outcome;
  return {
    schema: 'deadheat.bisect/1',
    seed,
    method,
    good,
    bad: commits.at(-1) ?? good,
    commits: commits.length,
    verdict: interval !== null ? 'slower' : first === 'good' ? 'not-slower' : 'undecided',
    threshold,
    suspects: interval === null ? [] : commits.slice(interval.good + 1, interval.bad + 1),
    lastGood: interval === null ? null : (commits[interval.good] ?? good),
    confidence,
    steps,
    ...(stopped === null ? {} : { stopped }),
  };
}

/**
 * Finds the commit that made a program slower, by binary search between a fast commit and a later slow one of the repository around the
 * current folder. Each step compares one commit with the fast one and ends as soon as its verdict is certain.
 *
 * @throws DeadheatError where one of both cannot be built or does not run, and `INTERRUPTED`; UsageError for commits that do not exist
 */
export async function bisect(request: BisectRequest, options: BisectOptions): Promise<BisectResult> {
  const repository = await openRepository(process.cwd(), options.signal);
  return new Search(request, { ...options, repository }).run();
}

/** Failures of one commit that say nothing about the others. */
const ofOneCommit: ReadonlySet<string> = new Set(['SETUP_FAILED', 'CHECKOUT_FAILED', 'SUBMODULE_MISSING']);

interface Surroundings extends BisectOptions {
  readonly repository: Repository;
}

interface Found {
  readonly outcome: BisectionOutcome;
  readonly step: Omit<BisectStep, 'commit' | 'outcome'>;
  /** Why no other step would be decided either; `null` = one may be. */
  readonly hopeless: string | null;
}

const unmeasured = { interval: null, runs: null, recording: null } as const;

class Search {
  readonly #request: BisectRequest;
  readonly #surroundings: Surroundings;
  readonly #seed: string;
  /** Method that pilot runs chose in the first step: ratios of two methods are not to be held against one threshold. */
  #chosen: ChosenMethod | null = null;
  #used: BisectResult['method'] = null;
  /** The last bad commit, where it is kept. */
  #slow: ReadyVersion | null = null;

  constructor(request: BisectRequest, surroundings: Surroundings) {
    this.#request = request;
    this.#surroundings = surroundings;
    this.#seed = String(request.changes.typed.seed ?? randomBytes(4).toString('hex'));
  }

  async run(): Promise<BisectResult> {
    const { confidence, margin } = this.#request;
    const { repository, versions, onNotice, onStep, onSlow } = this.#surroundings;
    const range = await commitsBetween(this.#request, repository);
    const { good, commits } = range;
    onNotice(
      `GOOD = ${titleOf(good)}, BAD = ${titleOf(commits.at(-1) ?? good)}, ${countOf(commits.length, 'commit')} to choose from`,
    );
    const benchFiles = this.#benchFiles(range);
    const baseline = await this.#checkOut(good, { what: `GOOD, ${titleOf(good)},`, benchFiles });
    const bisection = new Bisection({ versions: commits.length, confidence });
    const steps: BisectStep[] = [];
    let threshold = margin;
    let whole: number | null = null;
    let stopped: string | null = null;
    for (let next = bisection.next(); next !== null && stopped === null; next = bisection.next()) {
      const commit = commits[next.version] ?? good;
      const isBad = next.version === commits.length - 1;
      const { outcome, step, hopeless } = await this.#step(commit, {
        isBad,
        whole,
        baseline,
        good,
        benchFiles,
        confidence: next.confidence,
        margin: threshold,
      });
      bisection.record(outcome);
      if (isBad && step.interval !== null) threshold ??= halfOfSlowdown(step.interval.estimate);
      if (isBad) whole = step.interval?.estimate ?? null;
      const found = { commit, outcome, ...step };
      steps.push(found);
      onStep(found, steps.length);
      stopped = hopeless;
    }
    if (onSlow === undefined) await versions.release(baseline);
    return bisectResult({
      range,
      bisection,
      steps,
      threshold: threshold ?? 0,
      method: this.#used,
      seed: this.#seed,
      stopped,
    });
  }

  #benchFiles({ good, commits }: Awaited<ReturnType<typeof commitsBetween>>): BenchFilesOf {
    const { bench } = this.#request;
    if (bench === null) return null;
    return { from: bench.from === 'head' ? (commits.at(-1) ?? good) : good, paths: bench.paths };
  }

  async #checkOut(
    commit: Commit,
    { what, benchFiles }: { readonly what: string; readonly benchFiles: BenchFilesOf },
  ): Promise<ReadyVersion> {
    const { versions, repository, onNotice } = this.#surroundings;
    const { setup, fresh } = this.#request;
    return versions.checkOut({
      revision: { commit, label: commit.short },
      what,
      setup,
      benchFiles,
      repository,
      fresh,
      onSetup: () => onNotice(`${commit.short}: ${setup ?? ''}`),
    });
  }

  /** Result for a commit. @throws the failure of BAD itself */
  async #step(commit: Commit, facts: StepFacts): Promise<Found> {
    const { isBad, benchFiles } = facts;
    const { versions, onSlow } = this.#surroundings;
    const what = `${isBad ? 'BAD, ' : ''}${titleOf(commit)},`;
    let candidate: ReadyVersion;
    try {
      candidate = await this.#checkOut(commit, { what, benchFiles });
    } catch (error) {
      if (isBad || !(error instanceof DeadheatError) || !ofOneCommit.has(error.code)) throw error;
      return { outcome: 'skipped', hopeless: null, step: { ...unmeasured, reason: error.message } };
    }
    try {
      const measured = await this.#measure(commit, { ...facts, candidate });
      const found = this.#judge(measured, facts);
      if (found.outcome === 'bad' && onSlow !== undefined) {
        if (this.#slow !== null) await versions.release(this.#slow);
        this.#slow = candidate;
        onSlow(measured);
      }
      return found;
    } finally {
      if (candidate !== this.#slow) await versions.release(candidate);
    }
  }

  #judge({ report, outcome, directory, experiment }: SessionResult, { isBad, margin, whole }: StepFacts): Found {
    if (outcome.kind === 'interrupted') throw new DeadheatError('INTERRUPTED', 'interrupted');
    if (outcome.kind === 'failed') {
      const message = outcome.failures.map((failure) => failure.message).join('\n');
      if (isBad || outcome.failures.some(({ side }) => side === 'A'))
        throw new DeadheatError('COMMAND_FAILED', message);
      return { outcome: 'skipped', hopeless: null, step: { ...unmeasured, recording: directory, reason: message } };
    }
    const [comparison] = report.comparisons;
    if (comparison === undefined || comparison.interim === null) {
      const reason = 'too few runs within the time limit (--max-time)';
      return { outcome: 'undecided', hopeless: null, step: { ...unmeasured, recording: directory, reason } };
    }
    const { runs, interval } = comparison;
    const threshold = margin ?? 0;
    const found = judgeVersion(interval, threshold);
    const needed = found === 'undecided' ? runsForAnyStep({ interval, runs, threshold, whole }) : null;
    return {
      outcome: found,
      hopeless:
        needed === null
          ? null
          : adviceAfter(comparison, { needed, confidence: interval.level, config: experiment.config }),
      step: {
        interval,
        runs,
        recording: directory,
        reason: found === 'undecided' ? 'not decided within the time limit (--max-time) or the most runs' : null,
      },
    };
  }

  async #measure(commit: Commit, facts: StepFacts & { readonly candidate: ReadyVersion }): Promise<SessionResult> {
    const { signal, variables, follow } = this.#surroundings;
    const { good, baseline, candidate, confidence, margin } = facts;
    const { subject, changes } = this.#request;
    const seed = `${this.#seed} ${commit.id}`;
    const place = ({ folder, root }: ReadyVersion, label: string): SidePlace => ({
      folder,
      root,
      label,
      environment: {},
    });
    const joined = await readInPlaces(subject, {
      places: { A: place(baseline, good.short), B: place(candidate, commit.short) },
      path: variables['PATH'] ?? '',
      seed,
      name: '',
      changes: { ...changes, typed: { ...changes.typed, seed, confidence, margin: margin ?? smallestSlowdown } },
    });
    const draft = {
      ...joined,
      benchmarks: joined.benchmarks.map((benchmark) => ({ ...benchmark, chosen: this.#chosen })),
      name: `bisect-${commit.short}`,
    };
    const progress = follow();
    try {
      const onEvent = progress.handle;
      const refOf = (of: Commit): CommitRef => commitRefOf({ commit: of, label: of.short });
      const commits = { A: refOf(good), B: refOf(commit) };
      const recording = { directory: null, parent: '.deadheat' } as const;
      const result = await startExperiment({ signal, onEvent, draft, ...recording, tool, commits });
      this.#keepMethod(result.experiment);
      return result;
    } finally {
      progress.close();
    }
  }

  #keepMethod({ config }: Experiment): void {
    const [benchmark] = config.benchmarks;
    if (benchmark === undefined) return;
    this.#chosen ??= benchmark.chosen;
    this.#used ??= { name: configOf(config, benchmark).method, reason: benchmark.chosen?.reason ?? null };
  }
}

type BenchFilesOf = { readonly from: Commit; readonly paths: readonly string[] } | null;

interface StepFacts {
  readonly isBad: boolean;
  /** Ratio of BAD to GOOD, once it is known. */
  readonly whole: number | null;
  readonly good: Commit;
  readonly baseline: ReadyVersion;
  readonly benchFiles: BenchFilesOf;
  readonly confidence: number;
  /** `null` until the slowdown of BAD is known. */
  readonly margin: number | null;
}

/** BAD is measured until it is slower by more than this, and not until it is a dead heat by the usual bound, or cannot be decided. */
const smallestSlowdown = 0.001;

/** Advice that would decide the steps of a search, none of which can be decided with the runs that one had. */
function adviceAfter(
  { runs, time }: Pick<Comparison, 'runs' | 'time'>,
  facts: {
    /** Runs that a step needs. */
    readonly needed: number;
    readonly confidence: number;
    readonly config: Pick<ExperimentConfig, 'maxTimeNs' | 'iterations'>;
  },
): string {
  const { needed, confidence, config } = facts;
  const { maxTimeNs, iterations } = config;
  const neededNs = (time.wallNs / Math.max(1, runs)) * needed;
  const fewer = maxTimeNs === null || iterations === null ? 0 : Math.floor((0.8 * iterations * maxTimeNs) / neededNs);
  return [
    `at the level of a step, ${formatShare(confidence)}, a verdict needs about ${countOf(needed, 'run')}, which take ${formatStretch(neededNs)}, and a step had ${runs}.`,
    'No other step would be decided either. Give a step',
    `more time, --max-time ${Math.ceil((1.2 * neededNs) / 1e9)}s,`,
    ...(fewer < 2 ? [] : [`or its runs fewer iterations, --iterations ${fewer},`]),
    'or the search a lower --confidence or a larger --margin.',
  ].join(' ');
}
