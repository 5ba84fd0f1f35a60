import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { SourceMaps } from '../src/samplers/source-maps.ts';

const source = `export function declared(turns: number): number {
  return turns * 2;
}

class Counter {
  addMany(items: readonly number[]): number {
    return items.length;
  }
}

const single = async (turns: number) => declared(turns);

console.log(new Counter().addMany([1]), single(2));
`;

describe('source maps', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-maps-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function bundled(options: Readonly<Record<string, unknown>>): Promise<{ file: string; text: string }> {
    const file = join(folder, 'out.mjs');
    writeFileSync(join(folder, 'main.ts'), source);
    await build({ entryPoints: [join(folder, 'main.ts')], outfile: file, bundle: true, format: 'esm', ...options });
    return { file, text: readFileSync(file, 'utf8') };
  }

  /** The functions of the first line, as V8 places them: at their parameters. */
  function placed(text: string): readonly (readonly [string, number])[] {
    const [line = ''] = text.split('\n');
    return [/function (\w+)(?=\()/, /(addMany)(?=\()/, /(\w+)=async (?=\w+=>)/].map((pattern) => {
      const found = pattern.exec(line);
      return [found?.[1] ?? '', (found?.index ?? 0) + (found?.[0].length ?? 0)] as const;
    });
  }

  it.each([
    ['beside the file', { sourcemap: true }],
    ['in the file', { sourcemap: 'inline' }],
    ['without the text of the sources', { sourcemap: true, sourcesContent: false }],
  ])('name and place minified functions by a map %s', async (_, options) => {
    const { file, text } = await bundled({ minify: true, ...options });
    const maps = new SourceMaps();
    const found = placed(text).map(([functionName, columnNumber]) =>
      maps.find({ functionName, file, lineNumber: 0, columnNumber }),
    );
    const main = join(folder, 'main.ts');
    expect(found).toEqual([
      { name: 'declared', file: main, line: 1 },
      { name: 'addMany', file: main, line: 6 },
      { name: 'single', file: main, line: 11 },
    ]);
  });

  it('take no name from what stands before a function without one, and leave files without a map as they are', async () => {
    const { file, text } = await bundled({ minify: true, sourcemap: true });
    const columnNumber = (/(\w+)=async (?=\w+=>)/.exec(text)?.index ?? 0) + 'x=async '.length;
    const place = { file, lineNumber: 0, columnNumber };
    expect(new SourceMaps().find({ functionName: '', ...place })).toMatchObject({ name: '', line: 11 });
    expect(new SourceMaps().find({ functionName: 'other', ...place })).toMatchObject({ name: 'other', line: 11 });
    writeFileSync(file, `${text}//# sourceMappingURL=absent.map\n`);
    expect(new SourceMaps().find({ functionName: '', ...place })).toBeNull();
    expect(new SourceMaps().find({ functionName: '', ...place, file: join(folder, 'absent.js') })).toBeNull();
  });
});
