const maximumInvocations = 2 ** 31 - 1;
const largestStep = 16;
const agreement = 0.1;
const maximumRounds = 40;

/**
 * Finds the number of invocations that takes a wanted time. The number of invocations grows geometrically, since the
 * first ones are not yet compiled. The search ends when two rounds in a row, both of at least half the wanted time,
 * agree within 10 % on the time of an invocation, and after 40 rounds in any case. A function that the compiler makes
 * faster only after that gets shorter iterations than wanted, but both sides have the same number of invocations.
 *
 * The caller executes `next` invocations and passes their time to `observe` until `result` is a number.
 */
export class Calibration {
  readonly #targetNs: number;
  #next = 1;
  #result: number | null = null;
  #previousNs: number | null = null;
  #rounds = 0;

  /** `targetNs`: the wanted time, above 0. */
  constructor(targetNs: number) {
    this.#targetNs = targetNs;
  }

  /** Invocations to do now. */
  get next(): number {
    return this.#next;
  }

  /** Invocations that take the wanted time, at least 1; `null` until that is known. */
  get result(): number | null {
    return this.#result;
  }

  /** `elapsedNs`: time that the `next` invocations took; 0 where the clock has not moved. */
  observe(elapsedNs: number): void {
    this.#rounds += 1;
    const perInvocation = elapsedNs / this.#next;
    const wanted = clamp(Math.round(this.#targetNs / perInvocation));
    const longEnough = elapsedNs >= this.#targetNs / 2;
    const previous = this.#previousNs;
    const agrees = previous !== null && Math.abs(perInvocation - previous) <= agreement * previous;
    if ((longEnough && agrees) || this.#rounds >= maximumRounds || this.#next >= maximumInvocations) {
      this.#result = wanted;
      return;
    }
    this.#previousNs = longEnough ? perInvocation : null;
    this.#next = longEnough ? wanted : Math.min(wanted, clamp(this.#next * largestStep));
  }
}

function clamp(invocations: number): number {
  return Math.min(Math.max(invocations, 1), maximumInvocations);
}
