import { createReadStream, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DeadheatError } from '@deadheat/model';
import { jfrEvents } from '@deadheat/profiles';
import { describe, expect, it } from 'vitest';
import { RunCollector, type SampledRun } from '../src/sampled-run.ts';
import { addExecutionSamples } from '../src/samplers/java.ts';
import { readPerfScript } from '../src/samplers/native.ts';
import { readCpuProfile } from '../src/samplers/node.ts';
import { readPythonSamples } from '../src/samplers/python.ts';
import { SourceMaps } from '../src/samplers/source-maps.ts';

function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}

/** Stacks as text: the names, the outermost first, and the samples. */
function stacksOf({ frames, stacks }: SampledRun): readonly string[] {
  return stacks.map(
    ({ frames: path, samples }) => `${path.map((at) => frames[at]?.name ?? '?').join(' > ')}: ${samples}`,
  );
}

describe('readers of samples', () => {
  it('counts the samples of V8 by function, and names anonymous functions after their caller', () => {
    const run = new RunCollector();
    readCpuProfile(readFileSync(fixture('node.cpuprofile'), 'utf8'), {
      name: 'node.cpuprofile',
      run,
      maps: new SourceMaps(),
    });
    const built = run.build();
    const stacks = stacksOf(built);
    expect(stacks.some((stack) => stack.endsWith('(module) > (anonymous in (module)) > inner: 194'))).toBe(true);
    expect(stacks).toContain('(garbage collector): 1');
    expect(stacks.some((stack) => stack.includes('(root)') || stack.includes('(idle)'))).toBe(false);
    expect(built.frames.find(({ name }) => name === 'inner')).toEqual({
      name: 'inner',
      file: '/home/user/t.js',
      line: 1,
    });
  });

  it('reads what perf script prints, without perf itself and addresses without names', async () => {
    const run = new RunCollector();
    await readPerfScript(createReadStream(fixture('perf-script.txt')), run);
    expect(stacksOf(run.build())).toEqual([
      'hash_of: 1',
      'msort_with_tmp.part.0: 1',
      'mix: 1',
      'write > do_syscall_64 > finish_task_switch.isra.0: 1',
      '(unknown in gzip): 1',
    ]);
  });

  it('reads the stacks of Python', () => {
    const run = new RunCollector();
    const text = '{"frames": [["<module>", "/a.py", 1], ["hash_of", "/a.py", 17]], "stacks": [[[0, 1], 9], [[0], 2]]}';
    readPythonSamples(text, { name: 'a', run });
    expect(stacksOf(run.build())).toEqual(['<module> > hash_of: 9', '<module>: 2']);
  });

  it('reads execution samples of JFR by class and method', async () => {
    const run = new RunCollector();
    await addExecutionSamples(jfrEvents(createReadStream(fixture('jfr.json')), 'jfr.json'), run);
    const built = run.build();
    expect(stacksOf(built)).toEqual(['Words.main > Words$1.hashOf: 1']);
    expect(built.frames.map(({ file }) => file)).toEqual(['shop/Words.java', 'shop/Words.java']);
  });

  it('refuses a file that is no profile by its name', () => {
    const run = new RunCollector();
    for (const read of [readCpuProfile, readPythonSamples]) {
      expect(() => read('{', { name: 'x.cpuprofile', run, maps: new SourceMaps() })).toThrow(DeadheatError);
      expect(() => read('{', { name: 'x.cpuprofile', run, maps: new SourceMaps() })).toThrow(/x\.cpuprofile/);
    }
  });
});
