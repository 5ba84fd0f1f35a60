import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getAffinity, hasNativeCalls, monotonicNowNs, parentOf } from '@deadheat/sync';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../src/c/build-program.ts';
import type { Language } from '../src/workload-command.ts';
import { noCompiler, until } from './support.ts';
import { startLoad, type LoadOptions } from '@deadheat/workloads';

// The load starts its processes from built files, so it is taken from there.

const [cpu = 0] = getAffinity();
const noProc = process.platform === 'linux' ? null : 'there is no /proc here';

function options(language: Language, more: Partial<LoadOptions> = {}): LoadOptions {
  return {
    plan: { mode: 'busy' },
    cpus: [cpu],
    language,
    work: 'integer',
    priority: 'normal',
    ...more,
  };
}

/** CPU time of a process in hundredths of a second. */
function ticks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return Number(user) + Number(system);
}

function alive(pid: number): boolean {
  return parentOf(pid) !== null;
}

describe.skipIf(noProc !== null).each(['js', 'c'] as const)('a load in %s', (language) => {
  const without = language === 'c' ? noCompiler : null;

  it.skipIf(without !== null)('has a process on each CPU and is gone when it is stopped', async () => {
    const load = await startLoad(options(language, { cpus: 'all' }));
    expect(load.pids).toHaveLength(getAffinity().length);
    if (hasNativeCalls()) {
      const allowed = load.pids.map(
        (pid) => /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1],
      );
      expect(allowed).toEqual(getAffinity().map(String));
    }
    await load.stop();
    await load.ended;
    expect(load.pids.filter(alive)).toEqual([]);
  });

  it.skipIf(without !== null).each(['integer', 'memory'] as const)('works when its plan says so: %s', async (work) => {
    const busy = await startLoad(options(language, { work }));
    const idle = await startLoad(options(language, { work, plan: { mode: 'idle' } }));
    const [busyPid = 0] = busy.pids;
    const [idlePid = 0] = idle.pids;
    const [busyBefore, idleBefore] = [ticks(busyPid), ticks(idlePid)];
    await until(() => ticks(busyPid) >= busyBefore + 30);
    // What a start leaves to do, in JavaScript, is done besides; the work is not.
    expect(ticks(idlePid) - idleBefore).toBeLessThan(15);
    await Promise.all([busy.stop(), idle.stop()]);
  });

  it.skipIf(without !== null)('works in bursts, phase after phase', async () => {
    const plan = { mode: 'bursts', seed: '1', busyMeanNs: 2e6, idleMeanNs: 2e6 } as const;
    const load = await startLoad(options(language, { plan }));
    const [pid = 0] = load.pids;
    const before = ticks(pid);
    await until(() => ticks(pid) >= before + 5);
    await load.stop();
  });

  it.skipIf(without !== null)('is gone when the process that started it was killed', async () => {
    const owner = spawn(
      process.execPath,
      [join(import.meta.dirname, 'fixtures/load-owner.mjs'), JSON.stringify(options(language, { cpus: 'all' }))],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const text = await new Promise<string>((resolve) => owner.stdout.setEncoding('utf8').once('data', resolve));
    const pids = JSON.parse(text) as number[];
    expect(pids.filter(alive)).toEqual(pids);
    owner.kill('SIGKILL');
    await until(() => pids.every((pid) => !alive(pid)));
  });

  it.skipIf(without !== null)('says so when one of its processes is lost, and ends the others', async () => {
    const load = await startLoad(options(language, { cpus: 'all' }));
    process.kill(load.pids[0] ?? 0, 'SIGKILL');
    await expect(load.ended).rejects.toMatchObject({ code: 'LOAD_LOST' });
    expect(load.pids.filter(alive)).toEqual([]);
  });
});

describe.skipIf(noProc !== null).each(['js', 'c'] as const)('one process of a load in %s', (language) => {
  it.skipIf(language === 'c' && noCompiler !== null)('works in its phase, not before and not after', async () => {
    const main = fileURLToPath(new URL('../dist/load/main.js', import.meta.url));
    const [file = '', ...first] = language === 'c' ? [buildProgram('load')] : [process.execPath, main];
    const child = spawn(file, [...first, String(cpu), 'integer', 'normal'], { stdio: ['pipe', 'pipe', 'inherit'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const pid = child.pid ?? 0;
    const began = monotonicNowNs();
    const [start, end] = [began + 300e6, began + 800e6];
    child.stdin.write(`${start} ${end}\n`);
    const samples: { readonly before: number; readonly ticks: number; readonly after: number }[] = [];
    while (monotonicNowNs() < end + 500e6) {
      samples.push({ before: monotonicNowNs(), ticks: ticks(pid), after: monotonicNowNs() });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }

    function grown(part: typeof samples): number {
      return (part.at(-1)?.ticks ?? 0) - (part[0]?.ticks ?? 0);
    }

    // What JavaScript compiles and collects at its start is done besides: less than a tenth of a second.
    expect(grown(samples.filter(({ after }) => after < start))).toBeLessThan(10);
    expect(grown(samples.filter(({ before }) => before > end + 100e6))).toBeLessThan(10);
    expect(grown(samples)).toBeGreaterThan(0);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.stdin.end();
    expect(await gone).toBe(0);
  });
});

describe('a load that cannot be', () => {
  it('is refused on a CPU that is not there, with those that are', async () => {
    await expect(startLoad(options('js', { cpus: [cpu, 8000] }))).rejects.toMatchObject({
      code: 'CPU_NOT_USABLE',
      message: expect.stringMatching(/^CPU 8000 cannot be used here; these can: \d/),
    });
  });

  it('is refused at real-time priority in JavaScript', async () => {
    await expect(startLoad(options('js', { priority: 'realtime' }))).rejects.toThrow(RangeError);
  });

  it('is refused with bursts that are too short', async () => {
    const plan = { mode: 'bursts', seed: '1', busyMeanNs: 1, idleMeanNs: 1e9 } as const;
    await expect(startLoad(options('js', { plan }))).rejects.toThrow(RangeError);
  });
});
