import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readRecording } from '@deadheat/recording';
import { leavesNothing, useScene } from './support.ts';

describe('sides that have to print the same', () => {
  const scene = useScene(leavesNothing);
  const lines = 'printf "one\\ntwo\\nthree\\n"';

  async function compared(
    a: string,
    b: string,
    more: readonly string[] = [],
  ): Promise<{ status: number | null; stderr: string }> {
    return scene.run(['--same-output', '--runs', '6', ...more, scene.script('a', a), scene.script('b', b)]);
  }

  it.each([
    ['a byte', 'printf "one\\ntwo\\nthref\\n"', "line 3 of A is 'three', of B 'thref'"],
    ['the order', 'printf "two\\none\\nthree\\n"', "line 1 of A is 'one', of B 'two'"],
    ['a line that is missing', 'printf "one\\ntwo\\n"', "line 3 of A is 'three', of B missing"],
    ['a line more', 'printf "one\\ntwo\\nthree\\n\\n"', "line 4 of A is missing, of B ''"],
    ['nothing at all', 'true', "line 1 of A is 'one', of B missing"],
    ['a space at the end of a line', 'printf "one\\ntwo \\nthree\\n"', "line 2 of A is 'two', of B 'two '"],
    ['a byte of 0', 'printf "one\\ntwo\\0\\nthree\\n"', 'line 2'],
    ['a file that it did not write', `printf "one\\ntwo\\n"; cat there.txt 2> /dev/null || true`, 'line 3'],
    ['the last line feed', 'printf "one\\ntwo\\nthree"', 'line 3'],
  ])('are refused before any verdict where they differ by %s', async (_what, b, difference) => {
    const ended = await compared(lines, b);
    expect([ended.status, ended.stderr]).toEqual([4, expect.stringContaining('OUTPUTS_DIFFER')]);
    expect(ended.stderr).toContain(difference);
    const { trials } = await readRecording(scene.recording());
    expect(trials.filter(({ phase }) => phase === 'measure')).toEqual([]);
  });

  it('are refused where they differ far into a long output', async () => {
    const ended = await compared('seq 1 1000000', 'seq 1 1000000 | sed "s/^777777$/777770/"');
    expect(ended.stderr).toContain("line 777777 of A is '777777', of B '777770'");
  });

  it('are refused where one differs in its third execution only, by a named method, too', async () => {
    const count = scene.path('count');
    const third = `echo x >> ${count}; [ $(wc -l < ${count}) -eq 3 ] && echo oops; ${lines}`;
    const ended = await compared(lines, third, ['--method', 'sequential']);
    expect([ended.status, ended.stderr]).toEqual([4, expect.stringContaining("line 1 of A is 'one', of B 'oops'")]);
  });

  it('are refused where their exit statuses differ, which may be others than 0', async () => {
    const ended = await compared(`${lines}; exit 1`, `${lines}; exit 2`, ['--ignore-failure']);
    expect([ended.status, ended.stderr]).toEqual([4, expect.stringContaining('exit status 1 against 2')]);
  });

  it('are judged where they print the same, behind what takes out their times, and warned of where A varies by itself', async () => {
    expect((await compared(lines, `sleep 0; ${lines}`)).status).toBe(0);
    const [time, later] = ['echo took $(date +%N) ns', 'echo took 1$(date +%N) ns'];
    const normalised = await compared(time, later, ['--normalise-output', "sed 's/[0-9]*//g'"]);
    expect(normalised.status).toBe(0);
    const varying = await scene.run([
      '--same-output',
      '--runs',
      '6',
      '--details',
      scene.script('a', time),
      scene.script('b', later),
    ]);
    expect([varying.status, varying.stdout]).toEqual([0, expect.stringContaining('OUTPUTS_VARY')]);
    const broken = await compared(lines, lines, ['--normalise-output', 'exit 7']);
    expect([broken.status, broken.stderr]).toEqual([
      4,
      expect.stringContaining('--normalise-output failed with status 7'),
    ]);
  });

  const writes = (...made: readonly string[]): string =>
    `mkdir -p out/$DEADHEAT_SIDE && cd out/$DEADHEAT_SIDE && ${made.join(' && ')}`;

  it.each([
    ['their lines', 'printf "one\\ntow\\n" > made', "line 2 of 'out/{side}/made' of A is 'two', of B 'tow'"],
    ['one that B does not write', 'rm -f made', "B did not write 'out/{side}/made'"],
    ['one that B leaves as it was', 'true', "B did not write 'out/{side}/made'"],
  ])('are refused where they write other files: %s', async (_what, b, difference) => {
    const a = writes('printf "one\\ntwo\\n" > made');
    // It is there before, and old.
    mkdirSync(scene.path('out/B'), { recursive: true });
    writeFileSync(scene.path('out/B/made'), 'one\ntwo\n');
    const ended = await compared(a, writes(b), ['--same-files', 'out/{side}/made']);
    expect([ended.status, ended.stderr]).toEqual([4, expect.stringContaining(difference)]);
    expect(ended.stderr).toContain('OUTPUTS_DIFFER');
  });

  it('are judged where they write the same files, by a named method and in copies of a folder, too', async () => {
    const a = writes('date +%N > made', 'echo one > other');
    const named = ['--same-files', 'out/{side}/made,out/$DEADHEAT_SIDE/other', '--normalise-output', 'tr -d 0-9'];
    expect(await compared(a, a, named)).toMatchObject({ status: 0 });
    const copies = ['--scratch', 'work', '--same-files', 'made', '--method', 'sequential'];
    mkdirSync(scene.path('work'));
    expect(await compared('echo one > made', 'echo one > made', copies)).toMatchObject({ status: 0 });
    const ended = await compared('echo one > made', 'echo two > made', copies);
    expect([ended.status, ended.stderr]).toEqual([4, expect.stringContaining("'made' of A is 'one', of B 'two'")]);
  });

  it('name files that they do not share, and that they write', async () => {
    const shared = await compared('echo one > made', 'echo one > made', ['--same-files', 'made']);
    expect([shared.status, shared.stderr]).toEqual([4, expect.stringMatching(/both sides write .*made.*\{side\}/s)]);
    const none = await compared(lines, lines, ['--same-files', 'made-{side}']);
    expect([none.status, none.stderr]).toEqual([4, expect.stringContaining("no side wrote 'made-{side}'")]);
    const empty = await compared(lines, lines, ['--same-files', 'made,']);
    expect([empty.status, empty.stderr]).toEqual([2, expect.stringContaining('--same-files')]);
  });

  it.each([
    ['sort', 'seq 3000 | sort -R --random-source=/dev/zero'],
    ['gzip', 'seq 3000 | gzip -n'],
    ['awk', "seq 3000 | awk '{ s += $1; print s }'"],
    ['sed', 'seq 3000 | sed "s/1/one/g"'],
    ['grep', 'seq 3000 | grep -c 7'],
    ['find', 'find /usr/share/zoneinfo -type f 2> /dev/null | sort'],
    ['tar', 'mkdir -p $DEADHEAT_SIDE; cd $DEADHEAT_SIDE; seq 3000 > numbers; tar -c --mtime=@0 numbers | cksum'],
    ['sqlite3', 'sqlite3 :memory: "create table t(x); insert into t values (1), (2); select sum(x) from t"'],
    ['python3', 'python3 -c "print({str(n): n for n in range(3000)})"'],
    ['node', 'node -p "JSON.stringify(new Map([[1, 2]]).size)"'],
    ['perl', "perl -e 'print join(q( ), sort { $a <=> $b } map { $_ * 7 % 3001 } 1 .. 3000)'"],
  ])('are judged where both are %s', async (name, script) => {
    if (spawnSync(name, ['--version']).error !== undefined) {
      console.log(`outputs of ${name} are not compared: it is not here`);
      return;
    }
    expect(await compared(script, script)).toMatchObject({ status: 0 });
  });

  const runtimes = ['node node/words.js 1', 'python3 python/words.py 1'];
  it.each(runtimes)('are judged where both are the example %s', async (command) => {
    const [runtime = '', file = '', size = ''] = command.split(' ');
    const path = fileURLToPath(new URL(`../../../../examples/explain/${file}`, import.meta.url));
    const words = `exec ${runtime} ${path} ${size}`;
    expect(await compared(words, words)).toMatchObject({ status: 0 });
  });

  it('are compared again between the runs that are judged', async () => {
    await compared(lines, lines, ['--method', 'sequential', '--runs', '10']);
    const { trials } = await readRecording(scene.recording());
    expect(trials.map(({ phase }) => phase[0]).join('')).toBe('pppmmmmmpmmmmm');
  });
});
