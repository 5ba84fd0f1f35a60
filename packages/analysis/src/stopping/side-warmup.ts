import type { DynamicReconfiguration } from './dynamic-reconfiguration.ts';
import type { IterationSample } from './iteration-sample.ts';
import type { StabilityCheck } from './stability-check.ts';
import type { StoppingOptions } from './stopping-options.ts';

/** Where the warm-up of one side of a run ends, iteration by iteration, whatever the other side does. */
export class SideWarmup {
  readonly #reconfiguration: DynamicReconfiguration;
  readonly #combine: StoppingOptions['combine'];
  #taken = 0;
  #length: number | null = null;
  #checks: readonly StabilityCheck[] = [];

  /** @param reconfiguration of one side that warms up; its fork is begun here. */
  constructor(reconfiguration: DynamicReconfiguration, combine: StoppingOptions['combine']) {
    this.#reconfiguration = reconfiguration;
    this.#combine = combine;
    reconfiguration.beginFork();
  }

  /** Iterations that it took; `null` while it goes on. */
  get length(): number | null {
    return this.#length;
  }

  /** What the criteria said last, of the only side. */
  get checks(): readonly StabilityCheck[] {
    return this.#checks;
  }

  /** Whether it was stable at the last look; `false` at its end: the cap was reached. */
  get stable(): boolean {
    if (this.#checks.length === 0) return false;
    const isStable = ({ stable }: StabilityCheck): boolean => stable;
    return this.#combine === 'any' ? this.#checks.some(isStable) : this.#checks.every(isStable);
  }

  /**
   * Takes the times of invocations in the next iteration, ns; what comes after the end is not looked at.
   *
   * @throws RangeError as `drawInvocations`.
   */
  take(times: IterationSample): void {
    if (this.#length !== null) return;
    const { next, checks } = this.#reconfiguration.observe(times);
    this.#taken++;
    this.#checks = checks;
    if (next !== 'warmup') this.#length = this.#taken;
  }
}
