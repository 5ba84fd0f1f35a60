// Serves a made-up fleet whose state changes every second, and sends its memory to the parent that asks. Usage: deaf.js FOLDER WORKERS
import { madeUpExperimentFile } from '../lib/made-up-recording.js';
import { serveHistory } from './serve-history.js';

const [, , folder, workers] = process.argv;
const { machine } = madeUpExperimentFile({
  id: 'x',
  startedAt: '2026-01-01T00:00:00.000Z',
  name: 'x',
  method: 'tandem',
});
let reads = 0;

const view = {
  experiments: async () => [
    {
      id: 'f1',
      name: 'nightly',
      submittedAt: '2026-03-20T10:00:00.000Z',
      state: 'running',
      runs: (reads += 1),
      plannedRuns: 1e6,
      inFlight: Number(workers),
      hosts: Array.from({ length: Number(workers) }, (_, at) => `worker-${at}`),
      failure: null,
    },
  ],
  workers: async () =>
    Array.from({ length: Number(workers) }, (_, at) => ({
      id: `worker-${at}`,
      machine: { ...machine, hostname: `rack-${at}` },
      labels: { region: 'north' },
      toolVersion: '0.1.0',
      state: 'busy',
      seenAt: new Date().toISOString(),
      experiment: 'f1',
    })),
  close: async () => undefined,
};

const server = await serveHistory(folder, { view, cancel: async () => undefined });
process.on('message', () =>
  process.send({ rssBytes: process.memoryUsage.rss(), cpuMs: process.cpuUsage().user / 1e3 }),
);
process.on('disconnect', () => process.exit());
process.send({ url: server.url });
