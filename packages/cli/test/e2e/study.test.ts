import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Scene } from './support.ts';

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => {
  scene.end();
});

describe('deadheat study', () => {
  it('makes tables of recordings, says what is missing, and exports', async () => {
    const measured = await scene.run(['--method', 'sequential', '--runs', '4', '--output', 'alone', 'sleep 0.001']);
    expect(measured.status).toBe(0);
    const accuracy = await scene.run(['study', 'accuracy', 'alone', '--export-csv', 'widths.csv']);
    expect(accuracy.status).toBe(0);
    expect(accuracy.stdout).toContain('--method sync-duet');
    expect(accuracy.stdout).toContain('sleep 0.001');
    expect(readFileSync(scene.path('widths.csv'), 'utf8')).toMatch(/^table,benchmark,metric,runs \[count\]/);
    const asymmetry = await scene.run(['study', 'asymmetry', 'alone', '--export-json', '-']);
    expect(asymmetry.status).toBe(0);
    expect(JSON.parse(asymmetry.stdout)).toMatchObject({ schema: 'deadheat.study/1', kind: 'asymmetry' });
    expect(asymmetry.stderr).toContain('started first');
  });

  it('says that there is no such recording', async () => {
    const ended = await scene.run(['study', 'mds', 'nowhere']);
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain('nowhere');
  });
});
