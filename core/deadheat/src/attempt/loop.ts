import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, hostname, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import {
  type AttemptEntry,
  type CommitOf,
  configOf,
  DeadheatError,
  type Judged,
  type StartEntry,
} from '@deadheat/model';
import { lockRecording, writeNamedFile } from '@deadheat/recording';
import { sweepLedgers } from '@deadheat/sync';
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
  /** Measures a comparison of two versions into the folder `output`; `typed` is `null` where a file describes it. */
  readonly measure: (
    draft: VersionsDraft,
    facts: { readonly typed: TypedLayer | null; readonly output: string },
  ) => Promise<FinishedSession>;
}

/** A loop that is to begin. */
interface StartRequest extends Omit<VersionChoices, 'fresh'> {
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

/**
 * Begins a loop: writes the first line of its ledger.
 *
 * @throws UsageError for a name that is taken or cannot be one; DeadheatError as of `openRepository` and `getCommit`
 */
export async function startLoop(request: StartRequest, signal: AbortSignal): Promise<LoopState> {
  const { name: asked, from, error, targets, subject, changes, setup, bench } = request;
  const names = loopNames();
  if (asked !== null && !/^[A-Za-z0-9](?:[\w-]*[A-Za-z0-9])?$/.test(asked)) {
    throw new UsageError('BAD_VALUE', `a loop cannot be called ${asked}`, { hint: 'Use letters, digits, - and _.' });
  }
  if (asked !== null && names.includes(asked)) {
    throw new UsageError('CONFLICT', `there is a loop called ${asked} already`, { hint: 'Choose another name.' });
  }
  const free = ['loop', ...names.map((_, index) => `loop-${index + 2}`)].find((one) => !names.includes(one));
  const name = asked ?? free ?? 'loop';
  const repository = await openRepository(process.cwd(), signal);
  const baseline = await getCommit(from ?? 'HEAD', repository);
  const folder = join(loopsFolder, name);
  mkdirSync(folder, { recursive: true });
  await holdCommit(`attempts/${name}/baseline`, baseline.id, repository);
  const facts = { name, at: new Date().toISOString(), baseline: plain(baseline), error, targets: [...targets] };
  const pinned = { subject, changes, versions: { setup, bench } } as unknown as StartEntry;
  await appendEntry(folder, { ...pinned, kind: 'start', schema: 'deadheat.attempts/1', ...facts });
  return readLedger(folder);
}

/** An attempt that is to be judged. */
interface AttemptRequest {
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
}

/**
 * Judges the working tree against the best state of a loop. Nothing of the tree is changed unless `apply` asks for it; the ledger has the attempt as a whole,
 * or not at all.
 *
 * @throws UsageError without a loop, without a change, and where an interrupted `apply` waits; DeadheatError where the best state does not run, and
 *   `INTERRUPTED`
 */
export async function attempt(request: AttemptRequest, tools: LoopTools): Promise<AttemptResult> {
  return withLoop(request.loop, tools, (loop) => loop.attempt(request));
}

/**
 * Ends a loop: compares the baseline with the best state in fresh runs, which chose nothing, at the confidence 1 - the error of the loop, until the total is known
 * to half a percent, as `--rigorous` does.
 *
 * @param end.maxTimeNs most time for that, ns; without it 10 minutes
 * @throws as `attempt`; UsageError for a loop that has ended
 */
export async function endLoop(
  { name, maxTimeNs = 600e9 }: { readonly name: string | null; readonly maxTimeNs?: number },
  tools: LoopTools,
): Promise<LoopState> {
  return withLoop(name, tools, (loop) => loop.end(maxTimeNs));
}

async function withLoop<Result>(
  name: string | null,
  tools: LoopTools,
  work: (loop: Loop) => Promise<Result>,
): Promise<Result> {
  const folder = findLoop(name);
  const lock = lockRecording(folder);
  try {
    // What is answered without a measurement has no guardian, which would do it.
    sweepLedgers();
    const state = readLedger(folder);
    if (state.end === null) return await work(new Loop(folder, state, tools));
    throw new UsageError('CONFLICT', `the loop ${state.start.name} has ended`, {
      hint: 'Begin another one: deadheat attempt start NAME -- COMMAND.',
    });
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

/** What one measurement says. */
interface Found extends Pick<Finding, 'answer' | 'reason'> {
  readonly judged: Judged;
  /** The outputs of both sides were compared. */
  readonly isChecked: boolean;
  /** It was looked whether the attempt is faster. */
  readonly isSpent: boolean;
}

/** A comparison that a loop needs. */
interface Measurement {
  readonly base: string;
  readonly head: string;
  readonly confidence: number;
  /** Name of the recording in the folder of the loop. */
  readonly output: string;
  /** Settings beside those of the loop. */
  readonly stop: Pick<TypedLayer, 'until' | 'precision' | 'max-time'>;
}

class Loop {
  readonly #folder: string;
  readonly #state: LoopState;
  readonly #tools: LoopTools;
  readonly #pendingPath: string;

  constructor(folder: string, state: LoopState, tools: LoopTools) {
    this.#folder = folder;
    this.#state = state;
    this.#tools = tools;
    this.#pendingPath = join(folder, 'apply.json');
  }

  async attempt({ again, apply, message }: AttemptRequest): Promise<AttemptResult> {
    const { best, start, attempts } = this.#state;
    const repository = await openRepository(process.cwd(), this.#tools.signal);
    const interrupted = this.#readPending();
    if (interrupted !== null) return this.#finish(interrupted, { apply, repository });
    const tree = await workingTreeCommit(repository);
    const changes = await changesBetween({ from: best.id, to: tree.id }, repository);
    if (changes.length === 0) {
      throw new UsageError('CONFLICT', `the working tree is the best state, ${best.short}, and no attempt`, {
        hint: 'Change something, and call deadheat attempt again.',
      });
    }
    const diff = hashOf(changes);
    const before = attempts.findLast((one) => one.diff === diff && one.answer === 'revert');
    const known = before !== undefined && !again;
    const entry = known ? before : await this.#judge(tree, { diff, message });
    const reverted = apply && entry.answer === 'revert';
    const pending: Pending = { number: entry.number, from: tree.id, to: best.id };
    if (reverted || entry.answer === 'keep') {
      await holdCommit(`attempts/${start.name}/${entry.number}`, tree.id, repository);
    }
    if (reverted) await writeNamedFile(this.#pendingPath, async (file) => file.writeFile(JSON.stringify(pending)));
    if (!known) await appendEntry(this.#folder, entry);
    const leftAlone = reverted ? await this.#restore(pending, repository) : [];
    return this.#result(entry, { known, changes, reverted, leftAlone });
  }

  async end(maxTimeNs: number): Promise<LoopState> {
    const { start, best } = this.#state;
    const at = new Date().toISOString();
    const isSame = best.id === start.baseline.id;
    const output = `end-${at.replaceAll(/\D/g, '')}`;
    const facts = { base: start.baseline.id, head: best.id, confidence: 1 - start.error, output } as const;
    const measured = isSame
      ? null
      : await this.#measure({ ...facts, stop: { precision: 0.005, 'max-time': maxTimeNs } });
    if (measured !== null) failUnlessDone(measured);
    const own = measured?.report.comparisons.filter(({ controlOf }) => controlOf === undefined);
    const total = own?.map(({ verdict, interval, benchmark, runs, time }) => {
      return { verdict, interval, benchmark, runs, wallNs: time.wallNs, recording: output };
    });
    await appendEntry(this.#folder, { kind: 'end', at, final: best, total: total ?? null });
    return readLedger(this.#folder);
  }

  /** An `apply` of an attempt in the ledger; before it was there, nothing was put back. */
  #readPending(): Pending | null {
    if (!existsSync(this.#pendingPath)) return null;
    const pending = JSON.parse(readFileSync(this.#pendingPath, 'utf8')) as Pending;
    if (this.#state.attempts.some(({ number }) => number === pending.number)) return pending;
    rmSync(this.#pendingPath);
    return null;
  }

  /** Ends what a killed process has begun to put back. */
  async #finish(
    pending: Pending,
    { apply, repository }: { readonly apply: boolean; readonly repository: Repository },
  ): Promise<AttemptResult> {
    const entry = this.#state.attempts.find(({ number }) => number === pending.number);
    if (!apply || entry === undefined) {
      throw new UsageError('CONFLICT', `attempt ${pending.number} was being reverted when its process ended`, {
        hint: 'deadheat attempt --apply puts back the rest of its files.',
      });
    }
    const changes = await changesBetween({ from: pending.to, to: pending.from }, repository);
    const leftAlone = await this.#restore(pending, repository);
    return this.#result(entry, { known: true, changes, reverted: true, leftAlone });
  }

  async #restore({ from, to }: Pending, repository: Repository): Promise<readonly string[]> {
    const leftAlone = await restoreFiles({ from, to, scratch: resolve(this.#folder, 'restored') }, repository);
    rmSync(this.#pendingPath);
    return leftAlone;
  }

  #result(
    entry: AttemptEntry,
    {
      changes,
      ...facts
    }: Pick<AttemptResult, 'known' | 'reverted' | 'leftAlone'> & { readonly changes: readonly TreeChange[] },
  ): AttemptResult {
    const { start, budget } = readLedger(this.#folder);
    return {
      schema: 'deadheat.attempt/1',
      loop: start.name,
      ledger: ledgerOf(this.#folder),
      entry,
      changed: changes.map(({ path }) => path),
      revertBy: entry.answer === 'revert' && !facts.reverted ? revertCommand(changes, this.#state.best.id) : null,
      budget,
      ...facts,
    };
  }

  /** Measures an attempt, and a gain that is suspect once more. */
  async #judge(
    tree: Commit,
    { diff, message }: { readonly diff: string; readonly message: string | null },
  ): Promise<AttemptEntry> {
    const { best, next: number, budget } = this.#state;
    const of = { base: best.id, head: tree.id, confidence: budget.nextConfidence, stop: { until: 'faster' } } as const;
    const first = await this.#find({ ...of, output: recordingName(number) });
    const { interval } = first.judged;
    const suspect = first.answer === 'keep' && interval !== null ? suspicionOf(interval, first) : null;
    if (suspect !== null) this.#tools.onNotice(`SUSPECT: ${suspect}. It is measured again before it is kept.`);
    const again = suspect === null ? null : await this.#find({ ...of, output: `${recordingName(number)}-again` });
    const isRefuted = again !== null && again.answer !== 'keep';
    return {
      kind: 'attempt',
      number,
      at: new Date().toISOString(),
      diff,
      commit: plain(tree),
      against: best,
      message,
      answer: isRefuted ? 'revert' : first.answer,
      reason: isRefuted ? `a second measurement does not bear it out: ${again.reason}` : first.reason,
      confidence: first.isSpent ? budget.nextConfidence : null,
      suspect,
      first: first.judged,
      again: again?.judged ?? null,
      environment: {
        host: hostname(),
        cpu: cpus()[0]?.model ?? '',
        cores: cpus().length,
        node: process.version,
        load: loadavg()[0] ?? 0,
      },
    };
  }

  /** What one measurement says; changes that do not build or run, or that change the output, are to be reverted. */
  async #find(facts: Measurement): Promise<Found> {
    const broken = (reason: string, recording: string | null): Found => {
      const nothing = { verdict: 'undecided', interval: null, benchmark: null, runs: 0, wallNs: 0 } as const;
      return { answer: 'revert', reason, judged: { ...nothing, recording }, isChecked: false, isSpent: false };
    };
    let session: FinishedSession;
    try {
      session = await this.#measure(facts);
    } catch (error) {
      if (!(error instanceof DeadheatError) || !ofAttempt.has(error.code) || !/^B[,:]/.test(error.message)) throw error;
      return broken(error.message, null);
    }
    const { outcome, report, experiment } = session;
    if (outcome.kind === 'failed' && outcome.failures.some(({ code }) => code === 'OUTPUTS_DIFFER')) {
      // Its advice names options that a loop does not have.
      const found = messageOf(outcome)
        .replace(/^OUTPUTS_DIFFER: /, '')
        .replace(/ If that is meant to differ.*$/s, '');
      return broken(`the output changes: ${found}`, facts.output);
    }
    if (outcome.kind === 'failed' && outcome.failures.every(({ side }) => side === 'B')) {
      return broken(messageOf(outcome), facts.output);
    }
    failUnlessDone(session);
    const { targets } = this.#state.start;
    const { judged, ...found } = judgeAttempt(report.comparisons, { targets, error: 1 - facts.confidence });
    const warnings = [...report.warnings, ...report.comparisons.flatMap((one) => one.warnings)];
    const isChecked =
      !warnings.some(({ code }) => code === 'OUTPUTS_VARY') &&
      experiment.config.benchmarks.every((one) => configOf(experiment.config, one).sameOutput === true);
    return { ...found, judged: { ...judged, recording: facts.output }, isChecked, isSpent: true };
  }

  async #measure({ base, head, confidence, output, stop }: Measurement): Promise<FinishedSession> {
    const { subject, changes, versions, targets } = this.#state.start as unknown as Omit<
      StartEntry,
      'subject' | 'changes'
    > &
      Pick<StartRequest, 'subject' | 'changes'>;
    const typed = { ...changes.typed, confidence, ...stop };
    const revisions = { base, head, exact: true };
    const draft = await draftOfRevisions(
      { ...versions, fresh: false, layouts: null, revisions, subject, changes: { ...changes, typed } },
      this.#tools,
    );
    const count = draft.draft.benchmarks.length;
    // Any of several benchmarks may be the one that became faster: each has its part of the level.
    const isShared = count > 1 && targets.length === 0 && stop.until !== undefined;
    const own = isShared ? { ...draft, draft: await draft.read({ confidence: 1 - (1 - confidence) / count }) } : draft;
    return this.#tools.measure(own, { typed: 'file' in subject ? null : typed, output: join(this.#folder, output) });
  }
}

/** Failures of a version that say that the attempt is broken, and not the loop. */
const ofAttempt: ReadonlySet<string> = new Set([
  'SETUP_FAILED',
  'CHECKOUT_FAILED',
  'COMMAND_NOT_FOUND',
  'COMMAND_NOT_EXECUTABLE',
]);

type Failed = Extract<FinishedSession['outcome'], { readonly kind: 'failed' }>;

function messageOf({ failures }: Failed): string {
  return failures.map(({ message }) => message).join('\n');
}

/** @throws DeadheatError for an experiment that failed or was interrupted, or that its limit ended without a result */
function failUnlessDone({ outcome }: Pick<FinishedSession, 'outcome'>): void {
  if (outcome.kind === 'done') return;
  if (outcome.kind === 'interrupted') throw new DeadheatError('INTERRUPTED', 'interrupted: the ledger is as before');
  if (outcome.kind === 'failed') throw new DeadheatError('COMMAND_FAILED', messageOf(outcome));
  const hint = 'Begin a loop with a longer --max-time, or with a shorter command.';
  throw new DeadheatError('TIME_LIMIT', 'the time limit passed without a result', { hint });
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
  const commands = [
    restored.length === 0 ? '' : `git restore --source=${best.slice(0, 12)} --worktree -- ${restored.join(' ')}`,
    added.length === 0 ? '' : `git clean --quiet --force -- ${added.join(' ')}`,
  ];
  return commands.filter((one) => one !== '').join(' && ');
}
