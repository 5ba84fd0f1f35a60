import type { ExperimentConfig } from '@deadheat/model';
import { occupiedCpus, planTrial, roundOrder } from '../plan/index.ts';
import { awaitsPilot, needsPilot, type RunPlace, type Track } from './benchmark-state.ts';

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
  readonly #tracks: readonly Track[];
  readonly #flights = new Set<Flight>();
  readonly #begun = new Set<number>();
  #round = 0;
  /** Benchmarks that have no run of the current round yet. */
  #open: number[] = [];

  constructor(config: ExperimentConfig, tracks: readonly Track[]) {
    this.#config = config;
    this.#tracks = tracks;
  }

  get inFlight(): number {
    return this.#flights.size;
  }

  /** The run that begins now, and what is called at its end; `null` = none before another run ends, or none at all. */
  next(): { readonly track: Track; readonly place: RunPlace; readonly end: () => void } | null {
    if (this.#flights.size >= this.#config.lanes || this.#isAlone()) return null;
    // One round that is left, and a whole one.
    for (let rounds = 0; rounds < 2; rounds++) {
      for (const index of this.#open) {
        const track = this.#tracks[index];
        if (track === undefined || !this.#wants(track)) continue;
        const flight = this.#begin(track);
        if (flight === 'wait') return null;
        if (flight === null) continue;
        this.#open = this.#open.filter((other) => other !== index);
        this.#flights.add(flight);
        const end = (): void => {
          this.#flights.delete(flight);
          this.#begun.add(track.group);
        };
        return { track, place: flight, end };
      }
      if (this.#open.some((index) => this.#wants(this.#tracks[index]))) return null;
      this.#beginRound();
    }
    return null;
  }

  #isAlone(): boolean {
    return [...this.#flights].some(({ cpus }) => cpus === null);
  }

  #beginRound(): void {
    const { schedule, seed } = this.#config;
    const benchmarks = this.#tracks.filter((track) => this.#wants(track)).map(({ index }) => index);
    if (benchmarks.length === 0) return;
    const round = this.#round++;
    this.#open = [...(schedule === 'sequential' ? benchmarks.slice(0, 1) : roundOrder({ seed, round, benchmarks }))];
  }

  /** Whether a benchmark may need more runs than those in flight now; where none is, the decision alone says so. */
  #wants(track: Track | undefined): boolean {
    if (track?.decision.kind !== 'go-on' || awaitsPilot(track)) return false;
    const flying = this.#own(track, 'measure').length;
    return flying === 0 || track.runs + flying < mostRuns(track);
  }

  /** A run of a benchmark; `wait` = when all others are over; `null` = when one of them is. */
  #begin(track: Track): Flight | 'wait' | null {
    const { index: benchmark, group, config, warmups, pilots } = track;
    const common = { benchmark, group };
    const isFirst = !this.#begun.has(group);
    if (needsPilot(track)) return this.#alone({ ...common, phase: 'pilot', run: pilots });
    const warming = this.#own(track, 'warmup').length;
    if (warmups < config.warmupRuns) {
      const run = warmups + warming;
      if (run >= config.warmupRuns) return null;
      const place = { ...common, phase: 'warmup', run } as const;
      return isFirst || !canShare(track) ? this.#alone(place) : this.#onItsCore(track, place);
    }
    const flying = new Set(this.#own(track, 'measure').map(({ run }) => run));
    const isOpen = (run: number): boolean => !track.made.has(run) && !flying.has(run);
    const open = upwards(track, isOpen);
    if (isFirst || !canShare(track)) {
      return this.#alone({ ...common, phase: 'measure', run: open.next().value });
    }
    // Of as many successive runs as there are cores each has another one, so that every core finds one among twice as many.
    const cores = Math.max(2, config.tandemCpus.length);
    const end = track.firstRun + mostRuns(track);
    for (let tried = 0; tried < 2 * cores; tried++) {
      const { value: run } = open.next();
      if (run >= end) return null;
      const flight = this.#onItsCore(track, { ...common, phase: 'measure', run });
      if (flight !== null) return flight;
    }
    return null;
  }

  #alone(place: Omit<Flight, 'cpus'>): Flight | 'wait' {
    return this.#flights.size === 0 ? { ...place, cpus: null } : 'wait';
  }

  #onItsCore({ config }: Track, place: Omit<Flight, 'cpus'>): Flight | null {
    const cpus = occupiedCpus(planTrial(config, place));
    const isFree = [...this.#flights].every((flight) => flight.cpus?.every((cpu) => !cpus.includes(cpu)) === true);
    return isFree ? { ...place, cpus } : null;
  }

  #own({ index }: Track, phase: Flight['phase']): readonly Flight[] {
    return [...this.#flights].filter((flight) => flight.benchmark === index && flight.phase === phase);
  }
}

/** Whether runs of a benchmark may be in flight beside others: what follows stability from run to run needs them in order. */
function canShare({ config }: Track): boolean {
  return config.lanes > 1 && config.method === 'tandem' && config.stable === null;
}

/** Most runs that a rule allows. */
function mostRuns({ config: { stop } }: Track): number {
  return stop.kind === 'runs' ? stop.runs : (stop.maxRuns ?? Infinity);
}

function* upwards(track: Track, isOpen: (run: number) => boolean): Generator<number, never> {
  while (track.made.has(track.firstOpen)) track.firstOpen++;
  for (let run = track.firstOpen; ; run++) if (isOpen(run)) yield run;
}
