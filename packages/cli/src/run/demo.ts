import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { startExperiment, type ExperimentDraft } from '@deadheat/engine';
import { benchmarkDefaults, defaultSettings, experimentDefaults, type Benchmark, type Command } from '@deadheat/model';
import type { DemoInvocation } from '../arguments/invocation.ts';
import { tool } from '../version.ts';
import { runWithProgress } from './session.ts';
import type { Terminal } from './terminal.ts';

const program = fileURLToPath(new URL('../../demo/digest.js', import.meta.url));
/** About two thirds of a second, so that the start of Node weighs little. */
const turns = 600;

/** Three comparisons of real work with known answers. Returns the exit code. */
export async function demo(invocation: DemoInvocation, terminal: Terminal): Promise<number> {
  const exitCode = await runWithProgress(
    (control) => startExperiment({ ...control, draft: demoDraft(), directory: null, parent: '.deadheat', tool }),
    { choices: invocation, terminal },
  );
  if (exitCode === 0 && invocation.style !== 'none') {
    terminal.stderr.write(
      `\nTry it on your own commands:\n  deadheat 'gzip -6 -k -c big.bin' 'gzip -7 -k -c big.bin'\n`,
    );
  }
  return exitCode;
}

function demoDraft(): ExperimentDraft {
  return {
    name: 'demo',
    benchmarks: [
      benchmark('the same program twice', 1),
      benchmark('3 % more work', 1.03),
      benchmark('twice the work', 2),
    ],
    ...defaultSettings('auto'),
    ...experimentDefaults,
    // A demonstration that cries wolf too often would be a poor one.
    confidence: 0.995,
    stop: { kind: 'enough', minRuns: 20, maxRuns: null, minTimeNs: 20e9 },
    maxTimeNs: 26e9,
    warmupRuns: 1,
    cpus: null,
    seed: randomBytes(4).toString('hex'),
  };
}

function benchmark(name: string, factor: number): Benchmark {
  return {
    ...benchmarkDefaults,
    name,
    commands: { A: command(turns), B: command(Math.round(turns * factor)) },
  };
}

function command(count: number): Command {
  return {
    name: `digest of ${count} MiB`,
    commandLine: `node digest.js ${count}`,
    argv: [process.execPath, program, String(count)],
    executedBy: 'direct',
  };
}
