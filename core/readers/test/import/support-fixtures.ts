import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createRandom } from '@deadheat/stats';
import { bytesSource } from '../../src/import/import-source.ts';
import { importFile } from '../../src/import/import-file.ts';
import { ImportError } from '../../src/import/import-error.ts';
import { importPath } from '../../src/import/import-folder.ts';
import type { ColumnMap, FormatReader } from '../../src/import/adapter.ts';
import type { ImportedFile } from '../../src/import/imported-file.ts';

/** What of a file counts: benchmark, runs and iterations, mean time of one invocation in ns. */
const gist = ({ benchmarks }: ImportedFile): readonly string[] =>
  benchmarks.map(({ name, params, side, method, runs, summary }) => {
    const label = [name, ...Object.entries(params).map(([key, value]) => `${key}=${value}`)].join(' ');
    const place = side === null ? '' : ` ${method ?? ''} ${side}`;
    if (summary !== null) return `${label}${place}: mean ${Math.round(summary.meanNs)} of ${summary.samples ?? '?'}`;
    const rows = runs.flatMap(({ iterations }) => {
      const held = iterations.metric('n');
      return Array.from(iterations.durationsNs, (ns, row) => ns / (held?.[row] ?? 1));
    });
    const mean = rows.reduce((sum, ns) => sum + ns, 0) / rows.length;
    const measured = runs.reduce((sum, { iterations }) => sum + iterations.measured, 0);
    const timed = runs.every(({ iterations }) => iterations.hasTimestamps) ? ', with starts' : '';
    return `${label}${place}: ${runs.length} runs, ${measured} measured of ${rows.length}, mean ${Math.round(mean)}${timed}`;
  });

/**
 * Tests that the fixtures in a folder are recognised, read alike packed and plain, and refused by named errors when they are mutated.
 *
 * @param options.readers of every format that the fixtures have, by its id
 * @param options.formatOf formats of the fixtures whose folders have other names
 * @param options.columns of fixtures that are generic tables
 */
export function describeFixtures({
  folder,
  readers,
  formatOf,
  columns = {},
}: {
  readonly folder: string;
  readonly readers: Readonly<Record<string, Pick<FormatReader, 'cannot'>>>;
  readonly formatOf: Readonly<Record<string, string>>;
  readonly columns?: Readonly<Record<string, ColumnMap>>;
}): void {
  const fixtures = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, id: formatOf[name] ?? name }));
  const read = (name: string, side: string): Promise<ImportedFile> =>
    importPath(join(folder, name, side), { columns: columns[name] ?? null, unit: 'ms' });
  const sidesOf = (name: string): readonly string[] =>
    readdirSync(join(folder, name)).filter((side) => !side.startsWith('.'));

  describe('a fixture', () => {
    it('is there for every adapter', () => {
      expect(new Set(fixtures.map(({ id }) => id))).toEqual(new Set(Object.keys(readers)));
    });

    it.each(fixtures)('of $name is recognised and read', async ({ name, id }) => {
      for (const side of sidesOf(name)) {
        const file = await read(name, side);
        expect(file.format).toBe(id);
        expect(gist(file)).toMatchSnapshot(side);
        const cannot = readers[id]?.cannot ?? [];
        for (const { code, message } of file.limits) {
          expect([...cannot, 'FILES_IGNORED'], message).toContain(code);
          expect(message).toMatch(/^.+\. .+\.$/);
        }
      }
    });

    it('is read alike whether it is packed or not', async () => {
      for (const { name, id } of fixtures) {
        for (const { bytes, path } of filesOf(join(folder, name))) {
          const options = { format: id, columns: columns[name] ?? null };
          const plain = await importFile(bytesSource(bytes, path), options).catch(String);
          expect(await importFile(bytesSource(gzipSync(bytes), path), options).catch(String)).toEqual(plain);
        }
      }
    });
  });

  describe('a mutated file', () => {
    it(`is read or refused by a named error (${mutations} files)`, async () => {
      const random = createRandom('mutated result files');
      const all = fixtures.flatMap(({ name, id }) =>
        filesOf(join(folder, name)).map((file) => ({ ...file, name, id })),
      );
      let refused = 0;
      for (let round = 0; round < mutations; round++) {
        const { bytes, path, name, id } = all[round % all.length] ?? { bytes: Buffer.of(), path: '', name: '', id: '' };
        const changed = mutate(bytes, { draw: (below) => random.int(below) });
        const guessed = random.int(4) === 0 && columns[name] === undefined;
        const options = { format: guessed ? null : id, columns: columns[name] ?? null };
        const error: unknown = await importFile(bytesSource(changed, path), options).then(
          check,
          (thrown: unknown) => thrown,
        );
        if (error === null) continue;
        refused++;
        if (!(error instanceof ImportError)) {
          throw new Error(`round ${round}, ${path}: ${describeThrown(error)}\n${changed.toString('base64')}`, {
            cause: error,
          });
        }
        expect(error.message).toMatch(/\.$/);
      }
      expect(refused).toBeGreaterThan(mutations / 10);
      expect(refused).toBeLessThan(mutations);
    });
  });
}

/** Every file of the folder of a fixture, also below folders. */
function filesOf(fixture: string): readonly { readonly path: string; readonly bytes: Buffer }[] {
  return readdirSync(fixture, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: readFileSync(path) }));
}

/** How many mutated files are read; `npm run bench -- fuzz` sets it. */
const mutations = Number(process.env['DEADHEAT_FUZZ'] ?? 2000);
const pieces = [
  '0', '-1', '1e999', 'NaN', 'null', '""', '[]', '{}', ',', ';', ':', '"', '\n', '\r\n', '{', '}', '[', ']', '\0', '9'.repeat(400), '\u00ff', 'A', 'true', 'constructor', '__proto__',
]; // prettier-ignore

const describeThrown = (thrown: unknown): string => (thrown instanceof Error ? (thrown.stack ?? '') : typeof thrown);

/** Looks at all that was read; `null` = it is as promised. */
function check({ benchmarks }: ImportedFile): null {
  for (const { runs, summary } of benchmarks) {
    if (summary !== null && !(summary.meanNs >= 0 && summary.meanNs < Infinity)) throw new Error('a mean of no size');
    for (const { iterations } of runs) {
      if (iterations.length === 0) throw new Error('a run without iterations');
      for (const ns of iterations.durationsNs) if (!(ns >= 0 && ns < Infinity)) throw new Error(`a time of ${ns}`);
      const { startsNs, endsNs } = iterations;
      for (const [row, start] of startsNs.entries()) {
        if (!((endsNs[row] ?? -1) >= start)) throw new Error('an end before its start');
      }
    }
  }
  return null;
}

/** One to three changes: bytes, pieces put in, ranges cut, doubled or moved, or the end cut off. */
function mutate(bytes: Buffer, { draw }: { readonly draw: (below: number) => number }): Buffer {
  let all = bytes;
  for (let count = draw(3); count >= 0; count--) {
    const at = draw(all.length + 1);
    const until = Math.min(all.length, at + draw(40));
    const [before, middle, after] = [all.subarray(0, at), all.subarray(at, until), all.subarray(until)];
    switch (draw(6)) {
      case 0:
        all = Buffer.concat([before, Buffer.from([draw(256)]), all.subarray(Math.min(all.length, at + 1))]);
        break;
      case 1:
        all = Buffer.concat([before, Buffer.from(pieces[draw(pieces.length)] ?? ''), after]);
        break;
      case 2:
        all = Buffer.concat([before, after]);
        break;
      case 3:
        all = Buffer.concat([before, middle, middle, after]);
        break;
      case 4:
        all = Buffer.concat([middle, before, after]);
        break;
      default:
        all = draw(3) === 0 ? before : Buffer.concat([before, Buffer.from(String(draw(1e9))), after]);
    }
  }
  return all;
}
