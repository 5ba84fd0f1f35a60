import {
  decision,
  monotonicNowNs,
  packDecision,
  parentOf,
  poison,
  resolveDecision,
  sideState,
  word,
} from '@deadheat/sync';
import { type WatchedProgram } from '@deadheat/profiles';
import { type Arrival, readObservedLines } from './observation.ts';
import type { Scenario } from './scenario.ts';
import { compareThreads, readThreads, readThreadsAfterTurn } from './waiting.ts';

export interface PlayOptions {
  readonly scenario: Scenario;
  readonly words: Int32Array;
  /** Party of the program: 0 = A, 1 = B. */
  readonly party: 0 | 1;
  readonly program: WatchedProgram;
  readonly recordPath: string;
  /** How long each step may take, ms. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Played {
  readonly arrivals: readonly Arrival[];
  /** What was waited for in vain; `null` = nothing. */
  readonly waitedFor: string | null;
}

const lookMs = 1;
/** How long a program must stay away from the next barrier to count as filling, ms. */
const fillLookMs = 120;
/** After this number of iterations the runner stops every benchmark. */
const mostIterations = 24;
/** So often a benchmark that was stopped may come back before the runner gives up. */
const mostReturns = 3;

type Came = 'yes' | 'ended' | 'late';

/** Plays runner and peer on a page against a program, and notes what is seen of it. */
export class Play {
  readonly #options: PlayOptions;
  readonly #words: Int32Array;
  readonly #peer: 0 | 1;
  readonly #arrivals: Arrival[] = [];
  /** Benchmark that is being played, from 1, and the barriers passed in it. */
  #benchmark = 1;
  #passed = 0;
  #iterations = 0;
  #returns = 0;

  constructor(options: PlayOptions) {
    this.#options = options;
    this.#words = options.words;
    this.#peer = options.party === 0 ? 1 : 0;
  }

  /** Lays the page out; before the program starts. */
  static prepare({ scenario, words, party }: Pick<PlayOptions, 'scenario' | 'words' | 'party'>): void {
    const peer = party === 0 ? 1 : 0;
    for (const each of [0, 1]) Atomics.store(words, word.cursor(each), scenario.cursor | 0);
    Atomics.store(words, word.initial, scenario.initial);
    Atomics.store(words, word.decision, scenario.decide(1, 0));
    Atomics.store(words, word.state(peer), sideState.running);
    Atomics.store(words, word.pid(peer), process.pid);
  }

  async run(): Promise<Played> {
    for (let barrier = 1; ; barrier++) {
      const came = await this.#until(() => this.#ahead(barrier) >= 0);
      if (came === 'ended') return this.#end(null);
      if (came === 'late') return this.#end(`barrier ${barrier}`);
      const arrival = this.#look(barrier);
      if (arrival.ahead > 0 || this.#returns > mostReturns) {
        this.#arrivals.push(arrival);
        this.#store(word.poison, poison.cancelled);
        return this.#end(null);
      }
      if (barrier === this.#options.scenario.poisonAt) {
        this.#arrivals.push(arrival);
        this.#store(word.poison, poison.peerLost);
        return this.#end(null);
      }
      await this.#pass(arrival);
      if (this.#options.scenario.peerHurries && barrier === 1) barrier += 1;
    }
  }

  #look(barrier: number): Arrival {
    const { party, recordPath } = this.#options;
    const ahead = this.#ahead(barrier);
    const lines = readObservedLines(recordPath);
    function count(kind: 'benchmark' | 'iteration'): number {
      return lines.filter((line) => line.kind === kind).length;
    }
    const benchmarks = count('benchmark');
    const ownNumber = this.#load(word.benchmark(party));
    const number = Math.max(1, benchmarks, ownNumber);
    if (number !== this.#benchmark) {
      this.#benchmark = number;
      this.#passed = 0;
      this.#returns = 0;
    } else if (this.#arrivals.at(-1)?.decided === decision.stop) {
      this.#returns += 1;
    }
    const pid = this.#load(word.pid(party));
    return {
      barrier,
      wasSeen: true,
      ahead,
      benchmarks,
      iterations: count('iteration'),
      workDone: this.#load(word.workDone(party)),
      state: this.#load(word.state(party)),
      pid,
      pidLives: pid > 0 && parentOf(pid) !== null,
      benchmark: ownNumber,
      startedMs: this.#load(word.startedMs(party)),
      decided: resolveDecision(this.#words, party === 0 ? ownNumber : number),
      stored: party === 0 ? this.#load(this.#slot(barrier)) : null,
      releasedNs: null,
      waiting: null,
      cameBeforePeerWasDone: false,
    };
  }

  /** Lets the program pass a barrier; side B learns its decision from the slot alone, while the runner says another. */
  async #pass(seen: Arrival): Promise<void> {
    const { scenario, party } = this.#options;
    const arrival = scenario.peerLateMs > 0 ? await this.#comeLate(seen) : seen;
    const { barrier, decided } = arrival;
    const stopped = decided === decision.stop;
    this.#passed += 1;
    if (!stopped) this.#iterations += 1;
    const next =
      this.#iterations < mostIterations ? scenario.decide(this.#benchmark, this.#passed) : packDecision(decision.stop);
    this.#store(word.benchmark(this.#peer), this.#benchmark);
    if (party === 0) this.#store(word.decision, next);
    else {
      this.#store(this.#slot(barrier), decided);
      this.#store(word.decision, packDecision(stopped ? decision.measure : decision.stop));
    }
    const releasedNs = monotonicNowNs();
    if (scenario.peerHurries && barrier === 1) this.#passTwo(arrival, releasedNs);
    else {
      if (!scenario.peerWorksLonger) this.#countPeersWork(decided);
      this.#store(word.cursor(this.#peer), scenario.cursor + barrier);
      const cameBeforePeerWasDone = scenario.peerWorksLonger && !stopped && (await this.#hurries(arrival));
      if (scenario.peerWorksLonger) this.#countPeersWork(decided);
      this.#arrivals.push({ ...arrival, releasedNs, cameBeforePeerWasDone });
    }
    if (party === 1) {
      // Side A decides a barrier when it arrives there; until then the runner's word is not for side B.
      await this.#until(() => this.#ahead(this.#arrivals.length + 1) >= 0);
      this.#store(word.decision, next);
    }
  }

  async #comeLate(arrival: Arrival): Promise<Arrival> {
    const { peerLateMs, environment } = this.#options.scenario;
    const yields = environment['DEADHEAT_WAIT'] === 'yield';
    const before = yields ? readThreads(arrival.pid) : null;
    const sinceNs = monotonicNowNs();
    await sleep(peerLateMs);
    const after = yields ? await readThreadsAfterTurn(arrival.pid, before) : null;
    return { ...arrival, waiting: compareThreads(before, after, { elapsedNs: monotonicNowNs() - sinceNs }) };
  }

  /** The peer, done in no time, is at the next barrier before the program has looked at this one. */
  #passTwo(arrival: Arrival, releasedNs: number): void {
    const { scenario, party } = this.#options;
    const { barrier, decided } = arrival;
    this.#passed += 1;
    this.#iterations += 1;
    if (party === 1) this.#store(this.#slot(barrier + 1), decided);
    this.#countPeersWork(decided);
    this.#store(word.cursor(this.#peer), scenario.cursor + barrier);
    this.#store(word.cursor(this.#peer), scenario.cursor + barrier + 1);
    this.#arrivals.push({ ...arrival, releasedNs }, { ...arrival, barrier: barrier + 1, wasSeen: false, releasedNs });
  }

  #countPeersWork(decided: number): void {
    if (decided !== decision.stop) Atomics.add(this.#words, word.workDone(this.#peer), 1);
  }

  /** Whether the program reaches the next barrier though the peer has not done its iteration. */
  async #hurries({ barrier, workDone }: Arrival): Promise<boolean> {
    const { party } = this.#options;
    const came = (): boolean => this.#ahead(barrier + 1) >= 0;
    await this.#until(() => came() || this.#load(word.workDone(party)) !== workDone);
    const end = performance.now() + fillLookMs;
    while (!came() && !this.#options.program.hasEnded && performance.now() < end) await sleep(lookMs);
    return came() || this.#options.program.hasEnded;
  }

  async #end(waitedFor: string | null): Promise<Played> {
    const { program } = this.#options;
    if (waitedFor !== null) return { arrivals: this.#arrivals, waitedFor };
    const ended = await this.#until(() => false);
    return { arrivals: this.#arrivals, waitedFor: ended === 'late' && !program.hasEnded ? 'its end' : null };
  }

  async #until(condition: () => boolean): Promise<Came> {
    const { program, timeoutMs, signal } = this.#options;
    const end = performance.now() + timeoutMs;
    for (;;) {
      if (condition()) return 'yes';
      if (program.hasEnded) return condition() ? 'yes' : 'ended';
      if (signal.aborted || performance.now() > end) return 'late';
      await sleep(lookMs);
    }
  }

  /** How far the program's cursor is beyond a barrier; below 0 = it has not come yet. */
  #ahead(barrier: number): number {
    return (this.#load(word.cursor(this.#options.party)) - this.#options.scenario.cursor - barrier) | 0;
  }

  #slot(barrier: number): number {
    return word.decisionAt((this.#options.scenario.cursor + barrier) | 0);
  }

  #load(at: number): number {
    return Atomics.load(this.#words, at);
  }

  #store(at: number, value: number): void {
    Atomics.store(this.#words, at, value | 0);
  }
}

async function sleep(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
