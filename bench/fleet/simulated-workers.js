// Workers of a fleet in one process, with timers in place of the runs: everything else is what a worker does.
// Takes its options as JSON, says `ready` and ends with its input.
import { once, setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runWorker } from '../../track/fleet/dist/worker/run-worker.js';

/** How many enrol at the same time. */
const width = 10;

const { url, folder, first, workers, runMs, sample, toolVersion } = JSON.parse(process.argv[2]);
const ending = new AbortController();
setMaxListeners(0, ending.signal);

/** A run takes its time, and comes out as the one that a real worker made. */
const runner = {
  machine: sample.host.machine,
  lanes: 1,
  mayShare: () => false,
  run: async ({ benchmark, phase, run }, signal) => {
    await sleep(runMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return { kind: 'not-run', failures: [] };
    const trial = { ...sample.trial, benchmark, phase, run };
    return { kind: 'finished', trial, records: { A: null, B: null }, isCut: false, warnings: [] };
  },
  close: async () => undefined,
};

function start(number) {
  let tellReady = () => undefined;
  const ready = new Promise((resolve) => (tellReady = resolve));
  const running = runWorker({
    url,
    variables: process.env,
    labels: { number: String(number) },
    permissions: { repositories: [], images: [], commands: true },
    toolVersion,
    readExperiment: () => {
      throw new TypeError('nothing is read');
    },
    folder: join(folder, `worker-${number}`),
    lockFolder: join(folder, `lock-${number}`),
    cpus: null,
    ownCpu: null,
    simulated: {
      machine: sample.host.machine,
      prepare: async ({ definition }) => ({ experiment: definition, runner, close: async () => undefined }),
    },
    signal: ending.signal,
    onEvent: ({ kind }) => {
      if (kind === 'ready') tellReady();
    },
  });
  return { running, ready: Promise.race([ready, running]) };
}

const numbers = Array.from({ length: workers }, (_, index) => first + index);
const started = [];
await Promise.all(
  Array.from({ length: width }, async () => {
    for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
      const worker = start(number);
      started.push(worker.running);
      await worker.ready;
    }
  }),
);
process.stdout.write('ready\n');
process.stdin.resume();
await Promise.race([once(process.stdin, 'end'), ...started]);
ending.abort();
await Promise.all(started);
