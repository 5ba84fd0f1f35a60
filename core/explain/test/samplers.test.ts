import { spawnSync } from 'node:child_process';
import { createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DeadheatError } from '@deadheat/model';
import { jfrEvents } from '@deadheat/profiles';
import { describe, expect, it } from 'vitest';
import { RunCollector, type SampledRun, samplesOf } from '../src/sampled-run.ts';
import { addExecutionSamples } from '../src/samplers/java.ts';
import { readPerfScript } from '../src/samplers/native.ts';
import { readCpuProfile } from '../src/samplers/node.ts';
import { pythonSampler, readPythonSamples } from '../src/samplers/python.ts';
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
    for (const name of ['a', 'b']) readPythonSamples(text, { name, run });
    expect(stacksOf(run.build())).toEqual(['<module> > hash_of: 18', '<module>: 4']);
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

const noPython = spawnSync('python3', ['--version']).status !== 0;
if (noPython) console.warn('the sampler of Python is skipped: there is no python3 here');

describe.skipIf(noPython || process.platform !== 'linux')('the sampler of Python', () => {
  // A function of 0.3 s of CPU time, one that takes a quarter of it in a hundred parts between which it waits, and one that only waits.
  const program = `import time
def use(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
def burn(): use(0.3)
def alternate():
    for _ in range(100):
        use(0.001)
        time.sleep(0.002)
def rest(): time.sleep(0.5)
before = time.process_time()
burn(), alternate(), rest()
print(time.process_time() - before)`;

  it('gives functions the CPU time that they take, and none while they wait', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deadheat-python-'));
    try {
      const place = { folder: join(folder, 'samples'), intervalNs: 1_000_000, executions: 1 };
      mkdirSync(place.folder);
      const { argv, environment } = pythonSampler.launch({ argv: ['python3', '-c', program], environment: {} }, place);
      const env = { ...process.env, ...environment };
      const { stdout, status } = spawnSync(argv[0] ?? '', argv.slice(1), { env, encoding: 'utf8' });
      expect(status).toBe(0);
      const run = await pythonSampler.read(place.folder);
      const samplesIn = (name: string): number =>
        run.stacks
          .filter(({ frames }) => frames.some((at) => run.frames[at]?.name === name))
          .reduce((sum, { samples }) => sum + samples, 0);
      const used = Number(stdout);
      const start = samplesIn('(before the sampler)');
      const seconds = (name: string): number => (used * samplesIn(name)) / (samplesOf(run) - start);
      expect(start).toBeGreaterThan(0);
      expect(seconds('burn')).toBeGreaterThan(0.25);
      expect(seconds('burn')).toBeLessThan(0.35);
      expect(seconds('alternate')).toBeGreaterThan(0.05);
      expect(seconds('rest')).toBeLessThan(0.03);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
