import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ArrayProgress, PartArray, type FailedPart, type PartsJob } from './fleet-index.ts';

const searchPath = process.env['PATH'];

/** Programs of Slurm that say what files hold: the queue, how tasks ended, and why a node is refused. */
const programs = {
  sbatch: String.raw`echo "$*" >> submitted
if [ -e no-node ] && printf '%s' "$*" | grep -q nodelist; then echo "sbatch: error: Invalid node name specified" >&2; exit 1; fi
wc -l < submitted | tr -d ' '`,
  squeue: 'case "$*" in *--states=all*) cat remembered;; *) cat queue;; esac',
  sacct: 'if [ -e accounted ]; then cat accounted; else echo "Slurm accounting storage is disabled" >&2; exit 1; fi',
  scancel: 'echo "$*" >> cancelled',
};

describe('parts as an array job of Slurm', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'deadheat-slurm-'));
    for (const [name, text] of Object.entries(programs)) {
      writeFileSync(join(folder, name), `#!/bin/sh\ncd ${folder}\n${text}\n`, { mode: 0o755 });
    }
    write('queue', '');
    write('remembered', '');
    process.env['PATH'] = `${folder}:${searchPath}`;
  });
  afterEach(() => {
    process.env['PATH'] = searchPath;
    rmSync(folder, { recursive: true, force: true });
  });

  function write(name: string, text: string): void {
    writeFileSync(join(folder, name), text);
  }

  function submitted(): readonly string[] {
    return readFileSync(join(folder, 'submitted'), 'utf8').trim().split('\n');
  }

  function parts(): string {
    return join(folder, 'parts');
  }

  /** What a task leaves: of a part that is whole its report, of one that was ended the beginning of its recording. */
  function leave(part: number, { node, exit }: { readonly node: string; readonly exit: string | null }): void {
    mkdirSync(join(parts(), `${part}-${node}`), { recursive: true });
    writeFileSync(join(parts(), `${part}.node`), `${node}\n`);
    writeFileSync(join(parts(), `${part}-${node}`, 'experiment.json'), '{}');
    if (exit !== null) writeFileSync(join(parts(), `${part}.exit`), `${exit}\n`);
    if (exit === '0') writeFileSync(join(parts(), `${part}-${node}`, 'report.json'), '{}');
  }

  function jobOf(changes: Partial<PartsJob>): PartsJob {
    const program: PartsJob['program'] = ['node', 'deadheat', 'run'];
    const named = { scheduler: 'slurm' as const, name: 'x', workingDirectory: folder, program, begin: [], pod: null };
    return { ...named, parts: 1, output: 'out', options: ['--time=10'], ...changes };
  }

  async function submit(count: number): Promise<PartArray> {
    return PartArray.submit(parts(), jobOf({ parts: count }));
  }

  async function resubmit(options: readonly string[] = []): Promise<PartArray> {
    const array = await PartArray.resubmit(parts(), options);
    if (array === null) throw new TypeError('the folder holds no parts');
    return array;
  }

  async function wait(
    array: PartArray,
    onProgress: (progress: ArrayProgress) => void = () => {},
  ): Promise<readonly FailedPart[]> {
    return array.wait({ signal: new AbortController().signal, onProgress, pollMs: 1 });
  }

  it.each([
    ['TIMEOUT', 'was ended by its time limit (TIMEOUT: 00:10:05 of 00:10:00); give it more time (sbatch --time)'],
    ['OUT_OF_MEMORY', 'used more memory than it was given on n2 (OUT_OF_MEMORY); give it more (sbatch --mem)'],
    ['NODE_FAIL', 'lost its node n2 (NODE_FAIL)'],
    ['PREEMPTED', 'had to leave n2 to a job of higher priority (PREEMPTED)'],
    ['CANCELLED by 1000', 'was cancelled by user 1000 (CANCELLED)'],
    ['FAILED', null],
  ])('say why Slurm ended one: %s', async (state, reason) => {
    const array = await submit(2);
    leave(1, { node: 'n1', exit: '0' });
    leave(2, { node: 'n2', exit: '130' });
    write('accounted', `1_1|COMPLETED|00:01:00|00:10:00|n1\n1_2|${state}|00:10:05|00:10:00|n2\n`);
    const failed = await wait(array);
    expect(failed).toMatchObject([{ part: 2, exitCode: 130, reason }]);
  });

  it('are asked of the controller where there is no accounting', async () => {
    const array = await submit(1);
    write('remembered', '1_1|TIMEOUT|10:05|10:00|n1\n');
    expect(await wait(array)).toMatchObject([
      { part: 1, exitCode: null, reason: expect.stringContaining('10:05 of 10:00') },
    ]);
  });

  it('wait without a reason where Slurm has not looked at them yet', async () => {
    const array = await submit(2);
    write('queue', '1|PENDING|1|None\n1|PENDING|2|Resources\n');
    const seen: (string | null)[] = [];
    await wait(array, ({ reason }) => {
      seen.push(reason);
      write('queue', '');
    });
    expect(seen[0]).toBe('Resources');
  });

  it('need a folder that can be made', async () => {
    await expect(PartArray.submit('/proc/nothing/parts', jobOf({}))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('are submitted again where they are missing, each to the node that began it', async () => {
    const first = await submit(5);
    expect(await PartArray.resubmit(folder)).toBe(null);
    leave(1, { node: 'n1', exit: '0' });
    leave(2, { node: 'n2', exit: '130' });
    leave(3, { node: 'n3', exit: null });
    leave(4, { node: 'n2', exit: null });
    write('accounted', '1_2|TIMEOUT|1|1|n2\n1_3|NODE_FAIL|1|1|n3\n1_4|TIMEOUT|1|1|n2\n');
    expect((await wait(first)).map(({ part }) => part)).toEqual([2, 3, 4, 5]);
    // One task was queued again by Slurm itself.
    write('queue', '1|PENDING|5|Resources\n');
    const again = await resubmit(['--time=60']);
    expect(
      submitted()
        .slice(1)
        .map((line) => line.replaceAll(folder, '')),
    ).toEqual([
      '--parsable --output=/parts/slurm-%A-%a.log --chdir=/parts --time=10 --time=60 --nodelist=n2 /parts/job-2.sh',
      '--parsable --output=/parts/slurm-%A-%a.log --chdir=/parts --time=10 --time=60 /parts/job-3.sh',
    ]);
    expect(readFileSync(join(parts(), 'job-2.sh'), 'utf8')).toMatch(/--array=1-2\n[^]*\nset -- 2 4\n/);
    expect(readFileSync(join(parts(), 'job-3.sh'), 'utf8')).toMatch(/--array=1-1\n[^]*\nset -- 3\n/);
    expect({ ids: again.ids, parts: again.parts, output: again.output }).toEqual({
      ids: ['1', '2', '3'],
      parts: 5,
      output: 'out',
    });
    expect(existsSync(join(parts(), '2.exit'))).toBe(false);
    write('queue', '');
    for (const part of [2, 3, 4, 5]) leave(part, { node: `n${part}`, exit: '0' });
    expect(await wait(again)).toEqual([]);
    await again.cancel();
    expect(readFileSync(join(folder, 'cancelled'), 'utf8')).toBe('1 2 3\n');
    // Nothing is missing any more.
    await resubmit();
    expect(submitted()).toHaveLength(3);
  });

  it('go to another node where that which began them is no more', async () => {
    await submit(1);
    leave(1, { node: 'n9', exit: '130' });
    write('no-node', '');
    await resubmit();
    expect(submitted().map((line) => /--nodelist=\S+/.exec(line)?.[0] ?? 'any')).toEqual([
      'any',
      '--nodelist=n9',
      'any',
    ]);
  });

  it('begin anew on another node, keep what there was every time, and end for the node that has them', async () => {
    const program = ['sh', '-c', 'echo "$@" > said; if [ -e rival ]; then echo n9 > parts/1.node; fi', '-'];
    await PartArray.submit(parts(), jobOf({ program: program as PartsJob['program'] }));
    function start(node: string): string {
      const env = { ...process.env, SLURM_ARRAY_TASK_ID: '1', SLURMD_NODENAME: node };
      expect(spawnSync(join(parts(), 'job-1.sh'), { env }).status).toBe(0);
      leave(1, { node, exit: null });
      return readFileSync(join(folder, 'said'), 'utf8').trim().replaceAll(folder, '');
    }
    expect(start('n1')).toBe('--part 1/1 --host-name n1 --output /parts/1-n1');
    expect(start('n1')).toBe('--resume /parts/1-n1');
    expect(start('n2')).toBe('--part 1/1 --host-name n2 --output /parts/1-n2');
    expect(start('n1')).toBe('--part 1/1 --host-name n1 --output /parts/1-n1');
    start('n2');
    // It was ended before it had written what it measures.
    rmSync(join(parts(), '1-n2', 'experiment.json'));
    writeFileSync(join(parts(), '1-n2', 'iterations'), '');
    expect(start('n2')).toBe('--part 1/1 --host-name n2 --output /parts/1-n2');
    expect(readdirSync(join(parts(), 'lost')).toSorted()).toEqual(['1-n1', '1-n1+', '1-n2', '1-n2+']);
    expect(readFileSync(join(parts(), '1.exit'), 'utf8')).toBe('0\n');
    write('rival', '');
    start('n2');
    expect(existsSync(join(parts(), '1.exit'))).toBe(false);
  });
});
