import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPage, getAffinity, hasNativeCalls, removePage, sharedMemoryDirectory } from '@deadheat/sync';
import { describe, expect, it } from 'vitest';
import { languages } from '../src/workload-command.ts';
import { workloadNames } from '../src/javascript/workloads.ts';
import { workloadCommand } from '@deadheat/workloads';
import { Folder, noCompiler } from './support.ts';

const impossible =
  !hasNativeCalls() || sharedMemoryDirectory() === null || getAffinity().length < 2 ? 'no duets here' : null;

describe.skipIf(impossible !== null).each(languages)('two workloads in %s', (language) => {
  it.skipIf(language === 'c' && noCompiler !== null).each(workloadNames)(
    '%s start each iteration together',
    async (workload) => {
      const folder = new Folder();
      const page = createPage(sharedMemoryDirectory() ?? '');
      try {
        const ends = (['A', 'B'] as const).map(async (side) => {
          const order = { workload, amount: side === 'A' ? 50 : 100, iterations: 5 };
          const [file = '', ...args] = workloadCommand(order, language);
          const record = join(folder.path, side);
          const child = spawn(file, args, {
            env: { ...process.env, DEADHEAT_PAGE: page.path, DEADHEAT_SIDE: side, DEADHEAT_RECORD: record },
            stdio: ['ignore', 'ignore', 'inherit'],
          });
          const status = await new Promise((resolve) => child.once('close', resolve));
          return { status, lines: readFileSync(record, 'utf8').trimEnd().split('\n') };
        });
        const [a, b] = await Promise.all(ends);
        expect([a?.status, b?.status]).toEqual([0, 0]);
        const [head, ...iterationsOfA] = a?.lines.map((line) => JSON.parse(line) as Record<string, number>) ?? [];
        const [, ...iterationsOfB] = b?.lines.map((line) => JSON.parse(line) as Record<string, number>) ?? [];
        expect(head).toMatchObject({ deadheat: 1, benchmark: workload });
        expect([iterationsOfA.length, iterationsOfB.length]).toEqual([5, 5]);
        // Nobody starts an iteration before both have ended the one before.
        for (let i = 1; i < 5; i++) {
          expect(iterationsOfA[i]?.['s']).toBeGreaterThanOrEqual(iterationsOfB[i - 1]?.['e'] ?? Infinity);
          expect(iterationsOfB[i]?.['s']).toBeGreaterThanOrEqual(iterationsOfA[i - 1]?.['e'] ?? Infinity);
        }
      } finally {
        removePage(page.path);
        folder.end();
      }
    },
  );
});
