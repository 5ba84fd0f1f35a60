import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readRecording } from '@deadheat/recording';
import { sides } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { leavesNothing, noDuets, useScene } from './support.ts';

const missing = ['valgrind', 'cc'].filter((program) => spawnSync(program, ['--version']).error !== undefined);
const why = noDuets ?? (missing.length > 0 ? `${missing.join(' and ')} not installed` : null);

describe.skipIf(why !== null)(`work that valgrind counts${why === null ? '' : ` (skipped: ${why})`}`, () => {
  const scene = useScene(leavesNothing);

  /** Compiles a program that allocates as many blocks as its argument says, and none else. */
  function build(): string {
    const [source, program] = [scene.path('blocks.c'), scene.path('blocks')];
    writeFileSync(
      source,
      `#include <stdlib.h>
       int main(int count, char **words) {
         volatile char *block;
         for (int left = atoi(words[count - 1]); left > 0; left--) { block = malloc(16); block[0] = 1; free((void *)block); }
         return 0;
       }`,
    );
    expect(spawnSync('cc', ['-O0', '-o', program, source]).status).toBe(0);
    return program;
  }

  const options = ['--runs', '4', '--method', 'sequential'];

  it('fails a limit by one allocation in a thousand, exactly, and passes without', async () => {
    const program = build();
    const more = await scene.run([...options, '--fail-on', 'allocations>0', `${program} 1000`, `${program} 1001`]);
    expect([more.status, more.stderr]).toEqual([1, expect.stringContaining('allocations>0%: exceeded')]);
    const { trials } = await readRecording(scene.recording());
    const counting = trials.filter((trial) => trial.counting === true);
    expect(counting.map((trial) => sides.map((side) => trial.sides[side].counts?.allocations))).toEqual([
      [1000, 1001],
      [1000, 1001],
    ]);
    expect(trials.filter(({ phase }) => phase === 'measure')).toHaveLength(4);
    expect(trials.every(({ counting: one, phase }) => one !== true || phase === 'pilot')).toBe(true);
    const same = await scene.run([...options, '--fail-on', 'allocations>0', `${program} 1000`, `${program} 1000 `]);
    expect(same.status).toBe(0);
  });

  it('is compared also where processors have no counters, and says that it repeats', async () => {
    const program = build();
    const ended = await scene.run(['--details', ...options, '--also', 'allocations', `${program} 10`, `${program} 20`]);
    expect(ended.stdout.replaceAll(/\s+/g, ' ')).toContain('A 10, B 20 (the same in each of 2 counting runs)');
  });

  it('is missing with a warning where a program fails under valgrind, and its times are judged', async () => {
    const refuses = 'case "$LD_PRELOAD" in *vgpreload*) exit 3;; esac';
    const ended = await scene.run([
      '--details',
      ...options,
      '--also',
      'allocations',
      scene.script('a', refuses),
      scene.script('b', `${refuses}; true`),
    ]);
    expect(ended.status).toBe(0);
    expect(ended.stdout.replaceAll(/\s+/g, ' ')).toContain('failed under valgrind');
  });
});

describe.skipIf(noDuets !== null)(`allocations that a runtime counts (${noDuets ?? 'here'})`, () => {
  const scene = useScene(leavesNothing);
  const options = ['--runs', '2', '--method', 'sequential', '--details', '--fail-on', 'allocations>0'];
  const hasJdk = ['javac', 'java'].every((program) => spawnSync(program, ['-version']).status === 0);

  it('are bytes of the heap of Node, to the object, with the options that the program has for itself', async () => {
    const code = 'const kept = []; for (let at = 0; at < Number(process.argv[2]); at++) kept.push([at, at]);';
    writeFileSync(
      scene.path('blocks.js'),
      `if (require('node:v8').getHeapStatistics().heap_size_limit > 400e6) throw new Error('another heap'); ${code}`,
    );
    const env = { NODE_OPTIONS: '--max-old-space-size=300' };
    const more = await scene.run([...options, 'node blocks.js 20000', 'node blocks.js 20100'], { env });
    expect([more.status, more.stderr]).toEqual([1, expect.stringContaining('allocations>0%: exceeded')]);
    expect(more.stdout).toMatch(/B uses more;\s+A\s[\d\s]+bytes,\s+B\s[\d\s]+bytes/);
    const same = await scene.run([
      ...options,
      '--also',
      'allocations',
      'node blocks.js 20000',
      'node  blocks.js 20000',
    ]);
    expect(same.stdout).not.toContain('B uses more');
  });

  it.skipIf(!hasJdk)('are bytes of the heap of Java, of all threads, where a JDK is there', async () => {
    writeFileSync(
      scene.path('Blocks.java'),
      `public class Blocks {
         static volatile Object kept;
         public static void main(String[] words) throws Exception {
           Thread thread = new Thread(() -> { for (int at = 0; at < Integer.parseInt(words[0]); at++) kept = new byte[1000]; });
           thread.start();
           thread.join();
         }
       }`,
    );
    expect(spawnSync('javac', ['-d', scene.path('classes'), scene.path('Blocks.java')]).status).toBe(0);
    const program = `java -Xmx32m -cp ${scene.path('classes')} Blocks`;
    const more = await scene.run([...options, `${program} 100000`, `${program} 103000`]);
    expect([more.status, more.stderr]).toEqual([1, expect.stringContaining('allocations>0%: exceeded')]);
    const { trials } = await readRecording(scene.recording());
    const first = trials.find(({ counting }) => counting === true);
    // An array of 1,000 bytes has 16 more, for its head.
    expect(first?.sides.A.counts?.allocations).toBeGreaterThan(100_000 * 1016);
    expect(first?.sides.A.counts?.allocations).toBeLessThan(100_000 * 1016 * 1.1);
  });
});
