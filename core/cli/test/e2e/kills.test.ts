import { describe, expect, inject, it } from 'vitest';
import { killExperiment } from '../../../../bench/lib/kills.js';
import { noDuets } from './support.ts';

// All kinds with all workloads: npm run bench -- chaos.
describe.skipIf(noDuets !== null)('an experiment whose processes are killed or stopped', () => {
  it.each([
    ['kill launcher', 'slow commands'],
    ['stop launcher, interrupt', 'slow commands'],
    ['kill engine and guardian', 'harness'],
  ])('ends, leaves nothing and is finished by --resume: %s, %s', async (kind, workload) => {
    const command = [process.execPath, inject('bundledCommand')];
    const found = await killExperiment({ kind, workload, seed: 'test', command });
    const { hit, exact, hang, files, processes, log } = found;
    expect({ hit, exact, hang, files, processes }, log).toEqual({
      hit: true,
      exact: true,
      hang: false,
      files: [],
      processes: [],
    });
  });
});
