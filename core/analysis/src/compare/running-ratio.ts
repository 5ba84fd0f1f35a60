import { methodFacts, type SideResult, type Trial } from '@deadheat/model';
import { studentTQuantile } from '@deadheat/stats';

/** Below this number of runs an interval says nothing. */
const fewest = 3;

/**
 * The ratio B / A of the runs so far, to be shown while an experiment runs: the geometric mean of the runs' ratios with Student's t
 * interval. It is no verdict: it knows neither warm-up nor correlated neighbours, and who watches it stops by chance. Each run costs the
 * same, however many came before.
 */
export class RunningRatio {
  #runs = 0;
  #mean = 0;
  #squares = 0;

  /** Takes a run whose sides hold their iterations; any other is passed over. */
  add({ status, phase, method, sides }: Pick<Trial, 'status' | 'phase' | 'method' | 'sides'>): void {
    if (status !== 'ok' || phase !== 'measure') return;
    const isByCpu = methodFacts[method].ownTime === 'cpu';
    const log = Math.log(timeOf(sides.B, isByCpu) / timeOf(sides.A, isByCpu));
    if (!Number.isFinite(log)) return;
    this.#runs += 1;
    const distance = log - this.#mean;
    this.#mean += distance / this.#runs;
    this.#squares += distance * (log - this.#mean);
  }

  /** `null` with fewer than three runs. */
  ratio(confidence: number): { readonly estimate: number; readonly low: number; readonly high: number } | null {
    const runs = this.#runs;
    if (runs < fewest) return null;
    const error = Math.sqrt(this.#squares / (runs - 1) / runs);
    const reach = studentTQuantile((1 + confidence) / 2, runs - 1) * error;
    const [estimate, low, high] = [this.#mean, this.#mean - reach, this.#mean + reach].map(Math.exp);
    return { estimate: estimate ?? 1, low: low ?? 0, high: Math.min(high ?? 0, Number.MAX_VALUE) };
  }
}

/** Time of all iterations of a side that are no warm-up, ns; of a tandem its CPU time. 0 where the program holds its iterations. */
function timeOf({ iterations, userNs, systemNs }: SideResult, isByCpu: boolean): number {
  if (isByCpu && userNs !== null && systemNs !== null) return userNs + systemNs;
  return iterations.reduce((sum, { s, e, w, p }) => sum + (p === 'warmup' ? 0 : (w ?? e - s)), 0);
}
