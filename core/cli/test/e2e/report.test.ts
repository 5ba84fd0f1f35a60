import { existsSync, mkdirSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sealLine } from '@deadheat/recording';
import { describe, expect, it } from 'vitest';
import { aRecording } from '../support-recording.ts';
import { noDuets, useScene, type Scene } from './support.ts';

/** Lays a recording down in a scene; without trials it is one that was killed before its first run. */
function lay(scene: Scene, { trials = aRecording().trials, schema = 'deadheat.experiment/1' } = {}): string {
  const { experiment } = aRecording();
  const folder = scene.path('duet');
  mkdirSync(folder);
  writeFileSync(join(folder, 'experiment.json'), JSON.stringify({ ...experiment, schema }));
  writeFileSync(
    join(folder, 'trials.jsonl'),
    trials.map((trial, k) => `${sealLine(JSON.stringify(trial), k + 1)}\n`).join(''),
  );
  return folder;
}

describe('deadheat report', () => {
  const scene = useScene();

  it('writes the page of a recording into it, and its plots where they are asked for', async () => {
    const folder = lay(scene);
    const ended = await scene.run(['report', '--svg', 'plots', 'duet']);
    expect(ended).toMatchObject({ status: 0, stdout: `${join('duet', 'report.html')}\n` });
    const page = readFileSync(join(folder, 'report.html'), 'utf8');
    expect(page).toContain('sort, quickly size=5');
    expect(page.match(/<section class="benchmark"/g)).toHaveLength(2);
    expect(readdirSync(scene.path('plots'))).toEqual(expect.arrayContaining(['forest.svg', '01-times-1.svg']));
  });

  it('says that an empty recording has no verdict, and how to finish it', async () => {
    lay(scene, { trials: [] });
    const ended = await scene.run(['report', '--file', '-', 'duet']);
    expect(ended.status).toBe(0);
    expect(ended.stdout).toContain('No benchmark has enough runs');
    expect(ended.stdout).toContain('deadheat --resume');
    expect(existsSync(join(scene.path('duet'), 'report.html'))).toBe(false);
  });

  it('refuses a recording of a newer version, and a report of one', async () => {
    const folder = lay(scene, { schema: 'deadheat.experiment/2' });
    const ended = await scene.run(['report', 'duet']);
    expect(ended.status).toBe(2);
    expect(ended.stderr).toMatch(/experiment\.json has version 2 .* reads up to version 1\. Update deadheat/);

    writeFileSync(join(folder, 'experiment.json'), JSON.stringify(aRecording().experiment));
    writeFileSync(join(folder, 'report.json'), JSON.stringify({ schema: 'deadheat.report/2' }));
    const newer = await scene.run(['report', 'duet']);
    expect(newer.status).toBe(2);
    expect(newer.stderr).toMatch(/report\.json has version 2 .* Update deadheat/);
  });

  it('judges anew where runs came after the report', async () => {
    const folder = lay(scene);
    writeFileSync(join(folder, 'report.json'), JSON.stringify({ schema: 'deadheat.report/2' }));
    utimesSync(join(folder, 'report.json'), 1, 1);
    expect(await scene.run(['report', 'duet'])).toMatchObject({ status: 0, stderr: '' });
  });

  it('opens the page by the program that BROWSER names', async () => {
    lay(scene);
    const browser = scene.script(
      'browser',
      `echo "$1" > ${scene.path('opened')}.tmp; mv ${scene.path('opened')}.tmp ${scene.path('opened')}`,
    );
    expect(await scene.run(['report', '--open', 'duet'], { env: { BROWSER: browser } })).toMatchObject({ status: 0 });
    while (!existsSync(scene.path('opened'))) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(readFileSync(scene.path('opened'), 'utf8')).toBe(`${join(scene.path('duet'), 'report.html')}\n`);
  });

  it.skipIf(noDuets !== null)('is left by every experiment, which says where', async () => {
    const ended = await scene.run(['--runs', '3', 'sleep 0.01', 'sleep 0.02']);
    expect(ended.status).toBe(0);
    const page = join(scene.recording(), 'report.html');
    expect(readFileSync(page, 'utf8')).toContain('sleep 0.02');
    expect(ended.stdout).toMatch(/report +\.deadheat\/\S+\/report\.html/);
    const quiet = await scene.run(['--runs', '2', '--style', 'none', 'sleep 0.01']);
    expect(quiet.stdout).not.toContain('report.html');
  });
});
