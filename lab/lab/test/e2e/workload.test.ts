import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { descendants, getAffinity, parentOf } from '@deadheat/sync';
import { beforeEach, describe, expect, it } from 'vitest';
import { until, useScene } from '../../../../core/cli/test/e2e/support.ts';

const hasCompiler = ['cc', 'gcc', 'clang'].some((name) => spawnSync(name, ['--version']).status === 0);
const alive = (pid: number): boolean => parentOf(pid) !== null;
const [cpu = 0] = getAffinity();

describe('deadheat lab workload', () => {
  const scene = useScene();
  let env: Record<string, string>;
  beforeEach(() => {
    env = { XDG_CACHE_HOME: scene.path('cache') };
  });

  const amountIn = (text: string): number => Number(/--amount (\d+)/.exec(text)?.[1]);

  it.each(['js', 'c'])('alone writes the times of its iterations: %s', async (language) => {
    if (language === 'c' && !hasCompiler) return console.log('skipped: there is no C compiler here');
    const args = ['lab', 'workload', 'float', '--amount', '1000', '--iterations', '3', '--language', language];
    const { status, stdout, stderr } = await scene.run(args, { env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    // What 1000 units of float come to, in every language.
    expect(stdout).toContain(`float (${language}): --amount 1000 = 100 000 steps an iteration`);
    expect(stdout).toContain('result 0.9203768694495417');
    expect(stdout.match(/^ +\d+ {2}/gm)).toHaveLength(3);
  });

  it('does that much more work with --slower, of an amount that is calibrated once', async () => {
    const options = ['--duration', '1ms', '--iterations', '1'];
    const first = await scene.run(['lab', 'workload', 'integer', ...options], { env });
    const again = await scene.run(['lab', 'workload', 'integer', ...options], { env });
    const slower = await scene.run(['lab', 'workload', 'integer', ...options, '--slower', '30%'], { env });
    expect(amountIn(again.stdout)).toBe(amountIn(first.stdout));
    expect(amountIn(slower.stdout)).toBe(Math.round(1.3 * amountIn(first.stdout)));
  });

  it.each(['js', 'c'])('writes its record instead where it takes part: %s', async (language) => {
    if (language === 'c' && !hasCompiler) return console.log('skipped: there is no C compiler here');
    const record = scene.path('record.jsonl');
    const args = ['lab', 'workload', 'integer', '--amount', '50', '--iterations', '4', '--language', language];
    const { status, stdout } = await scene.run(args, {
      env: { ...env, DEADHEAT_SIDE: 'B', DEADHEAT_RECORD: record },
    });
    expect(status).toBe(0);
    expect(stdout).not.toContain('iteration');
    const [head, ...iterations] = readFileSync(record, 'utf8').trimEnd().split('\n');
    expect(JSON.parse(head ?? '')).toMatchObject({ deadheat: 1, benchmark: 'integer', params: {} });
    expect(iterations).toHaveLength(4);
  });

  it('fails with a sentence where there is no compiler', async () => {
    const args = ['lab', 'workload', 'integer', '--amount', '1', '--language', 'c'];
    const { status, stdout, stderr } = await scene.run(args, { env: { ...env, PATH: scene.directory } });
    expect({ status, stdout }).toEqual({ status: 4, stdout: '' });
    expect(stderr).toMatch(/^deadheat: no C compiler: .*\nInstall one .* the language js/);
  });

  it('says that an iteration would be too long', async () => {
    const { status, stderr } = await scene.run(
      ['lab', 'workload', 'integer', '--amount', String(2 ** 31 - 1), '--slower', '1%'],
      { env },
    );
    expect(status).toBe(2);
    expect(stderr).toMatch(/is more than 2147483647\nDo less in one iteration/);
  });

  it('lists what there is', async () => {
    const { stdout } = await scene.run(['lab', 'workload', 'list']);
    expect(stdout.match(/^\w+/gm)).toEqual(['integer', 'float', 'cache', 'memory', 'load']);
  });
});

describe('deadheat lab workload load', () => {
  const scene = useScene();

  const bursts = ['lab', 'workload', 'load', '--seed', 'a', '--busy', '20ms', '--idle', '30ms'];

  it('writes its bursts, the same from the same seed, without being busy', async () => {
    const one = await scene.run([...bursts, '--duration', '200ms', '--dry-run']);
    const two = await scene.run([...bursts, '--duration', '200ms', '--dry-run', '--cores', String(cpu)]);
    const other = await scene.run([...bursts, '--duration', '200ms', '--dry-run', '--seed', 'b']);
    expect(one.stdout).toMatch(/^# seed a\n# busy from s\tto s\n0\.\d{6}\t0\.\d{6}\n/);
    expect(two.stdout).toBe(one.stdout);
    expect(other.stdout).not.toBe(one.stdout);
    const last = one.stdout
      .trimEnd()
      .split(/[\n\t]/)
      .at(-1);
    expect(Number(last)).toBeLessThanOrEqual(0.2);
  });

  it('ends when its time is over', async () => {
    const { status, stderr } = await scene.run([...bursts, '--duration', '100ms', '--cores', String(cpu)]);
    expect(status).toBe(0);
    expect(stderr).toMatch(new RegExp(`^load: bursts on CPU ${cpu}, .* seed a, 1 x integer \\(js\\)\n$`));
  });

  it('takes its processes along when it is ended', async () => {
    const running = scene.start([...bursts, '--mode', 'bursts']);
    const pid = running.child.pid ?? 0;
    await until(() => descendants(pid).length >= getAffinity().length);
    const below = descendants(pid);
    running.child.kill('SIGTERM');
    expect((await running.ended).status).toBe(0);
    await until(() => !below.some(alive));
  });

  it('was interrupted when it was to last longer', async () => {
    const running = scene.start([...bursts, '--duration', '1h']);
    await new Promise((resolve) => running.child.stderr?.once('data', resolve));
    running.child.kill('SIGTERM');
    expect((await running.ended).status).toBe(130);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)('ends when the process that started it is gone: %s', async (signal) => {
    // The shell waits, so that it is the parent of the load for as long as it lives.
    const parent = scene.script('parent', '"$@" & wait');
    const running = scene.start([...bursts], { prefix: [parent] });
    const pid = running.child.pid ?? 0;
    await until(() => descendants(pid).length > getAffinity().length);
    const below = descendants(pid);
    running.child.kill(signal);
    await until(() => !below.some(alive));
  });

  it('is refused on a CPU that is not there', async () => {
    const { status, stderr } = await scene.run(['lab', 'workload', 'load', '--cores', '8000']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^deadheat: CPU 8000 cannot be used here/);
  });
});
