import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { descendants } from '@deadheat/sync';
import { noPages, until } from './support.ts';

const orphanMaker = fileURLToPath(new URL('./fixtures/orphan-maker.mjs', import.meta.url));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(noPages !== null)('the guardian', () => {
  it('ends every process and removes the page when the engine is killed with SIGKILL', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'guardian-test-'));
    const engine = spawn(process.execPath, [orphanMaker, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    const line = await new Promise<string>((resolve) => {
      engine.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString()));
    });
    const { launcher, page } = JSON.parse(line) as { launcher: number; page: string };
    await until(() => descendants(launcher).length >= 3);
    const workload = descendants(launcher);
    engine.kill('SIGKILL');
    await until(() => ![launcher, ...workload].some(isAlive));
    await until(() => !existsSync(page));
    expect(existsSync(page)).toBe(false);
    rmSync(directory, { recursive: true });
  });
});
