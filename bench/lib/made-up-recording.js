// Recordings whose measurements are made up, with everything that an experiment leaves.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyseRecorded } from '@deadheat/engine';
import { createRecording, TrialRecords } from '@deadheat/recording';
import { createRandom } from '@deadheat/stats';
import { madeUpExperiment, madeUpTrial } from './made-up.js';

const machine = {
  hostname: 'bench',
  platform: 'linux',
  kernel: '6.1.0',
  node: process.version,
  cpuModel: null,
  onlineCpus: 2,
  usableCpus: [0, 1],
  smtSiblings: { 0: [0], 1: [1] },
  smtActive: false,
  governor: null,
  turbo: null,
  aslr: 2,
  clockSource: 'tsc',
  virtualization: null,
  memoryTotalBytes: 8e9,
  memoryAvailableBytes: null,
  cpuQuota: null,
  cgroupVersion: 'v2',
  load1: 0,
};

/** What `experiment.json` of such a recording holds. */
export function madeUpExperimentFile({
  id,
  startedAt,
  name,
  method,
  workload = 'command',
  commits,
  hostname = 'bench',
}) {
  const { config } = madeUpExperiment(method, {
    benchmark: { name: 'parse', params: { size: '5' }, workload },
    config: { name, stop: { kind: 'runs', runs: 1 }, leastRuns: 1, replicates: 200 },
  });
  return {
    schema: 'deadheat.experiment/1',
    id,
    startedAt,
    tool: { name: 'deadheat', version: '0.1.0' },
    config,
    machine: { ...machine, hostname },
    ...(commits === undefined ? {} : { commits }),
    warnings: [],
  };
}

/**
 * As if pilot runs had chosen the method: so many duets before everything else, in which B takes ten times as long, so that it shows
 * wherever they are taken for measured ones.
 */
function madeUpPilots(count, { now }) {
  return Array.from({ length: count }, (_, run) => {
    const side = (cpu, length) => ({
      cpu,
      iterations: [{ i: 0, s: now + run * 1e9, e: now + run * 1e9 + length, c: length }],
    });
    const trial = madeUpTrial(run, { method: 'sync-duet', sides: { A: side(0, 1e6), B: side(1, 1e7) } });
    return { ...trial, phase: 'pilot' };
  });
}

/**
 * Makes a recording: `runs` pairs of single executions of about 1 ms, in which B takes `slowdown` times as long. With `iterations`
 * programs that hold so many iterations of two benchmarks themselves, a tenth of them warm-up, with a metric of their own. With `pilotRuns` the method was chosen by so many.
 */
export async function madeUpRecording(directory, options) {
  const { runs = 8, iterations = null, slowdown = 1, method = 'sync-duet', pilotRuns = 0 } = options;
  const begun = madeUpExperimentFile({
    name: 'parser',
    method,
    workload: iterations === null ? 'command' : 'harness',
    ...options,
  });
  const chosen = { method, metric: method === 'tandem' ? 'cpu' : 'time', reason: 'made up', aloneNs: null };
  const benchmarks = begun.config.benchmarks.map((one) => (pilotRuns === 0 ? one : { ...one, chosen }));
  const experiment = { ...begun, config: { ...begun.config, pilotRuns, benchmarks } };
  const random = createRandom(`recording ${experiment.id}`);
  const writer = await createRecording({ directory, name: 'parser', startedAt: experiment.startedAt, experiment });
  try {
    const trials = madeUpPilots(pilotRuns, { now: 1e11 });
    for (const trial of trials) writer.append(trial);
    let now = 1e12;
    for (let run = 0; run < runs; run++) {
      const lengths = [1, slowdown].map((factor) => Math.round(1e6 * factor * Math.exp(0.002 * random.normal())));
      const sides = ['A', 'B'].map((side, at) => {
        if (iterations === null)
          return {
            cpu: at,
            iterations: [{ i: 0, s: now, e: now + lengths[at], c: lengths[at] }],
            ...(method === 'tandem' ? { userNs: lengths[at], systemNs: 0 } : {}),
          };
        const record = `iterations/${pilotRuns + run}-${side}.jsonl`;
        mkdirSync(join(directory, 'iterations'), { recursive: true });
        writeFileSync(join(directory, record), recordText({ iterations, now, lengthNs: lengths[at], random }));
        return { cpu: at, record };
      });
      const trial = { ...madeUpTrial(run, { method, sides: { A: sides[0], B: sides[1] } }), trial: pilotRuns + run };
      writer.append(trial);
      trials.push(trial);
      now += 1e9;
    }
    const records = await new TrialRecords(directory).read(trials);
    await writer.writeIterations({ trials, experiment, records });
    await writer.writeReport(await analyseRecorded(directory));
  } finally {
    writer.close();
  }
}

function recordText({ iterations, now, lengthNs, random }) {
  const lines = [];
  let at = now;
  for (const size of ['1', '2']) {
    lines.push(JSON.stringify({ deadheat: 1, benchmark: 'scan', params: { size } }));
    for (let i = 0; i < iterations; i++) {
      const length = Math.round(lengthNs * Number(size) * Math.exp(0.01 * random.normal()));
      const phase = i < iterations / 10 ? { p: 'warmup' } : {};
      // Not every iteration tells its CPU time and its misses.
      const told = i % 3 === 0 ? {} : { c: length - 1, misses: i / 2 };
      lines.push(JSON.stringify({ i, s: at, e: at + length, n: 1 + (i % 2), ...phase, ...told }));
      at += length + 100;
    }
  }
  return `${lines.join('\n')}\n`;
}
