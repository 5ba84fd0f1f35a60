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
