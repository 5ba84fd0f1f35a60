import { randomBytes } from 'node:crypto';
import { Bisection, type BisectionOutcome, halfOfSlowdown, judgeVersion, runsForAnyStep } from '@deadheat/analysis';
import {
  type Commit,
  commitsBetween,
  openRepository,
  type ReadyVersion,
  type Repository,
  type SessionResult,
  startExperiment,
  VersionError,
  Versions,
} from '@deadheat/engine';
import { type ChosenMethod, type CommitRef, configOf, type Experiment, type Side } from '@deadheat/model';
import type { CompareInvocation } from '../../arguments/invocation.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import { checkExports, reportStream, writeExport, createTeller } from '../../terminal/output.ts';
import { createProgressReporter } from '../../terminal/progress.ts';
import { resolveTerminalStyle } from '../../terminal/style.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { tool } from '../../version.ts';
import {
  type VersionChoices,
  commitRefOf,
  draftInFolder,
  joinDrafts,
  type SidePlace,
  titleOf,
} from 'deadheat/internals';
import { countOf } from '@deadheat/report';
import { adviceAfter, bisectResult, type BisectResult, type BisectStep, renderBisect, renderStep } from './result.ts';

export interface BisectRequest extends VersionChoices {
  readonly good: string;
  readonly bad: string;
  /** Level and margin in it are replaced in every step. */
  readonly invocation: CompareInvocation;
  /** Of the whole search. */
  readonly confidence: number;
  /** `null` = half of BAD's slowdown. */
  readonly margin: number | null;
}

/** `deadheat bisect`. Returns the exit code. */
export async function bisectCommits(request: BisectRequest, terminal: Terminal): Promise<ExitCode> {
  const { invocation } = request;
  checkExports(invocation.exports);
  const versions = new Versions();
  return withInterruption(async (signal) => {
    try {
      await versions.sweep();
      const repository = await openRepository(process.cwd(), signal);
      const result = await new Search(request, { versions, repository, terminal }).run();
      const stream = terminal[reportStream(invocation.exports)];
      if (invocation.style !== 'none') stream.write(renderBisect(result));
      writeExport(invocation.exports.json, { content: `${JSON.stringify(result, null, 2)}\n`, terminal });
      return exitCodeOfSearch(result, invocation);
    } finally {
      await versions.releaseAll();
    }
  });
}

function exitCodeOfSearch(
  { verdict, suspects }: BisectResult,
  { failOn, strict }: Pick<CompareInvocation, 'failOn' | 'strict'>,
): ExitCode {
  if (verdict === 'slower' && failOn === 'slower') return exitCodes.slower;
  const isOpen = verdict === 'undecided' || suspects.length > 1;
  return strict && isOpen ? exitCodes.undecided : exitCodes.done;
}

/** Failures of one commit that say nothing about the others. */
const ofOneCommit: ReadonlySet<string> = new Set(['SETUP_FAILED', 'CHECKOUT_FAILED', 'SUBMODULE_MISSING']);

interface Surroundings {
  readonly versions: Versions;
  readonly repository: Repository;
  readonly terminal: Terminal;
}

interface Found {
  readonly outcome: BisectionOutcome;
  readonly step: Omit<BisectStep, 'commit' | 'outcome'>;
  /** Why no other step would be decided either; `null` = one may be. */
  readonly hopeless: string | null;
}

const unmeasured = { ratio: null, runs: null, recording: null } as const;

class Search {
  readonly #request: BisectRequest;
  readonly #surroundings: Surroundings;
  readonly #tell: (text: string) => void;
  readonly #seed: string;
  /** What pilot runs chose in the first step: ratios of two methods are not to be held against one threshold. */
  #chosen: ChosenMethod | null = null;
  #used: BisectResult['method'] = null;

  constructor(request: BisectRequest, surroundings: Surroundings) {
    this.#request = request;
    this.#surroundings = surroundings;
    this.#tell = createTeller(request.invocation, surroundings.terminal);
    this.#seed = request.invocation.seed ?? randomBytes(4).toString('hex');
  }

  async run(): Promise<BisectResult> {
    const { confidence, margin } = this.#request;
    const { repository, versions } = this.#surroundings;
    const range = await commitsBetween(this.#request, repository);
    const { good, commits } = range;
    this.#tell(
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
        margin: threshold ?? 0,
      });
      bisection.record(outcome);
      if (isBad && step.ratio !== null) threshold ??= halfOfSlowdown(step.ratio.estimate);
      if (isBad) whole = step.ratio?.estimate ?? null;
      const found = { commit, outcome, ...step };
      steps.push(found);
      this.#tell(renderStep(found, steps.length));
      stopped = hopeless;
    }
    await versions.release(baseline);
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
    const { versions, repository } = this.#surroundings;
    const { setup, fresh } = this.#request;
    return versions.checkOut({
      revision: { commit, label: commit.short },
      what,
      setup,
      benchFiles,
      repository,
      fresh,
      onSetup: () => this.#tell(`${commit.short}: ${setup ?? ''}`),
    });
  }

  /** What is found of a commit; what is wrong with BAD itself is thrown. */
  async #step(commit: Commit, facts: StepFacts): Promise<Found> {
    const { isBad, benchFiles } = facts;
    const { versions } = this.#surroundings;
    const what = `${isBad ? 'BAD, ' : ''}${titleOf(commit)},`;
    let candidate: ReadyVersion;
    try {
      candidate = await this.#checkOut(commit, { what, benchFiles });
    } catch (error) {
      if (isBad || !(error instanceof VersionError) || !ofOneCommit.has(error.code)) throw error;
      return { outcome: 'skipped', hopeless: null, step: { ...unmeasured, reason: error.message } };
    }
    try {
      return this.#judge(await this.#measure(commit, { ...facts, candidate }), facts);
    } finally {
      await versions.release(candidate);
    }
  }

  #judge({ report, outcome, directory, experiment }: SessionResult, { isBad, margin, whole }: StepFacts): Found {
    if (outcome.kind === 'interrupted') throw new VersionError('INTERRUPTED', 'interrupted');
    if (outcome.kind === 'failed') {
      const message = outcome.failures.map((failure) => failure.message).join('\n');
      if (isBad || outcome.failures.some(({ side }) => side === 'A')) throw new VersionError('COMMAND_FAILED', message);
      return { outcome: 'skipped', hopeless: null, step: { ...unmeasured, recording: directory, reason: message } };
    }
    const [comparison] = report.comparisons;
    const sequential = comparison?.sequential ?? null;
    if (comparison === undefined || sequential === null) {
      const reason = 'too few runs within the time limit (--max-time)';
      return { outcome: 'undecided', hopeless: null, step: { ...unmeasured, recording: directory, reason } };
    }
    const { estimate, low, high, confidence } = sequential;
    const found = judgeVersion(sequential, margin);
    const { runs } = comparison;
    const needed =
      found === 'undecided' ? runsForAnyStep({ interval: sequential, runs, threshold: margin, whole }) : null;
    return {
      outcome: found,
      hopeless: needed === null ? null : adviceAfter(comparison, { needed, confidence, config: experiment.config }),
      step: {
        ratio: { estimate, low, high, confidence },
        runs: comparison.runs,
        recording: directory,
        reason: found === 'undecided' ? 'not decided within the time limit (--max-time) or the most runs' : null,
      },
    };
  }

  async #measure(commit: Commit, facts: StepFacts & { readonly candidate: ReadyVersion }): Promise<SessionResult> {
    const { repository, terminal } = this.#surroundings;
    const { good, baseline, candidate, confidence, margin } = facts;
    const invocation: CompareInvocation = { ...this.#request.invocation, confidence, margin };
    const place = ({ folder, root }: ReadyVersion, label: string): SidePlace => ({
      folder,
      root,
      label,
      environment: {},
    });
    const places = { A: place(baseline, good.short), B: place(candidate, commit.short) };
    const path = terminal.env['PATH'] ?? '';
    const draftOf = (side: Side): ReturnType<typeof draftInFolder> =>
      draftInFolder(invocation, { place: places[side], path, seed: `${this.#seed} ${commit.id}` });
    const joined = joinDrafts({ A: draftOf('A'), B: draftOf('B') }, places);
    const draft = {
      ...joined,
      benchmarks: joined.benchmarks.map((benchmark) => ({ ...benchmark, chosen: this.#chosen })),
      seed: `${this.#seed} ${commit.id}`,
      name: `bisect-${commit.short}`,
    };
    const style = resolveTerminalStyle(invocation.style, { stream: terminal.stderr, variables: terminal.env });
    const progress = createProgressReporter({
      stream: terminal.stderr,
      style: invocation.showOutput ? { ...style, interactive: false } : style,
      now: () => performance.now(),
    });
    try {
      const { signal } = repository;
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
  readonly margin: number;
}
