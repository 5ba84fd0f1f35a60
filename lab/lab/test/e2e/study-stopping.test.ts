import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Scene } from '../../../../core/cli/test/e2e/support.ts';

interface Exported {
  readonly schema: string;
  readonly kind: string;
  readonly recordings: readonly string[];
  readonly tables: readonly { readonly title: string; readonly rows: readonly (readonly unknown[])[] }[];
}

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => {
  scene.end();
});

/** Two forks of 20 iterations of 1.5 s or so, the first three of which are slow. */
const writeSeries = (name: string): void => {
  const series = [1, 2].map((fork) =>
    Array.from({ length: 20 }, (_, i) => (i < 3 ? 3 : 1.5) + 0.001 * ((7 * i * fork) % 5)),
  );
  writeFileSync(scene.path(name), JSON.stringify({ benchmark: `owner__project#${name}`, unit: 's', series }));
};

describe('deadheat lab study stopping', () => {
  it('replays files of series: the same but for what deciding costs, and another seed may differ', async () => {
    writeSeries('a.json');
    const exports: Exported[] = [];
    for (const seed of ['one', 'one', 'two']) {
      const ended = await scene.run([
        'lab',
        'study',
        'stopping',
        'a.json',
        '--seed',
        seed,
        '--export',
        'json:study.json',
      ]);
      expect(ended.stderr).toBe('');
      expect(ended.status).toBe(0);
      expect(ended.stdout).toContain('owner/project');
      exports.push(JSON.parse(readFileSync(scene.path('study.json'), 'utf8')) as Exported);
    }
    const [first, second, other] = exports.map(({ tables }) =>
      tables.filter(({ title }) => !/^(Cost|Time saved)/.test(title)),
    );
    expect(exports[0]).toMatchObject({ schema: 'deadheat.study/1', kind: 'stopping', recordings: ['a.json'] });
    expect(first).toHaveLength(4);
    expect(second).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it('replays a recording, and says what was too short', async () => {
    const measured = await scene.run(['--method', 'sequential', '--runs', '2', '--output', 'alone', 'sleep 0.001']);
    expect(measured.status).toBe(0);
    const ended = await scene.run([
      'lab',
      'study',
      'stopping',
      'alone',
      '--export',
      'csv:study.csv',
      '--like',
      'jmh-reconfigure',
    ]);
    expect(ended.status).toBe(0);
    expect(ended.stdout).toContain('fewer than two runs of four iterations');
    expect(ended.stdout).toContain('jmh-reconfigure');
    expect(readFileSync(scene.path('study.csv'), 'utf8')).toMatch(/^table,criterion,benchmarks \[count\]/);
  });

  it('names the file and the place of what is no series', async () => {
    writeFileSync(scene.path('bad.json'), '{"series": [[1, 0]]}');
    const ended = await scene.run(['lab', 'study', 'stopping', 'bad.json']);
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain('bad.json has 0 as series[0][1]');
  });
});
