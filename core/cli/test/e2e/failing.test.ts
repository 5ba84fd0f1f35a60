import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readRecording } from '@deadheat/recording';
import { leavesNothing, noDuets, processesWith, until, useScene } from './support.ts';

const duet = ['--method', 'sync-duet'];

describe.skipIf(noDuets !== null)('a workload that fails', () => {
  const scene = useScene(leavesNothing);

  /** A script that does `act` in its seventh execution. */
  function failingInSeventh(act: string): string {
    const count = scene.path('count');
    return scene.script('fails', `echo x >> ${count}\n[ $(wc -l < ${count}) -lt 7 ] || ${act}`);
  }

  it('is named with side, run and status when it exits with one', async () => {
    const ended = await scene.run([
      ...duet,
      '--runs',
      '20',
      '/bin/true',
      failingInSeventh('{ echo reason >&2; exit 3; }'),
    ]);
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(/B exited with status 3 in run 7/);
    expect(ended.stderr).toContain('reason');
    const { trials } = await readRecording(scene.recording());
    expect(trials.filter(({ status }) => status === 'ok')).toHaveLength(6);
  });

  it('is named when a signal kills it', async () => {
    const ended = await scene.run([...duet, '--runs', '20', failingInSeventh('kill -SEGV $$'), '/bin/true']);
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(/A was killed by SIGSEGV in run 7/);
  });

  it('is ended and named when it takes longer than --timeout', async () => {
    const ended = await scene.run(['--runs', '5', '--timeout', '300ms', '/bin/true', 'sleep 1000']);
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(/B was ended because it took longer than 0.3 s \(its time limit\) in run 1/);
  });

  it('is named when it leaves a process behind, which is ended', async () => {
    const stray = scene.script('stray', 'exec sleep 1000');
    const program = scene.script('forks', `setsid ${stray} > /dev/null 2>&1 &\nexit 0`);
    const ended = await scene.run(['--runs', '5', program, '/bin/true']);
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(/A left a process running behind it.* in run 1/);
  });

  it('is named when it is not there, with a hint', async () => {
    const ended = await scene.run(['/bin/true', 'no-such-command-anywhere x']);
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(/B.*no-such-command-anywhere/);
    expect(existsSync(scene.path('.deadheat'))).toBe(false);
  });

  it('is told by its cause and one hint that fits, without advice for results that there are not', async () => {
    const ended = await scene.run(['true', 'false']);
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(/B exited with status 1 in run 1: false\n.*-i .*\n$/);
    expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/--resume|FEW_RUNS|report\.html/);
    const unready = scene.script(
      'unready',
      "echo \"Error: Cannot find module 'x'\" >&2; echo '    at f (a.js:1:2)' >&2; exit 1",
    );
    const { stderr } = await scene.run(['true', unready]);
    expect(stderr).toMatch(/B exited .*unready: Error: Cannot find module 'x'\n.*--setup 'npm ci'.*\n$/);
  });

  it('counts all the same with --ignore-failure', async () => {
    const ended = await scene.run(['--runs', '6', '-i', 'false', 'sh -c "exit 3"']);
    expect(ended.status).toBe(0);
    expect(scene.trials()[0]?.sides.B.exitCode).toBe(3);
  });

  it('does not hide a hook that fails', async () => {
    const ended = await scene.run(['--runs', '6', '--prepare', 'echo broken >&2; exit 9', '/bin/true', '/bin/true']);
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(/prepare command/);
    expect(ended.stderr).toContain('broken');
  });

  it('frees the other side at once, however long that would have taken', async () => {
    const slow = scene.script('slow', 'exec sleep 1000');
    const ended = await scene.run(['--runs', '6', 'sh -c "exit 5"', slow]);
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(/A exited with status 5 in run 1/);
  });

  it('is ended when the time limit has passed several times over', async () => {
    const slow = scene.script('slow', 'exec sleep 1000');
    const ended = await scene.run(['--max-time', '100ms', slow]);
    expect(ended.status).toBe(124);
  });

  it('passes the time limit without a result: 124', async () => {
    const ended = await scene.run(['--max-time', '100ms', 'sleep 1', 'sleep 1']);
    expect(ended.status).toBe(124);
    expect(ended.stderr).toContain('--max-time');
  });
});

describe.skipIf(noDuets !== null)('an experiment that is ended from outside', () => {
  const scene = useScene();

  const lines = (): number => {
    const path = join(scene.path('recording'), 'trials.jsonl');
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
  };

  it('leaves nothing behind after SIGKILL and is finished by --resume with exact counts', async () => {
    const program = scene.script('work', 'sleep 0.02');
    const args = [...duet, '--runs', '40', '--seed', 's', '--output', 'recording', program, program];
    const running = scene.start(args);
    await until(() => lines() >= 5);
    running.child.kill('SIGKILL');
    await running.ended;
    await until(() => processesWith(scene.directory).length === 0);
    await until(() => scene.leftoverPages().length === 0);
    const before = lines();
    expect(before).toBeLessThan(40);

    const resumed = await scene.run(['--resume', 'recording', '--export', 'json:report.json']);
    expect(resumed.status).toBe(0);
    const trials = scene.trials('recording');
    expect(trials.map(({ run }) => run)).toEqual(Array.from({ length: 40 }, (_, run) => run));
    expect(trials.map(({ trial }) => trial)).toEqual(Array.from({ length: 40 }, (_, trial) => trial));
    expect(resumed.stdout).toMatch(/40 runs/);
  });

  it('ends in order when npx is killed, though its shell stays between them', async () => {
    // a shell that has something left to do does not give its process to the command
    const starter = `require('child_process').spawn('/bin/sh', ['-c', '"$@"; exit $?', 'sh', ...process.argv.slice(1)], { stdio: 'inherit' })`;
    const npx = scene.start(['--runs', '100000', '--output', 'recording', '/bin/true', '/bin/true'], {
      prefix: [process.execPath, '-e', starter],
      env: { npm_command: 'exec' },
    });
    await until(() => lines() >= 3);
    npx.child.kill('SIGKILL');
    expect((await npx.ended).stderr).toMatch(/interrupted/);
    expect(scene.leftoverPages()).toEqual([]);
  });

  it.skipIf(spawnSync('python3', ['-c', 'import pty']).status !== 0)(
    'ends in order when its terminal is closed, with exit code 130',
    async () => {
      const terminal = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
while not os.path.exists('recording/trials.jsonl'): os.read(terminal, 1000)
os.close(terminal)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) % 256)`;
      const args = ['--runs', '100000', '--output', 'recording', '/bin/true', '/bin/true'];
      const ended = await scene.start(args, { prefix: ['python3', '-c', terminal] }).ended;
      expect(ended.status, ended.stderr).toBe(130);
      expect(existsSync(scene.path('recording/report.json'))).toBe(true);
      expect(processesWith(scene.directory)).toEqual([]);
    },
  );

  it('has nothing to run when it was complete', async () => {
    await scene.run([...duet, '--runs', '6', '--output', 'recording', '/bin/true', '/bin/true']);
    const resumed = await scene.run(['--resume', 'recording']);
    expect(resumed.status).toBe(0);
    expect(scene.trials('recording')).toHaveLength(6);
  });

  it('sums up what there is on Ctrl-C, with exit code 130', async () => {
    const program = scene.script('work', 'sleep 0.02');
    const running = scene.start([...duet, '--runs', '2000', '--output', 'recording', program, program]);
    await until(() => lines() >= 12);
    running.child.kill('SIGINT');
    const ended = await running.ended;
    expect(ended.status).toBe(130);
    expect(ended.stdout).toMatch(/sync-duet/);
    expect(ended.stdout + ended.stderr).toContain('--resume');
    expect(processesWith(scene.directory)).toEqual([]);
    expect(scene.leftoverPages()).toEqual([]);
  });

  it('keeps and names everything written when the disk is full', async (context) => {
    const disk = scene.path('disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return context.skip('a small file system cannot be mounted here');
    }
    try {
      const ended = await scene.run(['--runs', '2000', '--output', 'disk/recording', '/bin/true', '/bin/true']);
      expect(ended.status).toBe(4);
      expect(ended.stderr).toContain(join('disk', 'recording'));
      expect(ended.stderr).toMatch(/full|space/);
      const { trials } = await readRecording(join(disk, 'recording'));
      expect(trials.length).toBeGreaterThan(20);
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});

describe.skipIf(process.platform !== 'linux')('without native calls', () => {
  const env = { DEADHEAT_NO_NATIVE: '1' };
  const scene = useScene();

  it('names a command that leaves a process behind, which is ended', async () => {
    const stray = scene.script('stray', 'exec sleep 1000');
    const program = scene.script('forks', `${stray} ${scene.directory} &\nexit 0`);
    const ended = await scene.start(['--runs', '5', program, '/bin/true'], { env }).ended;
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(/A left a process running behind it.* in run 1/);
    expect(processesWith(scene.directory)).toEqual([]);
  });

  it('leaves nothing behind after SIGKILL', async () => {
    const started = scene.path('started');
    const program = scene.script('works', `touch ${started}\nsleep 1000\ntrue`);
    const running = scene.start(['--runs', '5', program, program], { env });
    await until(() => existsSync(started));
    running.child.kill('SIGKILL');
    await running.ended;
    await until(() => processesWith(scene.directory).length === 0);
  });
});

describe('a command that cannot load its own files', () => {
  function startWith(limit: number, bin: string): { readonly status: number | null; readonly stderr: string } {
    const command = fileURLToPath(new URL(bin, import.meta.url));
    const line = `ulimit -n ${limit}; exec ${process.execPath} ${command} --fail-on slower true true`;
    const { status, stderr } = spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8' });
    return { status, stderr };
  }

  it('ends with a sentence and 4: 1 would say that B is slower', () => {
    expect(startWith(24, '../../../deadheat/bin/deadheat.js')).toEqual({
      status: 4,
      stderr: expect.stringMatching(
        /^deadheat: it could not go on: EMFILE.*\nRaise the limit of open files \(ulimit -n\)\.\n$/,
      ) as string,
    });
  });

  it('does so in the repository, too', () => {
    expect(startWith(24, '../../bin/deadheat.js')).toEqual({
      status: 4,
      stderr: expect.stringMatching(/^deadheat: it could not go on: .*\nCheck the limits .*\n$/) as string,
    });
  });
});
