import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agreeOnAmount, type AmountRequest } from '../src/agree-on-amount.ts';
import { Folder } from './support.ts';

describe('the amount that all agree on', () => {
  let folder: Folder;
  beforeEach(() => (folder = new Folder()));
  afterEach(() => folder.end());

  const request: AmountRequest = { workload: 'integer', language: 'js', durationNs: 50e6 };

  function agree(perUnitNs: number, { durationNs }: AmountRequest = request, environment = folder.environment()) {
    return agreeOnAmount({ ...request, durationNs }, { environment, measure: (amount) => amount * perUnitNs });
  }

  it('is measured once: a machine that has become slower still does the same', () => {
    expect([agree(1000), agree(2000), agree(500)]).toEqual([50_000, 50_000, 50_000]);
    expect(folder.remembered()).toHaveLength(1);
  });

  it('is another one for another time', () => {
    expect([agree(1000), agree(1000, { ...request, durationNs: 100e6 })]).toEqual([50_000, 100_000]);
  });

  it("is the experiment's own where it has a folder for that", () => {
    agree(1000);
    const calibration = join(folder.path, 'calibration');
    mkdirSync(calibration);
    const environment = folder.environment({ DEADHEAT_CALIBRATION: calibration });
    expect(agree(2000, request, environment)).toBe(25_000);
    expect(readdirSync(calibration)).toHaveLength(1);
    expect(agree(4000)).toBe(50_000);
  });

  it("is the first one's when two measure at the same time", () => {
    let inner = 0;
    const outer = agreeOnAmount(request, {
      environment: folder.environment(),
      measure: (amount) => {
        // Somebody else is done while this one still measures.
        inner ||= agree(1000);
        return amount * 7;
      },
    });
    expect([inner, outer]).toEqual([50_000, 50_000]);
    expect(folder.remembered()).toHaveLength(1);
  });

  it('names the file when it cannot be read', () => {
    agree(1000);
    const [name = ''] = folder.remembered();
    writeFileSync(join(folder.path, 'deadheat', name), '{');
    expect(() => agree(1000)).toThrow(`${name} holds no amount of work.\nRemove it`);
  });

  it('is at least one unit for a workload that is really run', () => {
    const amount = agreeOnAmount({ ...request, durationNs: 1e5 }, { environment: folder.environment() });
    expect(amount).toBeGreaterThanOrEqual(1);
  });
});
