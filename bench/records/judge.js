// Reads the records of a folder and judges them; prints what that took. Usage: judge.js FOLDER METHOD
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareBenchmark } from '@deadheat/analysis';
import { readWorkloadRecord } from '@deadheat/engine';
import { benchmarkDefaults, defaultSettings, experimentDefaults } from '@deadheat/model';

const [, , directory, method] = process.argv;
const command = { name: 'x', commandLine: 'x', argv: ['/bin/x'], executedBy: 'direct' };
const benchmark = { ...benchmarkDefaults, name: 'x', commands: { A: command, B: command }, workload: 'harness' };
const config = {
  name: 'x',
  benchmarks: [benchmark],
  ...defaultSettings(method),
  ...experimentDefaults,
  cpus: [0, 1],
  seed: 'x',
};
const sideOn = (cpu) => ({
  cpu,
  padBytes: 0,
  exitCode: 0,
  signal: null,
  userNs: 1,
  systemNs: 1,
  maxRssBytes: null,
  voluntarySwitches: 0,
  involuntarySwitches: 0,
  iterations: [],
  record: 'iterations.jsonl',
});
const trialOf = (run) => ({
  trial: run,
  benchmark: 0,
  method,
  run,
  phase: 'measure',
  order: 'AB',
  status: 'ok',
  failures: [],
  wallNs: 25e6,
  sides: { A: sideOn(0), B: sideOn(1) },
  noise: { stealNs: 0, throttledNs: 0, contextSwitches: 0 },
});
const columnsOf = async (run, side) => {
  const { benchmarks } = await readWorkloadRecord(join(directory, `${run}-${side}.jsonl`));
  return benchmarks[0].iterations;
};

const began = performance.now();
const runs = [];
for (let run = 0; run < readdirSync(directory).length / 2; run++) {
  runs.push({ trial: trialOf(run), iterations: { A: await columnsOf(run, 'A'), B: await columnsOf(run, 'B') } });
}
const read = performance.now();
const { pairs } = compareBenchmark({ runs, benchmark, config });
const judged = performance.now();
if (pairs < 100_000) throw new Error(`${pairs} pairs; expected most of the iterations to have a partner`);
const peakBytes = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ readMs: read - began, judgeMs: judged - read, peakBytes }));
