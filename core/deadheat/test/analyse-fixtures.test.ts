import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { analyseImported, formats, type ImportOptions } from '@deadheat/readers';
import { reportSchema, type Report } from '@deadheat/model';
import { renderReport } from '../../report/src/text/render-report.ts';

const folder = fileURLToPath(new URL('../../readers/test/import/fixtures', import.meta.url));
const options: Readonly<Record<string, ImportOptions>> = {
  csv: { columns: { time: 'ms', run: 'fork', benchmark: 'name', invocations: 'calls' }, unit: 'ms' },
  'json-lines': { columns: { time: 'ms', run: 'fork', benchmark: 'name' }, unit: 'ms' },
};
const analyse = (paths: readonly string[], reading: ImportOptions = {}): Promise<Report> =>
  analyseImported({
    paths: paths as [string, string],
    reading: { A: reading, B: reading },
    tool: { name: 'deadheat', version: '0.0.0' },
  });
const files = (name: string): readonly string[] =>
  readdirSync(join(folder, name))
    .toSorted((left, right) => (left < right ? 1 : -1))
    .map((file) => join(folder, name, file));
const all = readdirSync(folder, { withFileTypes: true }).flatMap(({ name }) => {
  const paths = files(name);
  const both = paths.filter((path) => /both/.test(path));
  const pair = paths.filter((path) => /\/old|\/new/.test(path));
  return [...both.map((path) => ({ name, paths: [path] })), ...(pair.length === 2 ? [{ name, paths: pair }] : [])];
});
/** Seconds that a time of the fixtures may take: from an addition to a benchmark of SPEC CPU. */
const plausible = { least: 1e-10, most: 1000 };

describe('deadheat analyse of the fixtures', () => {
  it('has two sides of every format', () => {
    expect(all.length).toBeGreaterThan(formats.filter((format) => 'read' in format).length);
  });

  it.each(all)('compares those of $name, and tells it as text', async ({ name, paths }) => {
    const report = await analyse(paths, options[name]);
    const { comparisons, results, machine, warnings, experiment } = reportSchema.parse(structuredClone(report));
    const text = renderReport(report, { width: null, color: false, quiet: false }, { details: true });
    expect(comparisons.length).toBeGreaterThan(0);
    expect([machine, experiment.files]).toEqual([null, paths]);
    expect(results).toHaveLength(2 * comparisons.length);
    for (const { interval: ratio, runs, sides } of comparisons) {
      expect(ratio.low).toBeLessThanOrEqual(ratio.estimate);
      expect(ratio.estimate).toBeLessThanOrEqual(ratio.high);
      expect(runs).toBeGreaterThan(0);
      for (const { mean, min, max } of [sides.A, sides.B]) {
        expect(mean).toBeGreaterThan(plausible.least);
        expect(mean).toBeLessThan(plausible.most);
        expect(min).toBeLessThanOrEqual(mean);
        expect(mean).toBeLessThanOrEqual(max);
      }
    }
    const told = [...warnings, ...comparisons.flatMap((one) => one.warnings)];
    for (const { code, message } of told) {
      expect(text).toContain(`warning ${code}:`);
      // What only a measurement with deadheat has.
      expect(message).not.toMatch(/--(runs|iterations|warmup|max-time)/);
    }
    expect(text).not.toMatch(/NaN|undefined|\ntook|wall time of 0/);
  });

  it('compares files of two kinds', async () => {
    const { comparisons } = await analyse([join(folder, 'tinybench/old.json'), join(folder, 'vitest-4/new.json')]);
    expect(comparisons.map(({ benchmark }) => benchmark)).toEqual(['sort']);
  });

  it('refuses every single side, and says why', async () => {
    for (const { name, paths } of all.filter((one) => one.paths.length === 2)) {
      await expect(analyse(paths.slice(0, 1), options[name]), name).rejects.toThrow(
        /holds one side.*A\/A split.*deadheat analyse OLD NEW/,
      );
    }
  });
});
