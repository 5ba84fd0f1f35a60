import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { descendants, Guardian, processesBelow, stoppedBelow } from '@deadheat/sync';
import { kill } from '../src/processes.ts';
import { noPages, until } from './support.ts';

const orphanMaker = fileURLToPath(new URL('./fixtures/orphan-maker.mjs', import.meta.url));

/** Not so for one that has ended and was not waited for yet: orphans may come to this process, which does not wait for them. */
function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** An engine with a guardian and a launcher that executes what never ends. */
async function makeOrphans(): Promise<{
  readonly directory: string;
  readonly engine: ChildProcess;
  readonly guardian: number;
  readonly launcher: number;
  readonly page: string;
  readonly workload: readonly number[];
}> {
  const directory = mkdtempSync(join(tmpdir(), 'guardian-test-'));
  const engine = spawn(process.execPath, [orphanMaker, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve) => {
    engine.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString()));
  });
  const { launcher, page } = JSON.parse(line) as { launcher: number; page: string };
  await until(() => descendants(launcher).length >= 3);
  const guardian = descendants(engine.pid ?? 0).find(isGuardian) ?? 0;
  return { directory, engine, guardian, launcher, page, workload: descendants(launcher) };
}

function isGuardian(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('guardian/main.js');
  } catch {
    return false;
  }
}

/** Starts a guardian, and waits until it has ended. */
async function startGuardian(): Promise<void> {
  await new Guardian().close();
}

describe.skipIf(noPages !== null)('the guardian', () => {
  it('ends every process and removes the page when the engine is killed with SIGKILL', async () => {
    const { engine, launcher, page, workload, directory } = await makeOrphans();
    engine.kill('SIGKILL');
    await until(() => ![launcher, ...workload].some(isAlive));
    await until(() => !existsSync(page));
    expect(existsSync(page)).toBe(false);
    rmSync(directory, { recursive: true });
  });

  it('is not needed for the end of the programs: their launcher ends them when the engine is gone', async () => {
    const { engine, guardian, launcher, workload, directory } = await makeOrphans();
    kill(guardian);
    engine.kill('SIGKILL');
    await until(() => ![launcher, ...workload].some(isAlive));
    rmSync(directory, { recursive: true });
  });

  it('ends at its start what an earlier engine left of which nothing else is left', async () => {
    const { engine, guardian, launcher, workload, page, directory } = await makeOrphans();
    process.kill(guardian, 'SIGSTOP');
    for (const pid of [launcher, engine.pid ?? 0]) kill(pid);
    await until(() => !isAlive(engine.pid ?? 0));
    await startGuardian();
    // The guardian of another test may have come first, and be at it.
    await until(() => ![guardian, launcher, ...workload].some(isAlive) && !existsSync(page));
    rmSync(directory, { recursive: true });
  });

  it('is not waited for when it is stopped', async () => {
    const guardian = new Guardian();
    await until(() => stoppedBelow(process.pid).stopped === 'none' && processesBelow(process.pid).some(isGuardian));
    for (const pid of processesBelow(process.pid).filter(isGuardian)) process.kill(pid, 'SIGSTOP');
    await guardian.close();
    expect(processesBelow(process.pid).filter((pid) => isGuardian(pid) && isAlive(pid))).toEqual([]);
  });

  it('lets a process that may end later go on, and is not waited for', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'guardian-test-'));
    const file = join(directory, 'written');
    const hook = spawn('/bin/sh', ['-c', `sleep 0.3; echo > ${file}`], { detached: true, stdio: 'ignore' });
    const guardian = new Guardian();
    guardian.watch({ processes: [], later: [hook.pid ?? 0] });
    await guardian.close();
    await until(() => existsSync(file));
    rmSync(directory, { recursive: true });
  });
});
