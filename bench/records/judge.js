// Reads the records of a folder and judges them; prints what that took. Usage: judge.js FOLDER METHOD
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareBenchmark } from '@deadheat/analysis';
import { readWorkloadRecord } from '@deadheat/recording';
import { madeUpExperiment, madeUpTrial } from '../lib/made-up.js';

const [, , directory, method] = process.argv;
const { benchmark, config } = madeUpExperiment(method, { benchmark: { workload: 'harness' } });
const sideOn = (cpu) => ({ cpu, record: 'iterations.jsonl' });
const columnsOf = async (run, side) => {
  const { benchmarks } = await readWorkloadRecord(join(directory, `${run}-${side}.jsonl`));
  return benchmarks[0].iterations;
};

const began = performance.now();
const runs = [];
for (let run = 0; run < readdirSync(directory).length / 2; run++) {
  const trial = madeUpTrial(run, { method, sides: { A: sideOn(0), B: sideOn(1) } });
  runs.push({ trial, iterations: { A: await columnsOf(run, 'A'), B: await columnsOf(run, 'B') } });
}
const read = performance.now();
const { pairs } = compareBenchmark({ runs, benchmark, config });
const judged = performance.now();
if (pairs < 100_000) throw new Error(`${pairs} pairs; expected most of the iterations to have a partner`);
const peakBytes = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ readMs: read - began, judgeMs: judged - read, peakBytes }));
