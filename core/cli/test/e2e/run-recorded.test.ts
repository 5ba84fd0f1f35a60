import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

it('keeps what was executed: hashes, interpreters and versions, and runs it again from another folder', async () => {
  writeFileSync(scene.path('count.js'), 'for (let i = 0; i < 1e5; i += 1);\n');
  const settings = ['--method', 'sequential', '--runs', '3', '--output', 'rec'];
  const ended = await scene.run([...settings, 'exec node count.js', 'node count.js']);
  expect(ended.status, ended.stderr).toBe(0);
  const { programs, config } = JSON.parse(readFileSync(scene.path('rec/experiment.json'), 'utf8')) as Experiment;
  expect(config.name).toBe('node');
  expect(programs?.folder).toBe(scene.path('.'));
  const script = programs?.files.find(({ path }) => path === scene.path('count.js'));
  expect(script?.sha256).toBe(
    createHash('sha256')
      .update(readFileSync(scene.path('count.js')))
      .digest('hex'),
  );
  expect(programs?.runtimes).toContainEqual(expect.objectContaining({ version: process.version }));
  mkdirSync(scene.path('elsewhere'));
  const again = await scene.run(['run', '../rec/experiment.json', '--output', 'again'], { cwd: 'elsewhere' });
  expect(again.status, again.stderr).toBe(0);
});

it('says that the folder of a recording is not there, and not that its program is missing', async () => {
  mkdirSync(scene.path('first'));
  const recorded = await scene.run(['--method', 'sequential', '--runs', '3', '--output', '../rec', 'true', 'true'], {
    cwd: 'first',
  });
  expect(recorded.status, recorded.stderr).toBe(0);
  rmSync(scene.path('first'), { recursive: true });
  const again = await scene.run(['run', 'rec/experiment.json', '--output', 'again']);
  expect(again.status).toBe(4);
  expect(again.stderr).toMatch(/could not be started in run 1 \(its folder .*first is not there\): true/);
});
