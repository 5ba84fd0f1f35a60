// How often the gate fails although twenty benchmarks do not differ: npm run bench -- family [minutes, default 5.5]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeGate } from '@deadheat/analysis';
import { calibrateCommand, deadheat, printMachine, printTable, quote, workload } from '../lib/tools.js';

const benchmarks = 20;
const runs = 20;
const milliseconds = 8;
const confidence = 0.9;
/** What the gate of each correction promises: no more than half of 1 - confidence. */
const level = (1 - confidence) / 2;
const corrections = ['none', 'holm', 'benjamini-hochberg'];

export async function run([minutes = '5.5']) {
  printMachine();
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-bench-'));
  const until = performance.now() + Number(minutes) * 60_000;
  const failed = Object.fromEntries(corrections.map((correction) => [correction, 0]));
  let experiments = 0;
  let slower = 0;
  let longest = 0;
  try {
    const execute = workload('integer');
    const command = JSON.stringify(quote(execute(calibrateCommand(execute, milliseconds))));
    const names = Array.from({ length: benchmarks }, (_, index) => `  pair ${index + 1}: { command: ${command} }\n`);
    const file = join(folder, 'deadheat.yaml');
    writeFileSync(file, `confidence: ${confidence}\nruns: ${runs}\nbenchmarks:\n${names.join('')}`);
    // One that would end behind the limit is not begun.
    while (performance.now() + longest < until) {
      const began = performance.now();
      const { report } = await deadheat(['run', '--seed', `family-${experiments}`, '--no-summary', file]);
      longest = Math.max(longest, performance.now() - began);
      experiments += 1;
      slower += report.comparisons.filter(({ verdict }) => verdict === 'slower').length;
      const judged = report.comparisons.map((comparison) => ({ comparison, waiver: null }));
      for (const correction of corrections) {
        const { gate } = judgeGate({ judged, correction, today: report.experiment.startedAt.slice(0, 10) });
        if (gate.outcome === 'failed') failed[correction] += 1;
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const promised = `${Number((level * 100).toPrecision(3))} %`;
  const share = (count, of) => `${count} of ${of} (${((100 * count) / of).toFixed(1)} %)`;
  console.log(
    `${experiments} experiments of ${benchmarks} benchmarks, ${runs} runs of ${milliseconds} ms each, A against itself, at ${confidence * 100} %:\n` +
      `single comparisons said slower: ${share(slower, experiments * benchmarks)}; ${promised} are expected\n`,
  );
  const alone = (1 - (1 - level) ** benchmarks) * 100;
  printTable(
    ['correction', 'experiments in which the gate failed', 'expected'],
    corrections.map((correction) => [
      correction,
      share(failed[correction], experiments),
      correction === 'none' ? `${alone.toFixed(0)} %, if they were independent` : `at most ${promised}`,
    ]),
  );
}
