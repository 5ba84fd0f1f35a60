import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '../../../..');
const published = JSON.parse(
  readFileSync(join(root, 'core/deadheat/schema/deadheat.schema.json'), 'utf8'),
) as Parameters<typeof z.fromJSONSchema>[0];
const validator = z.fromJSONSchema(published);

/** Blocks of a page that are whole files. */
function yamlBlocks(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, block = '']) => block);
}

function exampleFiles(): readonly string[] {
  return readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?:^|\/)deadheat\.ya?ml$/.test(path) && !path.includes('node_modules'))
    .map((path) => join('examples', path));
}

describe('the published JSON Schema', () => {
  it.each(exampleFiles())('accepts %s', (path) => {
    expect(validator.safeParse(parse(readFileSync(join(root, path), 'utf8'))).error).toBeUndefined();
  });

  it('accepts the files of docs/configuration.md', () => {
    const blocks = yamlBlocks('docs/configuration.md').filter((block) => !/^duetbench:/m.test(block));
    expect(blocks.length).toBeGreaterThan(1);
    for (const block of blocks) expect(validator.safeParse(parse(block)).error, block).toBeUndefined();
  });

  it('is shown by the example that the page begins with', () => {
    const example = readFileSync(join(root, 'examples/configured/deadheat.yaml'), 'utf8');
    expect(yamlBlocks('docs/configuration.md')[0]).toBe(example);
  });

  it.each([
    '{}',
    'benchmarks: { a: { comand: x } }',
    'benchmarks: { a: { command: x, runs: 0 } }',
    'benchmarks: { a: { command: x, methods: [duet] } }',
    'benchmarks: { a: { command: x, methods: { sync-duet: { rums: 1 } } } }',
    'benchmarks: { a: { command: x } }\nseeds: 1',
  ])('refuses %j', (text) => {
    expect(validator.safeParse(parse(text)).success).toBe(false);
  });

  it('describes every key of its outermost level', () => {
    const { properties } = published as { properties: Record<string, { description?: string }> };
    const silent = Object.entries(properties).filter(([, { description }]) => description === undefined);
    expect(silent).toEqual([]);
  });

  it('has every key documented', () => {
    const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
    const keys = new Set<string>();
    const collect = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [name, value] of Object.entries(node)) {
        if (name === 'properties') for (const key of Object.keys(value as object)) keys.add(key);
        collect(value);
      }
    };
    collect(published);
    expect([...keys].filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
  });
});
