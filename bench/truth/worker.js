// Simulates cells that it is sent, one at a time.
import { parentPort } from 'node:worker_threads';
import { compareBenchmark } from '@deadheat/analysis';
import { coverage } from './coverage.js';
import { doctor } from './doctor.js';
import { controls, families } from './families.js';
import { plans } from './plans.js';
import { power, sensitivity } from './power.js';

const simulations = {
  coverage: (cell, options) => coverage(cell, { ...options, compare: compareBenchmark }),
  power,
  sensitivity,
  doctor,
  plans,
  families,
  controls,
};

parentPort.on('message', ({ simulation, cell, options }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  parentPort.postMessage(simulations[simulation](cell, options));
});
