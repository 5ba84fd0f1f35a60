import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { leavesNothing, useScene, type Ended } from './support.ts';
import { SceneRepository, skipped, slow, usual, work } from './support-repository.ts';

/** Programs of the scene differ by a factor: `--margin` makes verdicts that no busy machine changes. */
const settings = ['--metric', 'cpu', '--margin', '60%', '--max-time', '5m'];
const printing = (count: number, text: string): string => `${work(count)}echo ${text}\n`;

/** Makes a folder below another one, by a process that is killed before it removes it. */
function leaveFolder(parent: string): string {
  const code = `import { makeTemporaryFolder } from '@deadheat/sync'; import { writeSync } from 'node:fs';
    writeSync(1, makeTemporaryFolder('left', process.argv[1])); process.kill(process.pid, 'SIGKILL');`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', code, parent], { encoding: 'utf8' }).stdout;
}

interface Answer {
  readonly entry: {
    readonly number: number;
    readonly answer: string;
    readonly reason: string;
    readonly suspect: string | null;
    readonly again: object | null;
  };
  readonly known: boolean;
  readonly revertBy: string | null;
  readonly budget: { readonly left: number; readonly spentBy: number };
}

describe.skipIf(skipped !== null)('deadheat attempt', () => {
  const scene = useScene(leavesNothing);
  const repository = new SceneRepository(scene);
  const attempt = (...args: readonly string[]): Promise<Ended> => repository.run('attempt', ...args);
  const answerOf = ({ stdout }: Ended): Answer => JSON.parse(stdout) as Answer;
  const ledger = (): readonly string[] =>
    readFileSync(join(repository.folder, '.deadheat/attempts/loop/ledger.jsonl'), 'utf8').trimEnd().split('\n');

  async function begin(...args: readonly string[]): Promise<void> {
    repository.commit('first', { 'work.sh': printing(slow, 'done'), '.gitignore': '.deadheat\n' });
    const started = await attempt('start', ...settings, ...args, '--', 'sh', 'work.sh');
    expect([started.status, started.stderr]).toEqual([0, '']);
    expect(started.stdout).toContain('100 % of the 5 % is left');
  }

  it('keeps a gain, rejects what changes nothing or the output, knows what it rejected, and ends with fresh runs', async () => {
    await begin();
    expect((await attempt()).status).toBe(2);

    repository.write({ 'work.sh': `# a comment\n${printing(slow, 'done')}` });
    const nothing = await attempt('--json', '--message', 'a comment');
    expect([nothing.status, answerOf(nothing)]).toMatchObject([
      1,
      { known: false, entry: { answer: 'revert', number: 1 } },
    ]);
    const left = leaveFolder(scene.directory);
    expect(left).toContain(scene.directory);
    const known = await attempt('--json');
    expect(existsSync(left), 'the folder of a process that was killed').toBe(false);
    expect([known.status, answerOf(known)]).toMatchObject([
      1,
      { known: true, entry: { number: 1 }, budget: { spentBy: 1 } },
    ]);
    expect(known.stderr).toContain('answered from the ledger');
    expect(answerOf(known).revertBy).toMatch(/^git restore --source=[0-9a-f]{12} --worktree -- :\/work\.sh$/);

    repository.write({ 'work.sh': printing(usual, 'other'), 'new.txt': 'x' });
    const other = await attempt('--apply');
    expect(other.status).toBe(1);
    expect(other.stdout).toMatch(/^attempt 2: REVERT, the output changes: .*'done', of B 'other'/);
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(repository.git('show', 'refs/deadheat/attempts/loop/2:new.txt')).toBe('x');

    repository.write({ 'work.sh': printing(usual, 'done') });
    const before = repository.git('status', '--porcelain');
    const gain = await attempt('--json', '--message', 'less work');
    // A fifth of the time: measured twice.
    expect([gain.status, answerOf(gain)]).toMatchObject([
      0,
      { entry: { answer: 'keep', suspect: expect.stringContaining('half') }, budget: { spentBy: 2 }, revertBy: null },
    ]);
    expect(answerOf(gain).entry.again).not.toBeNull();
    expect(repository.git('status', '--porcelain')).toBe(before);

    const status = await attempt('status');
    expect(status.stdout).toMatch(
      /1 +REVERT .*a comment\n +2 +REVERT +not measured .*\n +3 +KEEP \(SUSPECT\) .*less work/,
    );

    const ended = await attempt('end', '--max-time', '10s', '--export', 'markdown:-');
    expect(ended.status).toBe(0);
    expect(ended.stdout).toMatch(/^### 1 optimisation kept of 3 attempts\n\n\*\*total: -\d+/);
    expect(ended.stdout).toContain('| 3 | less work |');
    expect(ledger().map((line) => (JSON.parse(line) as { readonly kind: string }).kind)).toEqual([
      'start',
      'attempt',
      'attempt',
      'attempt',
      'end',
    ]);
    expect((await attempt()).stderr).toContain('the loop loop has ended');
  });

  it('judges against the best state, and keeps nothing that does not build', async () => {
    await begin('--build', 'test ! -e broken');
    repository.write({ 'work.sh': printing(usual, 'done') });
    expect((await attempt()).status).toBe(0);
    // Faster than the baseline, slower than the best state.
    repository.write({ 'work.sh': printing(3 * usual, 'done') });
    const slower = await attempt('--json');
    expect([slower.status, answerOf(slower).entry.reason]).toEqual([1, expect.stringMatching(/slower|no gain/)]);
    repository.write({ broken: 'x' });
    const broken = await attempt('--json');
    expect([broken.status, answerOf(broken).entry.reason]).toEqual([1, expect.stringContaining('cannot be built')]);
    expect(answerOf(broken).budget.spentBy).toBe(2);
    expect(answerOf(broken).revertBy).toContain('git clean --quiet --force -- :/broken');
  });

  it('says what is wrong with what was typed', async () => {
    repository.commit('first', { 'work.sh': work(usual), '.gitignore': '.deadheat\n' });
    expect((await attempt()).stderr).toContain('There is no loop of attempts in this folder');
    expect((await attempt('start')).stderr).toContain('attempt start needs a command');
    expect((await attempt('start', '../x', '--', 'true')).stderr).toContain('a loop cannot be called ../x');
    expect((await attempt('start', '--error', '100%', '--', 'true')).status).toBe(2);
    expect((await attempt('start', '--from', 'nothing', '--', 'true')).status).toBe(2);
    expect(existsSync(join(repository.folder, '.deadheat'))).toBe(false);
    expect((await attempt('start', 'one', '--', 'true')).status).toBe(0);
    expect((await attempt('start', 'one', '--', 'true')).stderr).toContain('a loop called one already');
    expect((await attempt('start', 'two', '--', 'true')).status).toBe(0);
    expect((await attempt()).stderr).toContain('several loops of attempts go on here: one, two');
    expect((await attempt('--loop', 'three')).stderr).toContain('There are one, two');
    expect((await attempt('--instructions')).stdout).toMatch(/^# Making this program faster/);
    expect((await attempt('--instructions', '--apply')).status).toBe(2);
  });

  it('leaves ledger and tree as before or after it, wherever it is killed', async () => {
    repository.commit('first', { 'work.sh': printing(usual, 'done'), '.gitignore': '.deadheat\n' });
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`file-${n}`, `${n}`]));
    repository.commit('files', files);
    await attempt('start', ...settings, '--', 'sh', 'work.sh');
    const changed = Object.fromEntries(Object.keys(files).map((name) => [name, 'changed']));
    const env = { DEADHEAT_CACHE: scene.path('cache') };
    repository.write({ ...changed, 'work.sh': printing(slow, 'done') });
    const pending = (): string => {
      try {
        return readFileSync(join(repository.folder, '.deadheat/attempts/loop/apply.json'), 'utf8');
      } catch (error) {
        // It goes while it is looked for.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
        throw error;
      }
    };
    const states = { before: 0, after: 0, between: 0 };
    for (let kill = 0; kill < 6; kill += 1) {
      repository.write({ ...changed, 'work.sh': `${printing(slow, 'done')}# ${kill}\n` });
      const lines = ledger().length;
      const stale = pending();
      const running = scene.start(['attempt', '--apply'], { cwd: 'repo', env });
      // The first half while it is measured, the second about when its files are put back.
      const isPutBack = (): boolean => pending() !== stale && pending() !== '';
      const deadline = kill < 3 ? Date.now() + 600 * kill : Infinity;
      while (Date.now() < deadline && !isPutBack() && running.child.exitCode === null) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      if (kill >= 3) await new Promise((resolve) => setTimeout(resolve, 60 * (kill - 3)));
      running.child.kill('SIGKILL');
      await running.ended;
      const isIn = ledger().length > lines;
      const isPending = pending() !== '';
      if (isIn && isPending) {
        states.between += 1;
        expect((await attempt()).stderr).toContain('was being reverted when its process ended');
        expect((await attempt('--apply')).status).toBe(1);
      } else states[isIn ? 'after' : 'before'] += 1;
      expect(repository.git('status', '--porcelain') === '').toBe(isIn);
      for (const line of ledger()) JSON.parse(line);
    }
    expect(states.before).toBeGreaterThan(0);
    expect(states.after + states.between).toBeGreaterThan(0);
    expect(readdirSync(join(repository.folder, '.deadheat/attempts/loop'))).not.toContain('restored');
    await repository.run('cleanup');
  });
});
