import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src/', import.meta.url));

describe('the package as a browser gets it', () => {
  test('is one module of at most 40 kB gzip, without dependencies', async () => {
    const result = await build({
      entryPoints: [`${source}index.ts`],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      metafile: true,
    });
    const [file] = result.outputFiles;
    expect(gzipSync(file?.contents ?? '', { level: 9 }).length).toBeLessThanOrEqual(40_000);
    expect(Object.keys(result.metafile.inputs).filter((path) => path.includes('node_modules'))).toEqual([]);
  });
  test('has no clock, no hidden random source, no I/O', () => {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(30);
    const offenders = files.filter((name) =>
      /Math\.random|Date\b|performance\.|node:|process\.|console\./.test(readFileSync(`${source}${name}`, 'utf8')),
    );
    expect(offenders).toEqual([]);
  });
});
