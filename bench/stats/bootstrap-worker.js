// One worker of the pool: draws its part of the replicates of a hierarchy that lies in shared memory.
import { parentPort } from 'node:worker_threads';
import { createRandom, hierarchicalBootstrap } from '@deadheat/stats';

parentPort.on('message', ({ sample, seed, ...options }) => {
  const out = hierarchicalBootstrap(sample, { ...options, random: createRandom(seed) });
  parentPort.postMessage(out, [out.buffer]);
});
