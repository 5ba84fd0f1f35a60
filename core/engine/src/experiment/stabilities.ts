import { ApartStability, RunStability } from '@deadheat/analysis';
import { configOf, type ExperimentConfig, type Params, type Side, type Trial } from '@deadheat/model';
import {
  findRecorded,
  recordedNames,
  type RecordedName,
  reportedBenchmark,
  type RecordedSides,
  type RecordedTrials,
} from '@deadheat/recording';

/** The stability of every benchmark that the programs of an experiment hold, where warm-up ends when it is stable. */
export class Stabilities {
  #config: ExperimentConfig;
  readonly #met: Known<RunStability>;
  readonly #apart: Known<ApartStability>;

  constructor(config: ExperimentConfig) {
    this.#config = config;
    this.#met = new Known((entry, name) => this.#create(entry, name, (followed) => RunStability.of(followed)));
    this.#apart = new Known((entry, name) => this.#create(entry, name, (followed) => ApartStability.of(followed)));
  }

  #create<Stability>(
    entry: number,
    name: RecordedName,
    create: (followed: Parameters<typeof RunStability.of>[0]) => Stability | null,
  ): Stability | null {
    const benchmark = this.#config.benchmarks[entry];
    if (benchmark === undefined) return null;
    const reported = reportedBenchmark(name, { entry: benchmark, config: this.#config });
    return create({ benchmark: { ...benchmark, ...reported }, config: configOf(this.#config, benchmark) });
  }

  /** Goes on with a configuration in which the method of an entry was chosen; its state so far is dropped. */
  use(config: ExperimentConfig, entry: number): void {
    this.#config = config;
    this.#met.forget(entry);
    this.#apart.forget(entry);
  }

  /** True if the warm-up of an entry's programs, which use a shared page, ends when it is stable. */
  follows(entry: number): boolean {
    return this.#met.has(entry);
  }

  /** True if the iterations of an entry's programs are classified as warm-up from outside. */
  followsApart(entry: number): boolean {
    return this.#apart.has(entry);
  }

  /** @throws RangeError for an entry that `follows` denies */
  of(entry: number, name: RecordedName): RunStability {
    return this.#met.of(entry, name);
  }

  /**
   * The stability of the only benchmark that an entry's programs hold, followed while they run; it takes no runs.
   *
   * @throws RangeError for an entry that `followsApart` denies
   */
  lookApart(entry: number, params: Params): ApartStability {
    return this.#apart.make(entry, { benchmark: this.#config.benchmarks[entry]?.name ?? '', params });
  }

  /** True if every benchmark of an entry has enough runs by the criteria; `false` where they are not asked for. */
  areEnough(entry: number): boolean {
    const all = [...this.#met.allOf(entry), ...this.#apart.allOf(entry)];
    return all.length > 0 && all.every(({ isEnough }) => isEnough);
  }

  /** Numbers of warm-up iterations in the records of the sides of a run, where they are decided from outside. */
  classify(
    entry: number,
    run: Pick<Trial, 'run' | 'phase'>,
    recorded: RecordedSides,
  ): Readonly<Record<Side, readonly number[]>> {
    const apart = this.#apart;
    function lengths(side: Side): number[] {
      return recorded[side].map(({ benchmark, params }) => {
        const { A, B } = findRecorded(recorded, { benchmark, params });
        if (A === undefined || B === undefined) return 0;
        const stability = apart.of(entry, { benchmark, params });
        return stability.classify(run, { A: A.iterations, B: B.iterations })[side];
      });
    }
    return { A: lengths('A'), B: lengths('B') };
  }

  /** Adds finished runs that were not followed during their execution. */
  replay(trials: readonly Trial[], records: RecordedTrials): void {
    for (const trial of trials) {
      if (trial.status !== 'ok') continue;
      const [isMet, isApart] = [this.follows(trial.benchmark), this.followsApart(trial.benchmark)];
      if (!isMet && !isApart) continue;
      for (const name of recordedNames([trial], records)) {
        const { A, B } = findRecorded(records.get(trial.trial), name);
        if (A === undefined || B === undefined) continue;
        const iterations = { A: A.iterations, B: B.iterations };
        if (isApart) this.#apart.of(trial.benchmark, name).take(trial, iterations);
        if (!isMet) continue;
        const stability = this.#met.of(trial.benchmark, name);
        stability.follow(iterations, { from: 0, step: stability.begin(trial) });
      }
    }
  }
}

/** The stabilities of benchmarks, one each, created at the first request. */
class Known<Stability> {
  readonly #create: (entry: number, name: RecordedName) => Stability | null;
  /** By entry of the configuration, and there by name and parameters. */
  readonly #known = new Map<number, Map<string, Stability>>();

  constructor(create: (entry: number, name: RecordedName) => Stability | null) {
    this.#create = create;
  }

  has(entry: number): boolean {
    return this.#create(entry, { benchmark: '', params: {} }) !== null;
  }

  allOf(entry: number): readonly Stability[] {
    return [...(this.#known.get(entry)?.values() ?? [])];
  }

  of(entry: number, { benchmark, params }: RecordedName): Stability {
    const key = JSON.stringify([benchmark, Object.entries(params)]);
    const ofEntry = this.#known.get(entry) ?? new Map<string, Stability>();
    const known = ofEntry.get(key);
    if (known !== undefined) return known;
    const made = this.make(entry, { benchmark, params });
    this.#known.set(entry, ofEntry.set(key, made));
    return made;
  }

  forget(entry: number): void {
    this.#known.delete(entry);
  }

  /** @throws RangeError for an entry that `has` denies */
  make(entry: number, name: RecordedName): Stability {
    const made = this.#create(entry, name);
    if (made === null) throw new RangeError(`entry ${entry} is not followed`);
    return made;
  }
}
