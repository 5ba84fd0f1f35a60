import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, hostname, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import {
  type AttemptEntry,
  type CommitOf,
  configOf,
  DeadheatError,
  type EndEntry,
  type Judged,
  type Report,
  type StartEntry,
} from '@deadheat/model';
import { lockRecording, writeNamedFile } from '@deadheat/recording';
import { countOf } from '@deadheat/report';
import {
  changesBetween,
  type Commit,
  getCommit,
  holdCommit,
  openRepository,
  type Repository,
  restoreFiles,
  type TreeChange,
  workingTreeCommit,
} from '@deadheat/versions';
import type { Changes } from '../config/changes.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { FinishedSession } from '../library/running.ts';
import type { TypedLayer } from '../settings/layer-of-flags.ts';
import {
  draftOfRevisions,
  type Preparation,
  type VersionChoices,
  type VersionsDraft,
} from '../versions/compare-versions.ts';
import type { Subject } from '../versions/sides.ts';
import { type Finding, judgeAttempt, suspicionOf } from './judge.ts';
import {
  appendEntry,
  findLoop,
  ledgerOf,
  loopNames,
  loopsFolder,
  type LoopState,
  readLedger,
  recordingName,
} from './ledger.ts';

/** Tools of a loop. */
export interface LoopTools extends Preparation {
  /** Measures a comparison of two versions into the folder `output`. */
  readonly measure: (
    draft: VersionsDraft,
    facts: { readonly typed: TypedLayer | null; readonly output: string },
  ) => Promise<FinishedSession>;
}

/** A loop that is to begin. */
export interface StartRequest extends Omit<VersionChoices, 'fresh'> {
  /** `null` = `loop`, or `loop-2` and so on where that is taken. */
  readonly name: string | null;
  /** Revision of the baseline; `null` = HEAD. */
  readonly from: string | null;
  /** Error budget of the loop, in (0, 1). */
  readonly error: number;
  readonly targets: readonly string[];
  readonly subject: Subject;
  readonly changes: Changes;
}

const namePattern = /^[A-Za-z0-9](?:[\w-]*[A-Za-z0-9])?$/;

/**
 * Begins a loop: writes the first line of its ledger.
 *
 * @throws UsageError for a name that is taken or cannot be one; DeadheatError as of `openRepository` and `getCommit`
 */
export async function startLoop(request: StartRequest, signal: AbortSignal): Promise<LoopState> {
  const { name: asked, from, error, targets, subject, changes, setup, bench } = request;
  const names = loopNames();
  if (asked !== null && !namePattern.test(asked)) {
    throw new UsageError('BAD_VALUE', `a loop cannot be called ${asked}`, { hint: 'Use letters, digits, - and _.' });
  }
  if (asked !== null && names.includes(asked)) {
    throw new UsageError('CONFLICT', `there is a loop called ${asked} already`, {
      hint: 'Give the new one another name; deadheat attempt status shows what there is.',
    });
  }
  let name = asked ?? 'loop';
  for (let number = 2; asked === null && names.includes(name); number += 1) name = `loop-${number}`;
  const repository = await openRepository(process.cwd(), signal);
  const baseline = await getCommit(from ?? 'HEAD', repository);
  const folder = join(loopsFolder, name);
  mkdirSync(folder, { recursive: true });
  await holdCommit(`attempts/${name}/baseline`, baseline.id, repository);
  const start: StartEntry = {
    kind: 'start',
    schema: 'deadheat.attempts/1',
    name,
    at: new Date().toISOString(),
    baseline: plain(baseline),
    error,
    subject: subject as StartEntry['subject'],
    changes: changes as unknown as StartEntry['changes'],
    versions: { setup, bench: bench as StartEntry['versions']['bench'] },
    targets: [...targets],
  };
  await appendEntry(folder, start);
  return readLedger(folder);
}

/** An attempt that is to be judged. */
export interface AttemptRequest {
  /** `null` = the only loop that goes on. */
  readonly loop: string | null;
  readonly message: string | null;
  /** True = measured also if the same changes were rejected before. */
  readonly again: boolean;
  /** True = files of the working tree are put back where the answer is `revert`. */
  readonly apply: boolean;
}

/** The answer to an attempt, with everything that a person or a program wants to know next. */
export interface AttemptResult {
  readonly schema: 'deadheat.attempt/1';
  readonly loop: string;
  readonly ledger: string;
  readonly entry: AttemptEntry;
  /** True = answered from the ledger; nothing was measured or spent. */
  readonly known: boolean;
  /** Files that differ from the best state. */
  readonly changed: readonly string[];
  /** The command that puts the files back; `null` unless the answer is `revert` and they differ still. */
  readonly revertBy: string | null;
  /** True = the files were put back (`apply`). */
  readonly reverted: boolean;
  /** Files that were changed while the attempt was measured, and so were not put back. */
  readonly leftAlone: readonly string[];
  readonly budget: LoopState['budget'];
  readonly kept: number;
  readonly attempts: number;
}

/**
 * Judges the working tree against the best state of a loop. Nothing of the tree is changed unless `apply` asks for it; the ledger has the attempt as a whole,
 * or not at all.
 *
 * @throws UsageError without a loop, without a change, and where an interrupted `apply` waits; DeadheatError where the best state does not run, and
 *   `INTERRUPTED`
 */
export async function attempt(request: AttemptRequest, tools: LoopTools): Promise<AttemptResult> {
  const folder = findLoop(request.loop);
  const lock = lockRecording(folder);
  try {
    return await new Loop(folder, tools).attempt(request);
  } finally {
    lock.release();
  }
}

/** The result of a loop. */
export interface EndResult {
  readonly state: LoopState;
  readonly entry: EndEntry;
  /** Report of the baseline against the final state; `null` = nothing was kept. */
  readonly report: Report | null;
}

/**
 * Ends a loop: compares the baseline with the best state in fresh runs, which chose nothing, at the confidence 1 - the error of the loop.
 *
 * @throws as `attempt`; UsageError for a loop that has ended
 */
export async function endLoop(name: string | null, tools: LoopTools): Promise<EndResult> {
  const folder = findLoop(name);
  const lock = lockRecording(folder);
  try {
    return await new Loop(folder, tools).end();
  } finally {
    lock.release();
  }
}

/** An `apply` that is under way: written before the ledger, removed after the files. */
interface Pending {
  readonly number: number;
  readonly from: string;
  readonly to: string;
}

class Loop {
  readonly #folder: string;
  readonly #tools: LoopTools;

  constructor(folder: string, tools: LoopTools) {
    this.#folder = folder;
    this.#tools = tools;
  }

  async attempt(request: AttemptRequest): Promise<AttemptResult> {
    const repository = await openRepository(process.cwd(), this.#tools.signal);
    const state = this.#open();
    const finished = await this.#finishPending(state, { request, repository });
    if (finished !== null) return finished;
    const tree = await workingTreeCommit(repository);
    const changes = await changesBetween({ from: state.best.id, to: tree.id }, repository);
    if (changes.length === 0) {
      throw new UsageError(
        'CONFLICT',
        `the working tree is the best state, ${state.best.short}: there is no attempt to judge`,
        {
          hint: 'Change something, and call deadheat attempt again.',
        },
      );
    }
    const diff = hashOf(changes);
    const before = state.attempts.findLast((one) => one.diff === diff && one.answer === 'revert');
    const known = before !== undefined && !request.again;
    const entry = known ? before : await this.#judge({ state, tree, diff, message: request.message });
    const isReverting = request.apply && entry.answer === 'revert';
    const pending: Pending = { number: entry.number, from: tree.id, to: state.best.id };
    if (isReverting || entry.answer === 'keep') {
      await holdCommit(`attempts/${state.start.name}/${entry.number}`, tree.id, repository);
    }
    if (isReverting) {
      await writeNamedFile(this.#pendingPath, async (file) => file.writeFile(JSON.stringify(pending)));
    }
    if (!known) await appendEntry(this.#folder, entry);
    const leftAlone = isReverting ? await this.#restore(pending, repository) : [];
    return this.#result(entry, { known, changes, reverted: isReverting, leftAlone });
  }

  async end(): Promise<EndResult> {
    const state = this.#open();
    const { start, best } = state;
    let measured: FinishedSession | null = null;
    if (best.id !== start.baseline.id) {
      const facts = { state, base: start.baseline.id, head: best.id };
      const confidence = 1 - start.error;
      const name = this.#freeName('end');
      measured = await this.#measure({ ...facts, confidence, output: name, until: 'decided' });
      failUnlessDone(measured);
    }
    const total = measured?.report.comparisons
      .filter(({ controlOf }) => controlOf === undefined)
      .map(({ verdict, interval, benchmark, runs, time }) => ({
        verdict,
        interval,
        benchmark,
        runs,
        wallNs: time.wallNs,
        recording: measured.directory,
      }));
    const entry: EndEntry = { kind: 'end', at: new Date().toISOString(), final: best, total: total ?? null };
    await appendEntry(this.#folder, entry);
    return { state: readLedger(this.#folder), entry, report: measured?.report ?? null };
  }

  get #pendingPath(): string {
    return join(this.#folder, 'apply.json');
  }

  /** @throws UsageError for a loop that has ended */
  #open(): LoopState {
    const state = readLedger(this.#folder);
    if (state.end === null) return state;
    throw new UsageError('CONFLICT', `the loop ${state.start.name} has ended`, {
      hint: 'Begin another one: deadheat attempt start NAME -- COMMAND.',
    });
  }

  /** Ends what a killed process has begun to put back; `null` = nothing was begun. */
  async #finishPending(
    state: LoopState,
    { request, repository }: { readonly request: AttemptRequest; readonly repository: Repository },
  ): Promise<AttemptResult | null> {
    if (!existsSync(this.#pendingPath)) return null;
    const pending = JSON.parse(readFileSync(this.#pendingPath, 'utf8')) as Pending;
    const entry = state.attempts.find(({ number }) => number === pending.number);
    // The attempt is not in the ledger: nothing was put back yet.
    if (entry === undefined) {
      rmSync(this.#pendingPath);
      return null;
    }
    if (!request.apply) {
      throw new UsageError('CONFLICT', `attempt ${pending.number} was being reverted when its process ended`, {
        hint: 'deadheat attempt --apply puts back the rest of its files.',
      });
    }
    const changes = await changesBetween({ from: pending.to, to: pending.from }, repository);
    const leftAlone = await this.#restore(pending, repository);
    return this.#result(entry, { known: true, changes, reverted: true, leftAlone });
  }

  async #restore({ from, to }: Pending, repository: Repository): Promise<readonly string[]> {
    const scratch = resolve(this.#folder, 'restored');
    const leftAlone = await restoreFiles({ from, to, scratch }, repository);
    rmSync(this.#pendingPath);
    return leftAlone;
  }

  #result(
    entry: AttemptEntry,
    facts: {
      readonly known: boolean;
      readonly changes: readonly TreeChange[];
      readonly reverted: boolean;
      readonly leftAlone: readonly string[];
    },
  ): AttemptResult {
    const { start, budget, attempts, best } = readLedger(this.#folder);
    const { changes, reverted, known, leftAlone } = facts;
    return {
      schema: 'deadheat.attempt/1',
      loop: start.name,
      ledger: ledgerOf(this.#folder),
      entry,
      known,
      changed: changes.map(({ path }) => path),
      revertBy: entry.answer === 'revert' && !reverted ? revertCommand(changes, best.id) : null,
      reverted,
      leftAlone,
      budget,
      kept: attempts.filter(({ answer }) => answer === 'keep').length,
      attempts: attempts.length,
    };
  }

  /** Measures an attempt, and a gain that is suspect once more. */
  async #judge(facts: {
    readonly state: LoopState;
    readonly tree: Commit;
    readonly diff: string;
    readonly message: string | null;
  }): Promise<AttemptEntry> {
    const { state, tree, diff, message } = facts;
    const { best, next: number, budget } = state;
    const { onNotice } = this.#tools;
    const of = { state, base: best.id, head: tree.id, confidence: budget.nextConfidence, until: 'faster' } as const;
    const first = await this.#find({ ...of, output: recordingName(number, { isAgain: false }) });
    const doubt =
      first.answer === 'keep' && first.judged.interval !== null
        ? suspicionOf(first.judged.interval, { isChecked: first.isChecked })
        : null;
    if (doubt !== null) onNotice(`SUSPECT: ${doubt}. It is measured again before it is kept.`);
    const again = doubt === null ? null : await this.#find({ ...of, output: recordingName(number, { isAgain: true }) });
    const refuted = again !== null && again.answer !== 'keep';
    return {
      kind: 'attempt',
      number,
      at: new Date().toISOString(),
      diff,
      commit: plain(tree),
      against: best,
      message,
      answer: refuted ? 'revert' : first.answer,
      reason: refuted ? `a second measurement does not bear it out: ${again.reason}` : first.reason,
      confidence: first.isSpent ? budget.nextConfidence : null,
      suspect: doubt,
      first: first.judged,
      again: again?.judged ?? null,
      environment: environment(),
    };
  }

  /** What one measurement says; changes that do not build or run, or that change the output, are to be reverted. */
  async #find(
    facts: Measurement,
  ): Promise<
    Pick<Finding, 'answer' | 'reason'> & {
      readonly judged: Judged;
      readonly isChecked: boolean;
      readonly isSpent: boolean;
    }
  > {
    const { start } = facts.state;
    const nothing = { verdict: 'undecided', interval: null, benchmark: null, runs: 0, wallNs: 0 } as const;
    const broken = (reason: string, recording: string | null) =>
      ({ answer: 'revert', reason, judged: { ...nothing, recording }, isChecked: false, isSpent: false }) as const;
    let session: FinishedSession;
    try {
      session = await this.#measure(facts);
    } catch (error) {
      if (!(error instanceof DeadheatError) || !ofAttempt.has(error.code) || !/^B[,:]/.test(error.message)) throw error;
      return broken(error.message, null);
    }
    const { outcome, report, experiment } = session;
    if (outcome.kind === 'failed') {
      const differs = outcome.failures.some(({ code }) => code === 'OUTPUTS_DIFFER');
      const message = outcome.failures.map((failure) => failure.message).join('\n');
      if (!differs && outcome.failures.some(({ side }) => side === 'A'))
        throw new DeadheatError('COMMAND_FAILED', message);
      // Its advice names options that a loop does not have.
      const found = message.replace(/^OUTPUTS_DIFFER: /, '').replace(/ If that is meant to differ.*$/s, '');
      return broken(differs ? `the output changes: ${found}` : message, facts.output);
    }
    failUnlessDone(session);
    const error = 1 - facts.confidence;
    const found = judgeAttempt(report.comparisons, { targets: start.targets, error });
    const varies = [...report.warnings, ...report.comparisons.flatMap(({ warnings }) => warnings)].some(
      ({ code }) => code === 'OUTPUTS_VARY',
    );
    const isChecked =
      !varies && experiment.config.benchmarks.every((one) => configOf(experiment.config, one).sameOutput === true);
    return { ...found, judged: { ...found.judged, recording: facts.output }, isChecked, isSpent: true };
  }

  async #measure({ state, base, head, confidence, output, until }: Measurement): Promise<FinishedSession> {
    const { start } = state;
    const subject = start.subject as Subject;
    const recorded = start.changes as unknown as Changes;
    const changes = { ...recorded, typed: { ...recorded.typed, confidence, until } };
    const draft = await draftOfRevisions(
      {
        setup: start.versions.setup,
        bench: start.versions.bench,
        fresh: false,
        revisions: { base, head, exact: true },
        subject,
        changes,
      },
      this.#tools,
    );
    const count = draft.draft.benchmarks.length;
    // Any of several benchmarks may be the one that became faster: each has its part of the level.
    const shared = count > 1 && start.targets.length === 0 && until === 'faster';
    const own = shared ? { ...draft, draft: await draft.read({ confidence: 1 - (1 - confidence) / count }) } : draft;
    if (shared)
      this.#tools.onNotice(
        `the level is divided among ${countOf(count, 'benchmark')}, of which none is named by --target`,
      );
    return this.#tools.measure(own, {
      typed: 'file' in subject ? null : changes.typed,
      output: join(this.#folder, output),
    });
  }

  #freeName(name: string): string {
    for (let number = 1; ; number += 1) {
      const free = number === 1 ? name : `${name}-${number}`;
      if (!existsSync(join(this.#folder, free))) return free;
    }
  }
}

/** A comparison that a loop needs. */
interface Measurement {
  readonly state: LoopState;
  readonly base: string;
  readonly head: string;
  readonly confidence: number;
  /** Name of the recording in the folder of the loop. */
  readonly output: string;
  readonly until: 'faster' | 'decided';
}

/** Failures of a version that say that the attempt is broken, and not the loop. */
const ofAttempt: ReadonlySet<string> = new Set([
  'SETUP_FAILED',
  'CHECKOUT_FAILED',
  'COMMAND_NOT_FOUND',
  'COMMAND_NOT_EXECUTABLE',
]);

/** @throws DeadheatError for an experiment that was interrupted, or that its limit ended without a result */
function failUnlessDone({ outcome }: Pick<FinishedSession, 'outcome'>): void {
  if (outcome.kind === 'done') return;
  if (outcome.kind === 'interrupted')
    throw new DeadheatError('INTERRUPTED', 'interrupted; the attempt is not in the ledger');
  if (outcome.kind === 'failed') {
    throw new DeadheatError('COMMAND_FAILED', outcome.failures.map(({ message }) => message).join('\n'));
  }
  throw new DeadheatError('TIME_LIMIT', 'the time limit passed without a result', {
    hint: 'Begin a loop with a longer --max-time, or with a shorter command.',
  });
}

function plain({ id, short, subject }: Commit): CommitOf {
  return { id, short, subject };
}

/** The hash of changes: of the files, and of what they are before and after. */
function hashOf(changes: readonly TreeChange[]): string {
  const text = changes.map(({ path, before, after }) => `${before} ${after} ${path}`).join('\0');
  return createHash('sha256').update(text).digest('hex');
}

/** Files that a command names one by one. */
const mostNamed = 20;

/** The command line of a POSIX shell that gives the files the content of the best state, from any folder of the repository. */
function revertCommand(changes: readonly TreeChange[], best: string): string {
  if (changes.length > mostNamed) return 'deadheat attempt --apply';
  const quote = (path: string): string =>
    /^[\w./-]+$/.test(path) ? `:/${path}` : `':/${path.replaceAll("'", `'\\''`)}'`;
  const isNew = ({ before }: TreeChange): boolean => /^0+ /.test(before);
  const restored = changes.filter((one) => !isNew(one)).map(({ path }) => quote(path));
  const added = changes.filter(isNew).map(({ path }) => quote(path));
  return [
    ...(restored.length === 0 ? [] : [`git restore --source=${best.slice(0, 12)} --worktree -- ${restored.join(' ')}`]),
    ...(added.length === 0 ? [] : [`git clean --quiet --force -- ${added.join(' ')}`]),
  ].join(' && ');
}

function environment(): AttemptEntry['environment'] {
  const [first] = cpus();
  const [load = 0] = loadavg();
  return {
    host: hostname(),
    cpu: first?.model ?? '',
    cores: cpus().length,
    node: process.version,
    load: Math.round(load * 100) / 100,
  };
}
