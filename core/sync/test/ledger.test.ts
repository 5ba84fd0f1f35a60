import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { forget, makeTemporaryFolder, removeRegistered, sweepLedgers } from '../src/ledger.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Executes lines in a process that is killed at their end. */
function dieAfter(lines: string, argument: string): void {
  const script = `import { mkdirSync } from 'node:fs';
    import { createPage, forget, makeTemporaryFolder, register } from '@deadheat/sync';
    const folder = process.argv[1];
    ${lines}
    process.kill(process.pid, 'SIGKILL');`;
  spawnSync(process.execPath, ['--input-type=module', '-e', script, argument], { stdio: 'inherit' });
}

describe('the ledger', () => {
  it('has whatever a killed process made removed by the next one, and nothing else', () => {
    const parent = newFolder();
    const kept = ['deadheat-forgotten', 'deadheat-foreign'].map((name) => join(parent, name));
    mkdirSync(join(parent, 'deadheat-foreign'));
    dieAfter(
      `mkdirSync(makeTemporaryFolder('', folder) + '/below');
       mkdirSync(register(folder + '/.incoming-1'));
       register(folder + '/deadheat-never-made');
       forget(mkdirSync(register(folder + '/deadheat-forgotten'), { recursive: true }));
       mkdirSync(register(folder + '/of-others'));`,
      parent,
    );
    const own = makeTemporaryFolder('own', parent);
    sweepLedgers();
    // A name that deadheat does not make is not touched, whatever a file says.
    expect(['.incoming-1', 'of-others'].map((name) => existsSync(join(parent, name)))).toEqual([false, true]);
    expect([...kept, own].map((path) => existsSync(path))).toEqual([true, true, true]);
    removeRegistered(own);
    expect(existsSync(own)).toBe(false);
  });

  it('lists what it would remove, without removing it, and says nothing of a process that lives', () => {
    const parent = newFolder();
    const own = makeTemporaryFolder('', parent);
    expect(sweepLedgers({ dryRun: true })).not.toContain(own);
    expect(existsSync(own)).toBe(true);
    forget(own);
    sweepLedgers();
    expect(existsSync(own)).toBe(true);
  });
});
