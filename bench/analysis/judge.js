// Judges a made-up recording of 1 000 pairs twice and prints both times in milliseconds. Usage: judge.js SWAP
import { compareBenchmark, measuredRuns } from '@deadheat/analysis';
import { benchmarkDefaults, defaultSettings, experimentDefaults } from '@deadheat/model';
import { createRandom } from '@deadheat/stats';

const swap = process.argv[2];
const random = createRandom('analysis bench');
const command = { name: 'x', commandLine: 'x', argv: ['/bin/x'], executedBy: 'direct' };
const benchmark = {
  ...benchmarkDefaults,
  name: 'x',
  commands: { A: command, B: command },
};
const config = {
  name: 'x',
  benchmarks: [benchmark],
  ...defaultSettings('sync-duet'),
  ...experimentDefaults,
  swap,
  stop: { kind: 'runs', runs: 1000 },
  maxTimeNs: null,
  cpus: [0, 1],
  seed: 'x',
};
let now = 1e12;
const side = (cpu) => {
  const duration = Math.round(20e6 * Math.exp(0.02 * random.normal()));
  return {
    cpu,
    padBytes: 0,
    exitCode: 0,
    signal: null,
    userNs: duration,
    systemNs: 0,
    maxRssBytes: null,
    voluntarySwitches: 0,
    involuntarySwitches: 0,
    record: null,
    iterations: [{ i: 0, s: now, e: now + duration, c: duration * 0.99 }],
  };
};
const trials = Array.from({ length: 1000 }, (_, run) => {
  now += 30e6;
  return {
    trial: run,
    benchmark: 0,
    method: 'sync-duet',
    run,
    phase: 'measure',
    order: 'AB',
    status: 'ok',
    failures: [],
    wallNs: 25e6,
    sides: { A: side(run % 2), B: side(1 - (run % 2)) },
    noise: { stealNs: 0, throttledNs: 0, contextSwitches: 0 },
  };
});
const time = () => {
  const began = performance.now();
  compareBenchmark({ runs: measuredRuns(trials), benchmark, config });
  return performance.now() - began;
};
console.log(JSON.stringify({ first: time(), second: time() }));
