import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TrialRecords } from '../src/trial-records.ts';
import { temporaryFolder } from './sample.ts';

describe('the files of runs that are not in the journal', () => {
  it('are removed, and no others', async () => {
    const directory = temporaryFolder();
    const folder = join(directory, 'iterations');
    mkdirSync(folder);
    const kept = ['0-A.jsonl', '0-B.jsonl', '2-A.results', '2-A.txt', '12-B.jsonl', 'notes.txt', 'x-A.jsonl'];
    for (const name of [...kept, '1-A.jsonl', '1-B.txt', '11-A.results']) writeFileSync(join(folder, name), '');
    await new TrialRecords(directory).dropUnfinished([0, 2, 12].map((trial) => ({ trial })));
    expect(readdirSync(folder).toSorted()).toEqual(kept.toSorted());
  });

  it('need not be there', async () => {
    const directory = temporaryFolder();
    await new TrialRecords(directory).dropUnfinished([]);
    expect(existsSync(join(directory, 'iterations'))).toBe(false);
  });
});
