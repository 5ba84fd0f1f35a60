import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  benchmarkDefaults,
  defaultSettings,
  experimentDefaults,
  presets,
  type Benchmark,
  type Command,
  type ExperimentConfig,
  type Settings,
} from '@deadheat/model';
import { binomialQuantile, createRandom } from '@deadheat/stats';
import { readMachine } from '../../src/host/read-machine.ts';
import { createRecording } from '@deadheat/recording';
import { FakeExecutor } from '../fake-executor.ts';
import type { SessionResult } from '../../src/experiment/experiment-state.ts';
import { runSession } from '../../src/experiment/start-experiment.ts';
import { draws } from '../../../../bench/lib/draws.js';

const command = (name: string): Command => ({ name, commandLine: name, argv: [`/bin/${name}`], executedBy: 'direct' });

/** An experiment of benchmarks of which B takes `ratio` times as long, with 1 % of noise. */
async function measure(
  ratios: readonly { readonly ratio: number; readonly isControl?: boolean }[],
  {
    directory,
    seed,
    settings,
  }: { readonly directory: string; readonly seed: string; readonly settings: Partial<Settings> },
): Promise<SessionResult> {
  const benchmarks = ratios.map(({ isControl = false }, index): Benchmark => ({
    ...benchmarkDefaults,
    name: `benchmark ${index}`,
    controlOf: isControl ? 'benchmark' : null,
    commands: { A: command('old'), B: command('new') },
  }));
  const config: ExperimentConfig = {
    name: 'family',
    benchmarks,
    ...defaultSettings('tandem'),
    ...experimentDefaults,
    replicates: 200,
    maxTimeNs: null,
    cpus: [0, 1],
    tandemCpus: [],
    sequentialCpus: [],
    lanes: 1,
    seed,
    ...settings,
  };
  const random = createRandom(seed);
  const executor = new FakeExecutor((side, { benchmark }) => {
    const durationNs = Math.round(
      1e7 * Math.exp(0.01 * random.normal()) * (side === 'B' ? (ratios[benchmark]?.ratio ?? 1) : 1),
    );
    return { durationNs };
  });
  const experiment = {
    schema: 'deadheat.experiment/1' as const,
    id: 'family',
    startedAt: '2026-01-01T00:00:00.000Z',
    tool: { name: 'deadheat', version: '0' },
    config,
    machine: await readMachine({ usableCpus: [0, 1], cpus: [0, 1] }),
    warnings: [],
  };
  const recording = await createRecording({
    directory: join(directory, seed),
    name: 'family',
    startedAt: experiment.startedAt,
    experiment,
  });
  return runSession({
    experiment,
    recording,
    recorded: [],
    executors: [executor],
    signal: new AbortController().signal,
    onEvent: () => {},
  });
}

describe('a gate over comparisons that end when they are decided', () => {
  let directory: string;
  beforeEach(() => {
    // Each run waits for the device, which verdicts do not need.
    directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'family-test-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const decided: Partial<Settings> = { stop: { kind: 'decided', minRuns: 5, maxRuns: 200 } };
  const few = { ratio: 1.05 };

  for (const [name, settings] of [
    ['decided', decided],
    ['quick', { ...presets.quick, maxTimeNs: null }],
    ['precision', { stop: { kind: 'precision', precision: 0.02, minRuns: 5, maxRuns: 200 } }],
  ] as const) {
    for (const count of [2, 20]) {
      it(`counts every one of ${count} benchmarks that are all slower (${name})`, async () => {
        const slower = Array.from({ length: count }, () => few);
        const { report } = await measure(slower, { directory, seed: `${name} ${count}`, settings });
        expect(report.gate.outcome).toBe('failed');
        expect(report.gate.benchmarks.map(({ slower: counts }) => counts)).toEqual(slower.map(() => true));
      });
    }

    it(`counts the one of 20 benchmarks that is slower (${name})`, async () => {
      const one = Array.from({ length: 20 }, (_, index) => ({ ratio: index === 7 ? 1.05 : 1 }));
      const { report } = await measure(one, { directory, seed: `one ${name}`, settings });
      expect(report.gate.outcome).toBe('failed');
      expect(report.gate.benchmarks.flatMap(({ slower }, index) => (slower ? [index] : []))).toContain(7);
    });
  }

  it('abstains when one of five controls differs', async () => {
    const controls = Array.from({ length: 5 }, (_, index) => ({ ratio: index === 2 ? 1.1 : 1, isControl: true }));
    const { report } = await measure([...controls, { ratio: 1 }], { directory, seed: 'control', settings: decided });
    expect(report.gate.outcome).toBe('abstained');
  });

  it('fails without any difference no more often than its level', async () => {
    let failed = 0;
    const experiments = draws(20);
    for (let seed = 0; seed < experiments; seed++) {
      const same = Array.from({ length: 10 }, () => ({ ratio: 1 }));
      const settings: Partial<Settings> = { confidence: 0.95, stop: { kind: 'decided', minRuns: 5, maxRuns: 20 } };
      const { report } = await measure(same, { directory, seed: `same ${seed}`, settings });
      if (report.gate.outcome === 'failed') failed++;
    }
    // One-sided level 2.5 %: more have a probability of 0.1 %, and the seed is fixed.
    expect(failed).toBeLessThanOrEqual(binomialQuantile(0.999, experiments, 0.025));
  });
});
