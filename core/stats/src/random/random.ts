/**
 * A stream of random numbers that a seed determines completely, on every machine.
 *
 * Everything in this package that draws takes one of these as an argument; nothing draws from a hidden source. A stream is
 * stateful: each call moves it on.
 */
export interface Random {
  /** A number in [0, 1) with 53 random bits. */
  next(): number;
  /** An integer in [0, 2^32). */
  uint32(): number;
  /** Fills the array with random 32-bit words, two for each step of the generator: the fast way to many. */
  fill(words: Uint32Array): void;
  /** An integer in [0, n), every value equally likely (no modulo bias). `RangeError` unless 1 <= n <= 2^53 - 1, an integer. */
  int(n: number): number;
  /** A draw from the standard normal distribution. */
  normal(): number;
  /** Moves on by 2^128 draws, so that what follows cannot overlap with what a copy would have drawn. */
  jump(): void;
  /**
   * A child that goes on from here, while this stream jumps: the two never overlap as long as the child neither jumps nor splits
   * itself.
   */
  split(): Random;
}
