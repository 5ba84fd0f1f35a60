import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { useScene } from './support.ts';

const scene = useScene();
const compared = ['--runs', '3', '--method', 'sequential', '--output', 'recorded', 'true', 'true'];

function withDefaults(text: string): { readonly env: Readonly<Record<string, string>> } {
  mkdirSync(scene.path('home'), { recursive: true });
  writeFileSync(scene.path('home/deadheat.yaml'), text);
  return { env: { XDG_CONFIG_HOME: scene.path('home'), CI: '' } };
}

it('defaults of a user count where an option is not typed', async () => {
  const own = withDefaults('time-unit: us\ndetails: true\n');
  const shown = await scene.run(compared, own);
  expect(shown.stdout).toMatch(/ µs/);
  expect(shown.stdout).toMatch(/^interval/m);
  const typed = await scene.run(['analyse', '--time-unit', 'ns', 'recorded'], own);
  expect(typed.stdout).toMatch(/ ns/);
});

it('defaults of a user are not read in CI', async () => {
  const { env } = withDefaults('margin: 5%\n');
  expect((await scene.run(compared, { env: { ...env, CI: 'true' } })).status).toBe(0);
});

it('defaults of a user decide nothing about what is measured or judged, and name what does not belong there', async () => {
  const refused = await scene.run(compared, withDefaults('style: basic\nmargin: 5%\ntime-unit: days\n'));
  expect(refused.status).toBe(2);
  expect(refused.stderr).toMatch(/deadheat\.yaml:2:1: margin cannot be a default of a user/);
  expect(refused.stderr).toMatch(/deadheat\.yaml:3:12: .*days/);
});
