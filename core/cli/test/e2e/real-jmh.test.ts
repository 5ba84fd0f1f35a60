import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leavesNothing, noDuets, parseReport, useScene } from './support.ts';

const clients = join(import.meta.dirname, '../../../../clients/java');
/** A checkout of JMH's source. */
const source = process.env['DEADHEAT_JMH'] ?? null;
const libraries = ['joptsimple', 'commons-math3'].map((name) => `/usr/share/java/${name}.jar`);
const absent = libraries.find((jar) => !existsSync(jar));
const skipped =
  source === null
    ? 'DEADHEAT_JMH names no checkout of the source of JMH'
    : spawnSync('javac', ['-version']).status !== 0
      ? 'there is no javac here'
      : absent === undefined
        ? noDuets
        : `there is no ${absent} (apt-get install libjoptsimple-java libcommons-math3-java)`;
if (skipped !== null) console.log(`tests of JMH itself are skipped: ${skipped}`);

const benchmark = `package org.sample;
import java.util.*;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.*;

@State(Scope.Benchmark)
public class Sorting {
    @Param("20000")
    public int length;

    @Benchmark
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public int[] sort() {
        int[] numbers = new Random(1).ints(length).toArray();
        Arrays.sort(numbers);
        return numbers;
    }
}
`;

describe.skipIf(skipped !== null)('JMH itself, built from its source', () => {
  const scene = useScene(leavesNothing);
  const built = { folder: '', classPath: '' };

  function compile(options: readonly string[], files: readonly string[]): void {
    const list = join(built.folder, 'files');
    writeFileSync(list, files.map((file) => `"${file}"`).join('\n'));
    execFileSync('javac', ['-nowarn', ...options, `@${list}`], { stdio: ['ignore', 'ignore', 'pipe'] });
  }

  function sourcesOf(module: string): readonly string[] {
    const folder = join(source ?? '', module, 'src/main/java');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.java'))
      .map((file) => join(folder, file));
  }

  beforeAll(() => {
    built.folder = mkdtempSync(join(tmpdir(), 'deadheat-jmh-'));
    const [jmh, program] = ['jmh', 'program'].map((name) => join(built.folder, name)) as [string, string];
    for (const folder of [jmh, program]) mkdirSync(folder);
    writeFileSync(join(jmh, 'jmh.properties'), 'jmh.version=source\njmh.buildDate=unknown\njmh.buildTime=unknown\n');
    const needed = [jmh, ...libraries].join(':');
    compile(['-proc:none', '-cp', needed, '-d', jmh], sourcesOf('jmh-core'));
    compile(['-proc:none', '-cp', needed, '-d', jmh], sourcesOf('jmh-generator-annprocess'));
    const sorting = join(built.folder, 'Sorting.java');
    writeFileSync(sorting, benchmark);
    const adapter = ['Duet.java', 'adapters/DuetHarness.java', 'adapters/DuetJmh.java'].map((file) =>
      join(clients, file),
    );
    const processor = ['-processor', 'org.openjdk.jmh.generators.BenchmarkProcessor'];
    compile([...processor, '-cp', needed, '-d', program], [sorting, ...adapter]);
    built.classPath = [program, needed].join(':');
  });

  afterAll(() => rmSync(built.folder, { recursive: true, force: true }));

  const short = '-f 1 -w 10ms -r 10ms';
  const jmhMain = (): string => `java -Djmh.ignoreLock=true -cp '${built.classPath}' org.openjdk.jmh.Main`;

  it('takes part in synchronous duets by the profiler, and stops when it is stable', async () => {
    const program = `exec ${jmhMain()} -prof DuetJmh -wi 0 -i 1000 -bm sample org.sample.Sorting.sort ${short}`;
    const duet = ['--harness', '--method', 'sync-duet', '--runs', '2', '--export', 'json:-'];
    for (const length of [
      ['--iterations', '6', '--warmup', '2'],
      ['--stable', 'cv'],
    ]) {
      const ended = await scene.run([...duet, ...length, program, program]);
      expect(ended.status, ended.stderr).toBe(0);
      expect(parseReport(ended.stdout).comparisons).toMatchObject([
        { benchmark: 'org.sample.Sorting.sort', params: { mode: 'sample', length: '20000' }, runs: 2 },
      ]);
    }
  });

  it('writes histograms that studies of stopping read', async () => {
    const json = scene.path('jmh.json');
    const asked = `${jmhMain()} -wi 0 -i 20 -bm sample org.sample.Sorting.sort ${short} -rf json -rff '${json}'`;
    execFileSync('sh', ['-c', asked], { stdio: 'ignore' });
    expect(readFileSync(json, 'utf8')).toContain('rawDataHistogram');
    const studied = await scene.run(['lab', 'study', 'stopping', json]);
    expect(studied.status, studied.stderr).toBe(0);
    expect(studied.stdout).toContain('org.sample.Sorting.sort');
  });
});
