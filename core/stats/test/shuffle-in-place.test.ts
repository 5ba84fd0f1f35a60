import { expect, it } from 'vitest';
import { createRandom, shuffleInPlace, shuffle } from '../src/random/create-random.ts';

it('shuffling in place gives the order that shuffle gives', () => {
  for (const length of [0, 1, 2, 7, 100]) {
    const values = Float64Array.from({ length }, (_, i) => i);
    const expected = shuffle(values, createRandom(length));
    shuffleInPlace(values, createRandom(length));
    expect([...values]).toEqual(expected);
  }
});
