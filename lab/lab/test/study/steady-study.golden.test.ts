import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { classifySeries, steadyStudy } from '../../src/study/steady-study.ts';
import { dataFolder } from '../../../../core/analysis/test/helpers/data.ts';

const file = join(dataFolder, 'steady-state', '21-jetty.project-HttpMethodBenchmark.testMapGet.json.gz');
const present = existsSync(file);

describe.skipIf(!present)(`published forks at a knee${present ? '' : ' (skipped: the data are absent)'}`, () => {
  it('have both classes where two segmentations cost the same', () => {
    const { series } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as {
      readonly series: readonly number[][];
    };
    const runs = [series[8]!, series[7]!].map((seconds) => ({
      timesNs: Float64Array.from(seconds, (time) => time * 1e9),
      invocations: 0.1 / (seconds.reduce((sum, time) => sum + time, 0) / seconds.length),
      metrics: {},
    }));
    const classified = classifySeries({ label: 'jetty', runs }, { seed: 'golden' });
    // Published as steady from 2037 on, with the change points 94, 2036, 2257 and 2731.
    expect(classified.runs[0]).toMatchObject({ class: 'no-steady-state', tiedClass: 'warm-up' });
    expect([...classified.runs[0]!.changepoints]).toEqual([94, 2731]);
    expect([...classified.runs[0]!.tied!]).toEqual([94, 2036, 2257, 2731]);
    expect(classified.runs[1]).not.toHaveProperty('tiedClass');
    const [, table] = steadyStudy([classified], { tooShort: [] }).tables;
    const place = table!.columns.findIndex(({ name }) => name === 'or');
    expect(table!.rows.map((row) => row[place])).toEqual(['warm-up', null]);
  });
});
