import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { calibrationTables, holdsResults, readCalibration } from '../../src/planning/calibration.ts';
import { planDocument, planPrograms } from '../../src/planning/planned-experiment.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deadheat-calibration-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const fixture = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

/** JMH's JSON of 30 forks of 40 iterations of about 1 ms that scatter by 1 %, and forks by 2 %. */
function writeJmh(name: string): string {
  let state = name.length;
  /** About normal: the sum of twelve uniform numbers has variance 1. */
  function normal(): number {
    let sum = -6;
    for (let k = 0; k < 12; k++) {
      state = (1_103_515_245 * state + 12_345) % 2 ** 31;
      sum += state / 2 ** 31;
    }
    return sum;
  }
  const rawData = Array.from({ length: 30 }, () => {
    const level = 1000 * Math.exp(0.02 * normal());
    return Array.from({ length: 40 }, () => level * Math.exp(0.01 * normal()));
  });
  const result = {
    jmhVersion: '1.37',
    benchmark: 'a.B.c',
    mode: 'avgt',
    primaryMetric: { scoreUnit: 'us/op', rawData },
  };
  writeFileSync(join(folder, name), JSON.stringify([result]));
  return join(folder, name);
}

describe('a calibration of result files', () => {
  it('finds the variances of forks and iterations of two files of JMH', async () => {
    const [program] = await readCalibration({ paths: [writeJmh('old.json'), writeJmh('change.json')] });
    const { model, seen, costs, warnings } = program!.benchmarks[0]!;
    // Both sides scatter, and their variances add up; 30 runs know a standard deviation within 13 %.
    expect(Math.sqrt(model.runVariance)).toBeGreaterThan(0.6 * 0.02 * Math.SQRT2);
    expect(Math.sqrt(model.runVariance)).toBeLessThan(1.4 * 0.02 * Math.SQRT2);
    // Noise that was taken for a segment is missing in it.
    expect(Math.sqrt(model.measurementVariance)).toBeGreaterThan(0.8 * 0.01 * Math.SQRT2);
    expect(Math.sqrt(model.measurementVariance)).toBeLessThan(1.1 * 0.01 * Math.SQRT2);
    expect(seen).toMatchObject({ longRuns: 30, shortRuns: 30, longIterations: 40, shortIterations: 40 });
    // An iteration of both sides, and nothing before it.
    expect(costs.iterationNs / 2e6).toBeCloseTo(1, 1);
    expect(costs.runNs).toBe(1);
    expect(warnings.filter(({ code }) => code === 'FEW_RUNS')).toEqual([]);
  });

  it('plans fewer runs of more iterations where a run takes long to start', async () => {
    const paths = [writeJmh('old.json'), writeJmh('change.json')] as const;
    const goal = { kind: 'half-width', halfWidth: Math.log1p(0.02) } as const;
    const plan = async (startNs: number): Promise<{ runs: number; iterations: number }> => {
      const [planned] = await planPrograms(paths, { goal, of: 'ratio', confidence: null, startNs });
      expect(planned!.program.hasCommands).toBe(false);
      // Of two sides that were measured one after the other each is started.
      expect(planned!.program.costs.runNs).toBeCloseTo(Math.max(1, 2 * startNs), 0);
      return planned!.dimensions;
    };
    const [quick, slow] = [await plan(0), await plan(10e9)];
    expect(slow.runs).toBeLessThanOrEqual(quick.runs);
    expect(slow.iterations).toBeGreaterThan(quick.iterations);
  });

  it.each([
    ['lab/lab/test/formats/fixtures/duet-csv/both.csv'],
    ['core/readers/test/import/fixtures/parquet/both.parquet'],
  ])('takes %s, which holds both sides', async (path) => {
    const programs = await readCalibration({ paths: [fixture(path)] });
    expect(programs.length).toBeGreaterThan(0);
    for (const { costs, benchmarks } of programs) {
      // Warm-up is in the file, and is what a run costs before its first measured iteration.
      expect(costs.runNs).toBeGreaterThan(1e6);
      expect(benchmarks[0]!.model.measurementVariance).toBeGreaterThan(0);
    }
    expect(JSON.stringify(calibrationTables(programs))).not.toContain('--short-runs');
  });

  it('takes published series for one side, and says what the ratio lacks', async () => {
    const path = fixture('lab/lab/test/formats/fixtures/steady-state/old.json');
    const goal = { kind: 'budget', timeNs: 600e9 } as const;
    const planned = await planPrograms([path], { goal, of: 'A', confidence: 0.99 });
    expect(planned[0]).toMatchObject({ warmup: 12, confidence: 0.99, program: { hasCommands: false } });
    expect(planDocument(planned, { of: 'A', goal })).toMatchObject({ schema: 'deadheat.planned/1' });
    await expect(readCalibration({ paths: [path] })).rejects.toMatchObject({
      code: 'BAD_VALUE',
      message: expect.stringContaining('holds no times of side B'),
      hint: expect.stringContaining('--side A'),
    });
  });

  it('is refused for what holds no measurements, with the kinds that are read', async () => {
    writeFileSync(join(folder, 'notes.txt'), 'nothing to see\n');
    const reading = readCalibration({ paths: [join(folder, 'notes.txt')] });
    await expect(reading).rejects.toMatchObject({
      code: 'UNKNOWN_FORMAT',
      message: expect.stringContaining('duet-csv'),
    });
    await expect(readCalibration({ paths: [folder] })).rejects.toMatchObject({ code: 'NOT_A_RECORDING' });
  });

  it('is told from commands by files that cannot be executed', () => {
    expect(holdsResults(folder)).toBe(true);
    expect(holdsResults(writeJmh('old.json'))).toBe(true);
    expect(holdsResults('node old.json')).toBe(false);
    expect(holdsResults(process.execPath)).toBe(false);
    writeFileSync(join(folder, 'deadheat.yaml'), '');
    expect(holdsResults(join(folder, 'deadheat.yaml'))).toBe(false);
  });
});
