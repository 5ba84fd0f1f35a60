// Ways of measuring that take turns in one run, so that all of them meet the same moments of a machine that is not quiet.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadheat } from './tools.js';

/**
 * Makes an experiment in parts, one after the other; in each part every benchmark has some runs that follow each other. Its runs
 * are judged together in the end.
 *
 * @param {Record<string, object>} benchmarks by name, as in deadheat.yaml
 * @param {object} options
 * @param {object} options.settings of all of them, as in deadheat.yaml, with `runs`
 * @param {number} options.turns at most half of the runs
 * @param {string} options.seed
 * @param {(recording: string) => Promise<void>} [options.inspect] is called before the recording is removed
 * @returns its report
 */
export async function takeTurns(benchmarks, { settings, turns, seed, inspect = async () => {} }) {
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-turns-'));
  try {
    const file = join(folder, 'deadheat.yaml');
    const whole = { name: 'turns', schedule: 'sequential', 'max-time': 'none', ...settings, seed, benchmarks };
    writeFileSync(file, JSON.stringify(whole));
    const parts = Array.from({ length: turns }, (_, turn) => join(folder, 'parts', String(turn)));
    for (const [turn, output] of parts.entries()) {
      const part = ['--part', `${turn + 1}/${turns}`, '--experiment-id', seed];
      await deadheat(['run', file, ...part, '--no-summary'], { output });
    }
    const output = join(folder, 'whole');
    const { report } = await deadheat(['ci', 'merge', ...parts], { output });
    await inspect(output);
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
