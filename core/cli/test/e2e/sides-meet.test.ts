import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { leavesNothing, noDuets, parseReport, until, useScene } from './support.ts';

const skipped = noDuets === null ? '' : ` (skipped: ${noDuets})`;

/** util-linux has it. */
const hasFlock = spawnSync('flock', ['--version'], { stdio: 'ignore' }).status === 0;

describe.skipIf(noDuets !== null)(`sides that meet${skipped}`, () => {
  const scene = useScene(leavesNothing);

  it.skipIf(!hasFlock)('are run one after the other where they wait for each other, which is told', async () => {
    // One process, whose waits for a core are all known, and short: after 2 s no more pilot runs are made.
    const ended = await scene.run(['-r', '2', '--export', 'json:report.json', 'flock --no-fork lock sleep 0.15']);
    expect(ended.status, ended.stderr).toBe(0);
    const { comparisons, warnings } = parseReport(readFileSync(scene.path('report.json'), 'utf8'));
    expect(comparisons[0]?.method).toBe('sequential');
    expect(comparisons[0]?.methodReason).toMatch(/^the sides wait for each other/);
    expect(warnings.find(({ code }) => code === 'SIDES_WAIT')?.message).toContain('{side}');
  });

  it('are told of a file that both write', async () => {
    const script = scene.script('writes', 'echo $$ > same; exec sleep 0.3');
    const ended = await scene.run(['-r', '2', '--export', 'json:report.json', `${script} 1`, `${script} 2`]);
    expect(ended.status, ended.stderr).toBe(0);
    const { warnings } = parseReport(readFileSync(scene.path('report.json'), 'utf8'));
    expect(warnings.find(({ code }) => code === 'SAME_FILE_WRITTEN')?.message).toContain(scene.path('same'));
  });

  it('fail with a hint where one takes what the other needs, and not with a folder each', async () => {
    const script = scene.script('takes', 'mkdir made && sleep 0.2 && rmdir made');
    const duet = ['-r', '2', '--method', 'sync-duet'];
    const failed = await scene.run([...duet, `${script} 1`, `${script} 2`]);
    expect(failed.status).toBe(4);
    expect(failed.stderr).toMatch(/: .*File exists\n {2}hint: both sides run at the same time/);
    mkdirSync(scene.path('tmp'));
    mkdirSync(scene.path('project'));
    writeFileSync(scene.path('project/file'), 'x');
    const env = { TMPDIR: scene.path('tmp') };
    const own = `cat file && ${script}`;
    const scratch = await scene.run([...duet, '--scratch', 'project', `${own} 1`, `${own} 2`], { env });
    expect(scratch.status, scratch.stderr).toBe(0);
    expect(readdirSync(scene.path('project'))).toEqual(['file']);
    expect(readdirSync(scene.path('tmp'))).toEqual([]);
  });

  it('have folders for temporary files of their own, removed also when the command is killed', async () => {
    mkdirSync(scene.path('tmp'));
    const env = { TMPDIR: scene.path('tmp') };
    const run = scene.start(['-r', '2', `echo $TMPDIR > seen-{side}; sleep 1000 # ${scene.directory}`], { env });
    await until(() => ['A', 'B'].every((side) => existsSync(scene.path(`seen-${side}`))));
    const seen = ['A', 'B'].map((side) => (): string => readFileSync(scene.path(`seen-${side}`), 'utf8').trim());
    await until(() => seen.every((read) => read() !== ''));
    const [a = '', b = ''] = seen.map((read) => read());
    expect(a).not.toBe(b);
    for (const folder of [a, b]) {
      expect(folder.startsWith(scene.path('tmp'))).toBe(true);
      expect(existsSync(folder)).toBe(true);
    }
    run.child.kill('SIGKILL');
    await run.ended;
    await until(() => readdirSync(scene.path('tmp')).length === 0 && scene.leftoverPages().length === 0);
  });
});
