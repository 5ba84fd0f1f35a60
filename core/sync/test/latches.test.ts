import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPage, getAffinity, Launcher, poison, removePage, word, type Page } from '@deadheat/sync';
import { noPages, until } from './support.ts';

const cpus = getAffinity().slice(0, 1);

describe.skipIf(noPages !== null)('a latch', () => {
  let directory: string;
  let page: Page;
  let launcher: Launcher;
  const waiting: ChildProcess[] = [];

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'latches-test-'));
    page = createPage(directory);
    launcher = await Launcher.start({ page: page.path, party: 0 });
  });
  afterEach(async () => {
    for (const child of waiting.splice(0)) child.kill('SIGKILL');
    await launcher.close();
    removePage(page.path);
    rmSync(directory, { recursive: true });
  });

  function pipe(name: string): string {
    return join(directory, name);
  }

  /** A shell that waits at latch `index` and then does `act`, as one in a container does. */
  async function wait(index: number, act: string): Promise<void> {
    const script = `exec 8< ${pipe(`go.${index}`)} 9> ${pipe(`end.${index}`)}; : > ${pipe(`ready.${index}`)}; read _ <&8; exec 8<&-; ${act}`;
    waiting.push(spawn('/bin/sh', ['-c', script], { stdio: 'ignore' }));
    await until(() => existsSync(pipe(`ready.${index}`)));
  }

  async function make(count: number): Promise<void> {
    return launcher.makeLatches(
      Array.from({ length: count }, (_, i) => ({ go: pipe(`go.${i}`), end: pipe(`end.${i}`) })),
    );
  }

  it('opens once for each program, and sees its end', async () => {
    await make(2);
    await wait(0, `touch ${pipe('first')}; exec sleep 0.2`);
    await wait(1, `touch ${pipe('second')}`);
    expect(existsSync(pipe('first'))).toBe(false);
    const first = await launcher.openLatch({ latch: 0, cpus, barrier: null });
    expect(existsSync(pipe('first'))).toBe(true);
    expect(existsSync(pipe('second'))).toBe(false);
    expect(first.endNs - first.startNs).toBeGreaterThanOrEqual(200e6);
    const second = await launcher.openLatch({ latch: 1, cpus, barrier: null });
    expect(existsSync(pipe('second'))).toBe(true);
    expect(second.startNs).toBeGreaterThanOrEqual(first.endNs);
  });

  it('sees the end of a program that is killed', async () => {
    await make(1);
    await wait(0, 'kill -KILL $$');
    const { startNs, endNs } = await launcher.openLatch({ latch: 0, cpus, barrier: null });
    expect(endNs).toBeGreaterThanOrEqual(startNs);
  });

  it('is the pipe that was made, whatever a program puts in its place', async () => {
    await make(1);
    await wait(0, `touch ${pipe('begun')}`);
    writeFileSync(pipe('of the machine'), 'text');
    renameSync(pipe('go.0'), pipe('moved'));
    symlinkSync('of the machine', pipe('go.0'));
    // The launcher would wait for ever at a pipe that nobody writes to.
    rmSync(pipe('end.0'));
    execFileSync('mkfifo', [pipe('end.0')]);
    const { startNs, endNs } = await launcher.openLatch({ latch: 0, cpus, barrier: null });
    expect(endNs).toBeGreaterThanOrEqual(startNs);
    expect(existsSync(pipe('begun'))).toBe(true);
    expect(readFileSync(pipe('of the machine'), 'utf8')).toBe('text');
  });

  it('stays shut when the other side does not come', async () => {
    await make(1);
    await wait(0, `touch ${pipe('begun')}`);
    const passed = launcher.openLatch({ latch: 0, cpus, barrier: { wait: 'yield', deadlineMs: 60_000 } });
    Atomics.store(page.words, word.poison, poison.cancelled);
    await expect(passed).rejects.toMatchObject({ code: 'PAGE_POISONED' });
    expect(existsSync(pipe('begun'))).toBe(false);
  });

  it('is one that was made', async () => {
    await make(1);
    await expect(launcher.openLatch({ latch: 1, cpus, barrier: null })).rejects.toMatchObject({
      code: 'LAUNCHER_PROTOCOL',
    });
  });
});
