import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Side } from '@deadheat/model';
import { createPage, decision, monotonicNowNs, packDecision, removePage, word } from '@deadheat/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endByTime, steerByTime } from '../../src/experiment/end-run.ts';

/** Waits until something holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(10);
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deadheat-time-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const files = (): Readonly<Record<Side, string>> => ({ A: join(folder, 'A'), B: join(folder, 'B') });

describe('programs that meet at a page', () => {
  it('are told to stop each of their benchmarks, and no other', async () => {
    const page = createPage(folder);
    const steering = steerByTime({ lengthNs: 1e6, cpus: null });
    try {
      steering.begin(page, files());
      for (const number of [1, 2]) {
        for (const party of [0, 1]) Atomics.store(page.words, word.benchmark(party), number);
        await until(() => Atomics.load(page.words, word.decision) === packDecision(decision.stop, number));
      }
    } finally {
      steering.end();
      removePage(page.path);
    }
  });
});

describe('programs that know nothing of a page', () => {
  const head = '{"deadheat":1,"benchmark":"x","params":{}}\n';

  it('are ended when the time from their first iteration is over, each by itself', async () => {
    const startedNs = Math.round(monotonicNowNs());
    const line = (i: number, s: number): string => `{"i":${i},"s":${s},"e":${s + 1}}\n`;
    // A began an hour and a second ago, B a moment ago.
    writeFileSync(files().A, `${head}${line(0, Math.max(0, startedNs - 3601e9))}`);
    writeFileSync(files().B, `${head}${line(0, startedNs)}`);
    const ended: Side[] = [];
    const hour = endByTime({ lengthNs: Math.min(3600e9, startedNs / 2), cpus: null, files: files(), printed: false });
    hour.begin((side) => ended.push(side));
    await until(() => ended.length > 0);
    hour.end();
    expect(ended).toEqual(['A']);
    expect(hour.readUntil('A')).toBe(null);
  });

  it('are left to themselves once they begin another benchmark', async () => {
    const other = head.replace('"x"', '"y"');
    writeFileSync(files().A, `${head}{"i":0,"s":1,"e":2}\n${other}`);
    writeFileSync(files().B, `${head}{"i":0,"s":1,"e":2}\n`);
    const ended: Side[] = [];
    const ending = endByTime({ lengthNs: 1, cpus: null, files: files(), printed: false });
    ending.begin((side) => ended.push(side));
    await until(() => ended.includes('B'));
    ending.end();
    expect(ended).toEqual(['B']);
  });

  it('count with what they had printed when they were ended', async () => {
    for (const file of Object.values(files())) writeFileSync(file, 'one\n');
    const ended: Side[] = [];
    const ending = endByTime({ lengthNs: 1, cpus: null, files: files(), printed: true });
    ending.begin((side) => {
      ended.push(side);
      appendFileSync(files()[side], 'ended by a signal\n');
    });
    await until(() => ended.length === 2);
    ending.end();
    expect([ending.readUntil('A'), ending.readUntil('B')]).toEqual([4, 4]);
  });
});
