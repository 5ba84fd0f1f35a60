import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import type { TypedLayer } from '../../src/settings/layer-of-flags.ts';

const cwd = mkdtempSync(join(tmpdir(), 'deadheat-typed-'));
afterAll(() => rmSync(cwd, { recursive: true }));

function read(text: string, typed: TypedLayer): ReturnType<typeof readConfig> {
  writeFileSync(join(cwd, 'deadheat.yaml'), text);
  return readConfig(null, { cwd, searchPath: '/usr/bin:/bin', defaultSeed: 'seed', changes: { typed } });
}

const benchmarks = 'benchmarks: { one: { A: "true", runs: 4 } }';

it('settings that were typed override those of the file and of its benchmarks', async () => {
  const { stop, confidence } = await read(`runs: 3\nmethods: [sequential]\n${benchmarks}`, {
    runs: 7,
    confidence: 0.9,
  });
  expect(stop).toEqual({ kind: 'runs', runs: 7 });
  expect(confidence).toBe(0.9);
});

it('a stop rule that was typed replaces that of the file', async () => {
  const { stop } = await read(`methods: [sequential]\n${benchmarks}`, { precision: 0.01 });
  expect(stop).toMatchObject({ kind: 'precision', precision: 0.01 });
});

it('a setting that was typed and has no effect is refused', async () => {
  await expect(read(`methods: [sequential]\n${benchmarks}`, { swap: 'run' })).rejects.toThrow(/^--swap has no effect/);
});
