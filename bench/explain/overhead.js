// CPU time that sampling takes: executions with and without the sampler of a runtime in turn, the first of each pair drawn by its number.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { javaSampler } from '../../core/explain/dist/samplers/java.js';
import { nativeSampler } from '../../core/explain/dist/samplers/native.js';
import { nodeSampler } from '../../core/explain/dist/samplers/node.js';
import { pythonSampler } from '../../core/explain/dist/samplers/python.js';
import { meanInterval } from '../lib/mean-interval.js';
import { cpuMs, median, printTable } from '../lib/tools.js';

const samplers = { c: nativeSampler, java: javaSampler, node: nodeSampler, python: pythonSampler };

/** @param programs words of a program by its runtime, for a folder to build in */
export async function measureOverhead(programs, { pairs }) {
  const rows = [];
  for (const [runtime, { words }] of Object.entries(programs)) {
    const build = mkdtempSync(join(tmpdir(), 'deadheat-bench-explain-'));
    try {
      rows.push([
        runtime,
        pairs,
        ...(await measureRuntime(words(build), { sampler: samplers[runtime], build, pairs })),
      ]);
    } finally {
      rmSync(build, { recursive: true, force: true });
    }
  }
  printTable(
    ['runtime', 'pairs', 'interval', 'without', 'CPU time of the program', 'with processes of the sampler'],
    rows,
  );
}

async function measureRuntime(argv, { sampler, build, pairs }) {
  const pilot = cpuMs(argv);
  // The interval that `explain` chooses.
  const intervalNs = Math.round(Math.min(10_000_000, Math.max(sampler.leastIntervalNs, pilot * 1000)));
  const [without, program, all] = [[], [], []];
  for (let pair = 0; pair < pairs; pair++) {
    const folder = join(build, `${pair}`, 'samples');
    mkdirSync(folder, { recursive: true });
    const sampled = async () => {
      const launched = sampler.launch({ argv, environment: process.env }, { folder, intervalNs });
      const ms = cpuMs(launched.argv, launched.environment);
      const { cpuSeconds, stacks } = await sampler.read(folder);
      if (stacks.length === 0) throw new Error(`${sampler.name} took no sample of ${argv.join(' ')}`);
      all.push(ms);
      program.push(cpuSeconds === null ? ms : cpuSeconds * 1000);
    };
    if (pair % 2 === 1) await sampled();
    without.push(cpuMs(argv));
    if (pair % 2 === 0) await sampled();
  }
  const more = (measured) => {
    const estimate = meanInterval(measured.map((ms, at) => Math.log(ms / without[at])));
    const percents = [estimate.mean, estimate.low, estimate.high].map((value) => (100 * Math.expm1(value)).toFixed(1));
    return `+${percents[0]} % [${percents[1]}, ${percents[2]}]`.replace('+-', '-');
  };
  return [`${intervalNs / 1e6} ms`, `${median(without).toFixed(0)} ms`, more(program), more(all)];
}
