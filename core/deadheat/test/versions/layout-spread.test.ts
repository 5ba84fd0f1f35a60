import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExperimentDraft } from '@deadheat/engine';
import type { HostEffects } from '@deadheat/model';
import { sealDocument } from '@deadheat/recording';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { aComparison, aReport } from '../../../report/test/support-report.ts';
import { withLayoutSpread } from '../../src/versions/layout-spread.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'deadheat-spread-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

function effects(between: number): HostEffects {
  const each = Array.from({ length: 8 }, (_, index) => ({
    id: `layout ${index + 1}`,
    runs: 4,
    ratio: { estimate: 1, low: 0.9, high: 1.1 },
    meanNs: { A: 1, B: 1 },
  }));
  return { each, between, within: 0.01, timesBetween: 0.01, pooledOver: 'layouts' };
}

/** Writes the report of a recording. */
function record(
  name: string,
  { benchmark, between }: { readonly benchmark: string; readonly between: number | null },
): void {
  const report = aReport([aComparison({ benchmark, ...(between === null ? {} : { layouts: effects(between) }) })]);
  mkdirSync(join(parent, name));
  writeFileSync(join(parent, name, 'report.json'), sealDocument(report));
}

const draft = (also: readonly string[]): ExperimentDraft =>
  ({ also, metric: 'auto', benchmarks: [{ name: 'sort', own: {} }] }) as unknown as ExperimentDraft;
const spreadOf = async (also = ['instructions']): Promise<ExperimentDraft['layoutSpread']> =>
  (await withLayoutSpread(draft(also), parent)).layoutSpread;

it('takes the difference between layouts from the newest recording that has it, first of the same benchmark', async () => {
  expect(await spreadOf()).toBeUndefined();
  record('20260101T000000Z-a', { benchmark: 'sort', between: 0.004 });
  record('20260102T000000Z-b', { benchmark: 'sort', between: 0.006 });
  record('20260103T000000Z-c', { benchmark: 'other', between: 0.02 });
  record('20260104T000000Z-d', { benchmark: 'sort', between: null });
  expect(await spreadOf()).toEqual({
    deviation: 0.006,
    degrees: 7,
    source: `as measured for sort in ${join(parent, '20260102T000000Z-b')}`,
  });
});

it('takes that of another benchmark where there is no other, and passes over what cannot be read', async () => {
  record('20260103T000000Z-c', { benchmark: 'other', between: 0.02 });
  mkdirSync(join(parent, '20260105T000000Z-e'));
  writeFileSync(join(parent, '20260105T000000Z-e', 'report.json'), '{"layouts":');
  expect(await spreadOf()).toMatchObject({ deviation: 0.02 });
});

it('is not looked for where no work is counted', async () => {
  record('20260102T000000Z-b', { benchmark: 'sort', between: 0.006 });
  expect(await spreadOf([])).toBeUndefined();
  expect(await spreadOf(['rss'])).toBeUndefined();
});
