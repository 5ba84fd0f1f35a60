import type { JsonReducer } from '../json/json-reducer.ts';

/** Takes the iterations of forks, in their order. */
export interface ForkSink {
  /** A fork begins. */
  readonly fork: () => void;
  /** The mean score of an iteration, and how many samples are behind it: 1 outside of the sample mode. */
  readonly iteration: (mean: number, count: number) => void;
}

/**
 * JMH's `rawData` ([fork][iteration] of scores) or `rawDataHistogram` ([fork][iteration] of [value, count]) without
 * building it. Texts (`"NaN"`) and anything that has another shape become NaN, which the sink has to refuse.
 */
export class JmhScores implements JsonReducer {
  readonly #isHistogram: boolean;
  readonly #sink: ForkSink;
  #depth = 0;
  #sum = 0;
  #count = 0;
  #value: number | null = null;

  constructor(isHistogram: boolean, sink: ForkSink) {
    this.#isHistogram = isHistogram;
    this.#sink = sink;
  }

  readonly open = (): void => {
    this.#depth += 1;
    if (this.#depth === 1) this.#sink.fork();
    if (this.#depth === 2) {
      this.#sum = 0;
      this.#count = 0;
    }
    this.#value = null;
  };

  readonly close = (): void => {
    if (this.#depth === 2) this.#sink.iteration(this.#sum / this.#count, this.#count);
    this.#depth -= 1;
  };

  readonly key = (): void => {
    this.#sum = Number.NaN;
  };

  readonly value = (found: string | number | boolean | null): void => {
    const number = typeof found === 'number' ? found : Number.NaN;
    if (!this.#isHistogram) {
      this.#sink.iteration(this.#depth === 1 ? number : Number.NaN, 1);
    } else if (this.#depth !== 3) {
      this.#sum = Number.NaN;
    } else if (this.#value === null) {
      this.#value = number;
    } else {
      this.#sum += this.#value * number;
      this.#count += number;
    }
  };

  readonly finish = (): this => this;
}
