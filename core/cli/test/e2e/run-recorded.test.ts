import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Experiment } from '@deadheat/model';
import { useScene } from './support.ts';

const scene = useScene();

const configOf = (folder: string): Experiment['config'] =>
  (JSON.parse(readFileSync(scene.path(`${folder}/experiment.json`), 'utf8')) as Experiment).config;

it('runs the configuration of a recording again, by its experiment.json', async () => {
  const settings = ['--method', 'sequential', '--runs', '3', '--confidence', '90%', '--seed', 'first'];
  await scene.run([...settings, '--output', 'rec', 'sleep 0.001', 'sleep 0.002']);
  const again = await scene.run(['run', 'rec/experiment.json', '--output', 'again']);
  expect(again.status, again.stderr).toBe(0);
  expect(configOf('again')).toEqual(configOf('rec'));
  const other = await scene.run(['run', 'rec/experiment.json', '--seed', 'second', '--output', 'other']);
  expect(other.status, other.stderr).toBe(0);
  expect(configOf('other')).toEqual({ ...configOf('rec'), seed: 'second' });

  const changed = await scene.run(['run', 'rec/experiment.json', '--runs', '5']);
  expect(changed.status).toBe(2);
  expect(changed.stderr).toMatch(/--runs cannot be typed with/);
  writeFileSync(scene.path('broken.json'), JSON.stringify({ schema: 'deadheat.experiment/1', config: {} }));
  const broken = await scene.run(['run', 'broken.json']);
  expect(broken.status).toBe(2);
  expect(broken.stderr).toContain('broken.json is no experiment');
});
