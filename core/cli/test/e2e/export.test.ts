import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRows } from '../../../recording/test/read-rows.ts';
import { Scene } from './support.ts';

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => {
  scene.end();
});

describe('deadheat export', () => {
  it('writes a recording in every format, to stdout or to a file, and says what it leaves out', async () => {
    const measured = await scene.run(['--method', 'sequential', '--runs', '3', '--output', 'rec', '/bin/true']);
    expect(measured.status).toBe(0);
    const report = JSON.parse(readFileSync(scene.path('rec/report.json'), 'utf8')) as { results: unknown };
    const hyperfine = await scene.run(['export', '--format', 'hyperfine', 'rec']);
    expect(hyperfine.status).toBe(0);
    expect(JSON.parse(hyperfine.stdout)).toEqual({ results: report.results });
    expect(hyperfine.stderr).toContain('left out');
    for (const format of ['csv', 'bmf', 'github-action-benchmark', 'go', 'junit', 'duet-csv', 'parquet']) {
      const ended = await scene.run(['export', '--format', format, '--file', `out.${format}`, 'rec']);
      expect(ended, format).toMatchObject({ status: 0, stdout: '' });
      expect(ended.stderr).toMatch(/^deadheat: /);
      expect(readFileSync(scene.path(`out.${format}`)).length).toBeGreaterThan(0);
    }
    expect(await readRows(scene.path('out.parquet'))).toHaveLength(6);
  });

  it('carries which runs of sides that took turns belong together', async () => {
    // Each run of a pair does as much work as the other, and pairs differ by up to half.
    const work =
      'n=$(cat count); echo $((n + 1)) > count; head -c $((2000000 + n / 2 * 300000 % 2400000)) /dev/zero | md5sum';
    writeFileSync(scene.path('count'), '0');
    const measured = await scene.run([
      '--method',
      'sequential',
      '--runs',
      '8',
      '--metric',
      'time',
      '--output',
      'rec',
      work,
    ]);
    expect(measured.status, measured.stderr).toBe(0);
    const judged = async (path: string): Promise<unknown> => {
      const { stdout } = await scene.run(['analyse', '--metric', 'time', '--export', 'json:-', path]);
      const [found] = (JSON.parse(stdout) as { comparisons: Record<string, unknown>[] }).comparisons;
      return [found?.['verdict'], found?.['interval'], found?.['pairs'], found?.['runs']];
    };
    const own = await judged('rec');
    for (const format of ['parquet', 'duet-csv']) {
      await scene.run(['export', '--format', format, '--file', `out.${format}`, 'rec']);
      expect(await judged(`out.${format}`), format).toEqual(own);
    }
  });

  it('writes every format right after the experiment, too', async () => {
    const formats = ['json', 'sides-csv', 'csv', 'hyperfine', 'go', 'parquet'];
    const exports = formats.flatMap((format) => ['--export', `${format}:out.${format}`]);
    const ended = await scene.run([
      '--method',
      'sequential',
      '--runs',
      '3',
      '--output',
      'rec',
      ...exports,
      '/bin/true',
    ]);
    expect(ended.status, ended.stderr).toBe(0);
    for (const format of formats) {
      const later = await scene.run(['export', '--format', format, '--file', `later.${format}`, 'rec']);
      expect(later.status, later.stderr).toBe(0);
      expect(
        readFileSync(scene.path(`out.${format}`)).equals(readFileSync(scene.path(`later.${format}`))),
        format,
      ).toBe(true);
    }
  });

  it('refuses before anything is measured what cannot be written', async () => {
    const cases = [
      { named: 'bmff:out', says: 'Did you mean --export bmf?' },
      { named: 'parquet:-', says: '--export parquet:results.parquet' },
      { named: 'go:no/such/file', says: 'no/such/file' },
    ];
    for (const { named, says } of cases) {
      const ended = await scene.run(['--export', named, '--output', 'rec', '/bin/true']);
      expect(ended.status, ended.stderr).toBe(2);
      expect(ended.stderr).toContain(says);
    }
    expect(existsSync(scene.path('rec'))).toBe(false);
  });

  it('writes the other exports and the page where the disk of one is full', async () => {
    const exports = ['--export', 'json:/dev/full', '--export', 'markdown:out.md', '--output', 'rec'];
    const ended = await scene.run([...exports, '--method', 'sequential', '--runs', '3', '/bin/true']);
    expect(ended.stderr).toContain('/dev/full cannot be written');
    expect(ended.status).toBe(4);
    expect(existsSync(scene.path('out.md')) && existsSync(scene.path('rec/report.html'))).toBe(true);
  });

  it('refuses what it cannot write, and what holds nothing', async () => {
    const measured = await scene.run(['--method', 'sequential', '--runs', '3', '--output', 'rec', '/bin/false']);
    expect(measured.status).toBe(4);
    const cases = [
      { args: ['rec'], status: 2, says: 'needs --format' },
      { args: ['--format', 'bmff', 'rec'], status: 2, says: 'Did you mean --format bmf?' },
      { args: ['--format', 'parquet', 'rec'], status: 2, says: '--file results.parquet' },
      { args: ['--format', 'csv', 'nowhere'], status: 2, says: 'nowhere' },
      { args: ['--format', 'csv', '--file', 'no/such/file', 'rec'], status: 2, says: 'no/such/file' },
      { args: ['--format', 'csv', '--file', 'out', 'rec'], status: 2, says: 'no run that counts' },
    ];
    for (const { args, status, says } of cases) {
      const ended = await scene.run(['export', ...args]);
      expect(ended.status, ended.stderr).toBe(status);
      expect(ended.stderr).toContain(says);
    }
    expect(existsSync(scene.path('out'))).toBe(false);
  });
});
