// Cleans runs, finds their segments and classifies them.
import { parentPort } from 'node:worker_threads';
import { cleanRun, findSegments } from '../../core/analysis/dist/segments/find-segments.js';
import { classifyRun } from '../../core/analysis/dist/steady-state/classify-run.js';
import { createRandom } from '@deadheat/stats';

parentPort.on('message', (series) => {
  const found = series.map((times) => {
    const { values, indices } = cleanRun(times);
    const { changepoints } = findSegments(values);
    const places = changepoints.map((place) => indices[place]);
    return { values, changepoints, class: classifyRun(times, places, { random: createRandom('bench') }).class };
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  parentPort.postMessage(found);
});
