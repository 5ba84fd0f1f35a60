import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSteadyState } from '../../src/import/read-steady-state.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deadheat-series-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: unknown): string => {
  const text = JSON.stringify(content);
  writeFileSync(join(folder, name), name.endsWith('.gz') ? gzipSync(text) : text);
  return join(folder, name);
};

describe('series of steady-state data', () => {
  it('are read from all files of a folder, by name, in nanoseconds', () => {
    write('02-b.json', { benchmark: 'owner__other#b', unit: 's', series: [[2], [3, 4]] });
    write('01-a.json.gz', { benchmark: 'owner__name#a#x=1', unit: 's', series: [[0.5, 0.25]] });
    write('index.json', { benchmarks: [] });
    writeFileSync(join(folder, 'README.md'), 'not a series');
    expect(readSteadyState(folder)).toEqual([
      { name: 'owner__name#a#x=1', project: 'owner/name', forks: [Float64Array.of(5e8, 2.5e8)] },
      { name: 'owner__other#b', project: 'owner/other', forks: [Float64Array.of(2e9), Float64Array.of(3e9, 4e9)] },
    ]);
    expect(readSteadyState(join(folder, '02-b.json'))).toHaveLength(1);
  });

  it('are not what else a path may be', () => {
    expect(readSteadyState(folder)).toBeNull();
    expect(readSteadyState(join(folder, 'nowhere'))).toBeNull();
    write('experiment.json', {});
    write('report.json', {});
    expect(readSteadyState(folder)).toBeNull();
  });

  it.each([
    [/cannot be read as JSON/, null],
    [/has no list "series"/, { benchmark: 'x' }],
    [/has the unit "ms"/, { unit: 'ms', series: [[1]] }],
    [/has no times in series\[1\]/, { series: [[1], []] }],
    [/has -1 as series\[0\]\[1\]/, { series: [[1, -1]] }],
  ])('are refused with the place: %s', (message, content) => {
    const path = write('bad.json', content);
    if (content === null) writeFileSync(path, '{"series": [');
    expect(() => readSteadyState(path)).toThrow(expect.objectContaining({ code: 'BAD_SERIES' }));
    expect(() => readSteadyState(path)).toThrow(message);
    expect(() => readSteadyState(path)).toThrow(path);
  });
});
