import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ParserError } from '../../src/parse/output-parser.ts';
import { fillResults, findResults, readResults, writtenResults } from '../../src/parse/result-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deadheat-results-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text = name): void => writeFileSync(join(folder, name), text);

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ParserError) return error.code;
    throw error;
  }
  return 'accepted';
}

describe('the file that a run wrote', () => {
  it('is the one that is new or changed, also of several that the pattern finds', () => {
    for (const name of ['CPU2017.001.log', 'CPU2017.002.log', 'other.log', 'CPU2017x003xlog']) write(name);
    const pattern = join(folder, 'CPU2017.*.log');
    const before = findResults(pattern);
    expect(before.size).toBe(2);
    expect(codeOf(() => writtenResults(pattern, before))).toBe('RESULTS_NOT_FOUND');
    write('CPU2017.003.log');
    expect(writtenResults(pattern, before)).toBe(join(folder, 'CPU2017.003.log'));
    write('CPU2017.002.log', 'longer than before');
    expect(codeOf(() => writtenResults(pattern, before))).toBe('RESULTS_AMBIGUOUS');
  });

  it('may be written over', () => {
    write('results.json', '[1]');
    const pattern = join(folder, 'results.json');
    const before = findResults(pattern);
    rmSync(pattern);
    expect(codeOf(() => writtenResults(pattern, before))).toBe('RESULTS_NOT_FOUND');
    write('results.json', '[12]');
    expect(writtenResults(pattern, before)).toBe(pattern);
    expect(readResults(pattern).toString()).toBe('[12]');
    expect(codeOf(() => readResults(join(folder, 'none')))).toBe('RESULTS_NOT_READABLE');
  });

  it('lies in no folder that is missing', () => {
    expect(findResults(join(folder, 'no/such/*.log')).size).toBe(0);
  });

  it('is called by what the program has in its variables', () => {
    expect(fillResults('/out/$DEADHEAT_SIDE-$DEADHEAT_RUN.json', { side: 'B', run: 7 })).toBe('/out/B-7.json');
  });
});
