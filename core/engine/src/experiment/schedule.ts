import { needsRunsAlone } from '@deadheat/analysis';
import { lanesOf, sides, stopRuleOf, type ExperimentConfig, type Trial } from '@deadheat/model';
import { occupiedCpus, planTrial, roundOrder } from '../plan/plan-trial.ts';
import { isCountingDue } from './counting-runs.ts';
import { isOutputCheckDue } from './output-checks.ts';
import { awaitsPilot, needsPilot, type RunPlace, type BenchmarkState } from './benchmark-state.ts';

/** A run that is in flight. */
interface Flight extends RunPlace {
  readonly group: number;
  /** CPUs that it occupies; `null` = it keeps all others from beginning. */
  readonly cpus: readonly number[] | null;
}

/**
 * Says which run begins next: randomised rounds over all benchmarks that still need runs, in which each of them has one run.
 * Tandems may be in flight at the same time, each on the core that was drawn for it. Every other run has the machine to
 * itself, and so has the first run of a benchmark, before which it is set up and in which its program calibrates itself.
 */
export class Schedule {
  readonly #config: ExperimentConfig;
  readonly #benchmarkStates: readonly BenchmarkState[];
  readonly #flights = new Set<Flight>();
  readonly #begun = new Set<number>();
  #round = 0;
  /** Benchmarks that have no run of the current round yet. */
  #open: number[] = [];

  constructor(config: ExperimentConfig, benchmarkStates: readonly BenchmarkState[]) {
    this.#config = config;
    this.#benchmarkStates = benchmarkStates;
  }

  get inFlight(): number {
    return this.#flights.size;
  }

  /** The run that begins now, and the function to call at its end; `null` = none before another run ends, or none at all. */
  next(): { readonly state: BenchmarkState; readonly place: RunPlace; readonly end: () => void } | null {
    if (this.#flights.size >= this.#config.lanes || this.#isAlone()) return null;
    // One round that is left, and a whole one.
    for (let rounds = 0; rounds < 2; rounds++) {
      for (const index of this.#open) {
        const state = this.#benchmarkStates[index];
        if (state === undefined || !this.#wants(state)) continue;
        const flight = this.#begin(state);
        if (flight === 'wait') return null;
        if (flight === null) continue;
        this.#open = this.#open.filter((other) => other !== index);
        this.#flights.add(flight);
        const end = (): void => {
          this.#flights.delete(flight);
          this.#begun.add(state.group);
        };
        return { state, place: flight, end };
      }
      if (this.#open.some((index) => this.#wants(this.#benchmarkStates[index]))) return null;
      this.#beginRound();
    }
    return null;
  }

  #isAlone(): boolean {
    return [...this.#flights].some(({ cpus }) => cpus === null);
  }

  #beginRound(): void {
    const { schedule, seed } = this.#config;
    const benchmarks = this.#benchmarkStates.filter((state) => this.#wants(state)).map(({ index }) => index);
    if (benchmarks.length === 0) return;
    const round = this.#round++;
    this.#open = [...(schedule === 'sequential' ? benchmarks.slice(0, 1) : roundOrder({ seed, round, benchmarks }))];
  }

  /** True if a benchmark may need more runs than those in flight now; where none is in flight, the decision alone counts. */
  #wants(state: BenchmarkState | undefined): boolean {
    if (state?.decision.kind !== 'go-on' || awaitsPilot(state)) return false;
    const flying = this.#own(state, 'measure').length;
    return flying === 0 || state.runs + flying < stopRuleOf(state.config.stop).mostRuns;
  }

  /** A run of a benchmark; `wait` = when all others are over; `null` = when one of them is. */
  #begin(state: BenchmarkState): Flight | 'wait' | null {
    const { index: benchmark, group, config, warmups, pilots } = state;
    const common = { benchmark, group };
    const isFirst = !this.#begun.has(group);
    if (needsPilot(state) || isRunAloneDue(state) || isOutputCheckDue(state))
      return this.#alone({ ...common, phase: 'pilot', run: pilots });
    if (isCountingDue(state)) {
      return this.#alone({ ...common, phase: 'pilot', run: state.countingTrials.length, counting: true });
    }
    const warming = this.#own(state, 'warmup').length;
    if (warmups < config.warmupRuns) {
      const run = warmups + warming;
      if (run >= config.warmupRuns) return null;
      const place = { ...common, phase: 'warmup', run } as const;
      return isFirst || !canShare(state) ? this.#alone(place) : this.#onItsCore(state, place);
    }
    const flying = new Set(this.#own(state, 'measure').map(({ run }) => run));
    function isOpen(run: number): boolean {
      return !state.finishedRuns.has(run) && !flying.has(run);
    }
    const open = upwards(state.finishedRuns.firstOpen, isOpen);
    if (isFirst || !canShare(state)) {
      return this.#alone({ ...common, phase: 'measure', run: open.next().value });
    }
    // Each of as many successive runs as there are cores has another benchmark, so that every core finds one among twice as many.
    const cores = Math.max(2, config.tandemCpus.length);
    const end = state.firstRun + stopRuleOf(state.config.stop).mostRuns;
    for (let tried = 0; tried < 2 * cores; tried++) {
      const { value: run } = open.next();
      if (run >= end) return null;
      const flight = this.#onItsCore(state, { ...common, phase: 'measure', run });
      if (flight !== null) return flight;
    }
    return null;
  }

  #alone(place: Omit<Flight, 'cpus'>): Flight | 'wait' {
    return this.#flights.size === 0 ? { ...place, cpus: null } : 'wait';
  }

  #onItsCore({ config }: BenchmarkState, place: Omit<Flight, 'cpus'>): Flight | null {
    const cpus = occupiedCpus(planTrial(config, place));
    const isFree = [...this.#flights].every((flight) => flight.cpus?.every((cpu) => !cpus.includes(cpu)) === true);
    return isFree ? { ...place, cpus } : null;
  }

  #own({ index }: BenchmarkState, phase: Flight['phase']): readonly Flight[] {
    return [...this.#flights].filter((flight) => flight.benchmark === index && flight.phase === phase);
  }
}

/** True if each side of a tandem is to be run alone next, for its ratio alone: every third run, between those that are judged. */
function isRunAloneDue({ benchmark, config, pilots, runs }: BenchmarkState): boolean {
  return 2 * pilots < runs && needsRunsAlone(benchmark, config);
}

/**
 * True if runs of a benchmark may be in flight beside others: stability that is followed from run to run needs them in order, and a file that a side writes in
 * every run is for one at a time.
 */
function canShare({ config, pilotTrials }: BenchmarkState): boolean {
  return lanesOf(config.method, config.lanes) > 1 && config.stable === null && !writesAgain(pilotTrials);
}

/** True if a side wrote a file of the same path in more than one of these runs. */
function writesAgain(trials: readonly Trial[]): boolean {
  return sides.some((side) => {
    const written = trials.flatMap((trial) => trial.sides[side].observed?.written ?? []);
    return new Set(written).size < written.length;
  });
}

function* upwards(first: number, isOpen: (run: number) => boolean): Generator<number, never> {
  for (let run = first; ; run++) if (isOpen(run)) yield run;
}
