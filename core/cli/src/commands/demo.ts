import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { ExperimentDraft } from '@deadheat/engine';
import { benchmarkDefaults, defaultSettings, experimentDefaults, type Benchmark, type Command } from '@deadheat/model';
import { runDraft } from 'deadheat/internals';
import { type Command as CommandValue, defineCommand } from '../command/define-command.ts';
import { outputOptions, toOutputChoices } from '../command/output-options.ts';
import { runWithProgress } from '../experiment/run-with-progress.ts';

const program = fileURLToPath(new URL('../../demo/digest.js', import.meta.url));
/** CPU time of an execution of A: long beside the slices of about 3 ms by which the sides of a tandem take turns on their core. */
const executionNs = 250e6;
/** Runs of each comparison; beside two busy loops all of them take half a minute. */
const runs = 10;
/** How executions are made to learn what the start of Node and a turn cost. */
const costs = { executions: 5, turns: 100 };

/** `deadheat demo`: three comparisons of real work with known answers. */
export const demo: CommandValue = defineCommand({
  description: 'Makes three comparisons of bundled programs, in less than a minute.',
  options: outputOptions,
  act: async (values, _args, terminal) => {
    const choices = toOutputChoices(values);
    const exitCode = await runWithProgress((control) => runDraft(demoDraft(), control), { choices, terminal });
    const npx = terminal.env['npm_command'] === 'exec' ? 'npx ' : '';
    if (exitCode === 0 && choices.style !== 'none') {
      terminal.stderr.write(
        `\nTry two commands:\n  seq 400000 > numbers.txt\n  ${npx}deadheat 'gzip -6 -c numbers.txt' 'gzip -7 -c numbers.txt'\n`,
      );
    }
    return exitCode;
  },
});

function demoDraft(): ExperimentDraft {
  const cost = measureCost();
  return {
    name: 'demo',
    benchmarks: [
      benchmark('the same program twice', { cost, factor: 1 }),
      benchmark('3 % more work', { cost, factor: 1.03 }),
      benchmark('twice the work', { cost, factor: 2 }),
    ],
    ...defaultSettings('auto'),
    ...experimentDefaults,
    // A demonstration that cries wolf too often would be a poor one.
    confidence: 0.995,
    // Of so few runs a percentile interval would miss more often than it says.
    interval: 't',
    stop: { kind: 'runs', runs },
    maxTimeNs: 17e9,
    warmupRuns: 1,
    cpus: null,
    seed: randomBytes(4).toString('hex'),
  };
}

interface Cost {
  /** CPU time of a turn. */
  readonly turnNs: number;
  /** The start of Node in turns, which depends on the processor: some compute digests in hardware. */
  readonly startTurns: number;
}

function measureCost(): Cost {
  let startUs = 0;
  let turnsUs = 0;
  for (let execution = 0; execution < costs.executions; execution++) {
    const told = execFileSync(process.execPath, [program, String(costs.turns), 'cost'], { encoding: 'utf8' });
    const [start = 0, turns = 0] = told.split(' ').map(Number);
    startUs += start;
    turnsUs += turns;
  }
  const turnUs = turnsUs / costs.executions / costs.turns;
  return { turnNs: turnUs * 1000, startTurns: startUs / costs.executions / turnUs };
}

/** B does `factor` times the work of A, the start of Node included. */
function benchmark(
  name: string,
  { cost: { turnNs, startTurns }, factor }: { readonly cost: Cost; readonly factor: number },
): Benchmark {
  const whole = Math.max(executionNs / turnNs, 2 * startTurns);
  const turns = (times: number): number => Math.round(whole * times - startTurns);
  return { ...benchmarkDefaults, name, commands: { A: command(turns(1)), B: command(turns(factor)) } };
}

function command(count: number): Command {
  return {
    name: `digest of ${count} MiB`,
    commandLine: `node digest.js ${count}`,
    argv: [process.execPath, program, String(count)],
    executedBy: 'direct',
  };
}
