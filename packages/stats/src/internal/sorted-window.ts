import { quantilePosition } from './quantile-of-selectable.ts';

/** A window of values kept in order. Adding and removing cost a binary search and a move: O(window). */
export class SortedWindow {
  readonly #values: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#values = new Float64Array(capacity);
  }

  #place(value: number): number {
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#values[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  add(value: number): void {
    const place = this.#place(value);
    this.#values.copyWithin(place + 1, place, this.#size);
    this.#values[place] = value;
    this.#size++;
  }

  remove(value: number): void {
    const place = this.#place(value);
    this.#values.copyWithin(place, place + 1, this.#size);
    this.#size--;
  }

  /** Quantile of type 7. */
  quantile(p: number): number {
    const { index, weight } = quantilePosition(this.#size, p, 7);
    const low = this.#values[Math.max(0, index - 1)]!;
    if (weight === 0 || index >= this.#size) return low;
    return low + weight * (this.#values[index]! - low);
  }
}
