// The peer that most people have: hyperfine, and the test that its users apply to its files.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mean, welchTTest } from '@deadheat/stats';

/**
 * All runs of A, then all runs of B, as hyperfine makes them, after a warm-up run of each.
 *
 * @param {{ A: string, B: string }} commands
 * @param {{ runs: number, json: string }} options
 * @returns {{ A: number[], B: number[], seconds: number } | null} times in seconds; null where it is not installed
 */
export function timesByHyperfine({ A, B }, { runs, json }) {
  const began = performance.now();
  try {
    const counts = ['--runs', String(runs), '--warmup', '1', '--export-json', json];
    // Two commands that are the same need two names.
    execFileSync('hyperfine', ['-N', ...counts, A, A === B ? `${B} ` : B], { stdio: 'ignore' });
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
  const seconds = (performance.now() - began) / 1000;
  const [a, b] = JSON.parse(readFileSync(json, 'utf8')).results.map(({ times }) => times);
  return { A: a, B: b, seconds };
}

/** Welch's test of the difference of the means, and the width of its interval over the mean of A. */
export function judgeByWelch({ A, B }, confidence) {
  const { low, high } = welchTTest(B, A, { level: confidence }).interval;
  const verdict = low > 0 ? 'slower' : high < 0 ? 'faster' : 'undecided';
  return { verdict, width: (high - low) / mean(A) };
}
