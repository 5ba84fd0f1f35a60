import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RecordTail } from '../src/index.ts';

describe('a record that is still being written', () => {
  let directory: string;
  let path: string;
  let tail: RecordTail;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'record-tail-test-'));
    path = join(directory, 'record.jsonl');
    tail = new RecordTail(path);
  });
  afterEach(() => {
    tail.close();
    rmSync(directory, { recursive: true });
  });
  const starts = (): number[][] => tail.benchmarks.map(({ iterations }) => [...iterations.startsNs]);

  it('is read line by line as lines are ended', () => {
    expect(tail.read()).toBe(0);
    appendFileSync(path, '{"deadheat":1,"benchmark":"sort"}\n{"i":0,"s":1');
    expect(tail.read()).toBeGreaterThan(0);
    expect(starts()).toEqual([[]]);
    appendFileSync(path, '0,"e":20}\n{"i":1,"s":30,"e":40,"p":"warmup"}\n');
    tail.read();
    expect(starts()).toEqual([[10, 30]]);
    expect(tail.benchmarks[0]?.iterations.isWarmup(1)).toBe(true);
    appendFileSync(path, '{"deadheat":1,"benchmark":"sum"}\n{"i":0,"s":50,"e":60}\n');
    tail.read();
    expect(starts()).toEqual([[10, 30], [50]]);
    expect(tail.read()).toBe(0);
  });

  it.skipIf(process.platform !== 'linux')('is read only where it is a regular file of the folder', () => {
    appendFileSync(join(directory, 'other'), '{"deadheat":1,"benchmark":"sort"}\n');
    symlinkSync('other', path);
    expect(() => tail.read()).toThrow(expect.objectContaining({ code: 'IO' }));
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect(() => tail.read()).toThrow(expect.objectContaining({ code: 'MALFORMED' }));
    expect(starts()).toEqual([]);
  });

  it('is read in pieces of 1 MB', () => {
    const line = (i: number): string => `${JSON.stringify({ i, s: i, e: i, note: 'x'.repeat(1000) })}\n`;
    const lines = Array.from({ length: 3000 }, (_, i) => line(i));
    appendFileSync(path, `{"deadheat":1,"benchmark":"sort"}\n${lines.join('')}`);
    expect(tail.read()).toBe(1 << 20);
    while (tail.read() > 0);
    expect(tail.benchmarks[0]?.iterations.length).toBe(3000);
  });

  it('is refused with file and line where it is not as the protocol says', () => {
    appendFileSync(path, '{"deadheat":1,"benchmark":"sort"}\nnonsense\n');
    expect(() => tail.read()).toThrow(/record\.jsonl:2:1: this is not JSON/);
  });

  it('is refused with a line above 1 MB', () => {
    appendFileSync(path, `{"deadheat":1,"benchmark":"sort"}\n${'x'.repeat(2 << 20)}`);
    expect(() => {
      while (tail.read() > 0);
    }).toThrow(/record\.jsonl:2:1: a line above 1 MB/);
  });
});
