import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { importFile } from '../../src/import/import-file.ts';
import { bytesSource, fileSource } from '../../src/import/import-source.ts';
import { readJson } from '../../src/import/json/read-json.ts';

const folder = mkdtempSync(join(tmpdir(), 'deadheat-large-'));
afterAll(() => rmSync(folder, { recursive: true }));

const hyperfine = (times: string): string => `{"results":[{"command":"count","mean":2,"times":[${times}]}]}`;
const runsOf = async (source: ReturnType<typeof fileSource>): Promise<number | undefined> =>
  (await importFile(source)).benchmarks[0]?.runs.length;

describe('a large file of another tool', () => {
  const text = hyperfine(Array.from({ length: 4000 }, (_, run) => 1 + run / 4096).join(','));
  const limits = { mostBytes: text.length };

  it('is read up to the limit, packed or not', async () => {
    const path = join(folder, 'times.json');
    writeFileSync(path, text);
    expect(await runsOf(fileSource(path, limits))).toBe(4000);
    writeFileSync(`${path}.gz`, gzipSync(text));
    expect(await runsOf(fileSource(`${path}.gz`, limits))).toBe(4000);
  });

  it('is refused above the limit with its size, the limit and what to do', async () => {
    const path = join(folder, 'beyond.json');
    writeFileSync(path, `${text}\n`);
    writeFileSync(`${path}.gz`, gzipSync(`${text}\n`));
    const size = { mostBytes: 2 ** 20 };
    for (const source of [fileSource(path, limits), bytesSource(Buffer.from(`${text}\n`), path, limits)]) {
      await expect(importFile(source)).rejects.toMatchObject({ code: 'TOO_LARGE', path });
    }
    await expect(importFile(fileSource(`${path}.gz`, limits))).rejects.toThrow('once it is unpacked');
    await expect(
      importFile(bytesSource(Buffer.alloc(3 * 2 ** 20, '['), 'x.json', size), { format: 'jmh' }),
    ).rejects.toThrow(
      'x.json holds 3 MiB, and files of other tools are read up to 1 MiB: split it, by benchmark for instance, and analyse one part at a time.',
    );
  });

  it('is refused where the heap of Node cannot hold its content', async () => {
    const list = bytesSource(Buffer.from(`[${'[1,2],'.repeat(20_000)}0]`), 'x.json');
    const options = { advice: '', heapLimit: 2 ** 21 };
    await expect(readJson(list, options)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    await expect(readJson(list, options)).rejects.toThrow(
      /heap of Node holds 2 MiB.*NODE_OPTIONS=--max-old-space-size=\d+\.$/,
    );
    expect((await readJson(list, { ...options, heapLimit: 2 ** 23 })).items()).toHaveLength(20_001);
  });

  it('of more than 1 Mi runs is refused', async () => {
    const times = '1,'.repeat(2 ** 20);
    await expect(importFile(bytesSource(Buffer.from(hyperfine(`${times}1`)), 'x.json'))).rejects.toMatchObject({
      code: 'TOO_LARGE',
      message: expect.stringContaining('x.json holds more than 1048576 runs'),
    });
    const lines = 'real 1\nuser 1\nsys 0\n'.repeat(2 ** 20 + 1);
    await expect(importFile(bytesSource(Buffer.from(lines), 'x.txt'))).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  it('of 4 MB is read', async () => {
    const path = join(folder, 'rows.csv');
    writeFileSync(path, `ns,run\n${'1234567.5,0\n1234568.5,1\n'.repeat(160_000)}`);
    const { benchmarks } = await importFile(fileSource(path), { columns: { time: 'ns', run: 'run' } });
    expect(benchmarks[0]?.runs.map(({ iterations }) => iterations.length)).toEqual([160_000, 160_000]);
  });

  const isNightly = process.env['DEADHEAT_NIGHTLY'] !== undefined;
  it.skipIf(!isNightly)(
    `just below 512 MiB is read${isNightly ? '' : ' (set DEADHEAT_NIGHTLY to execute it)'}`,
    { timeout: 600_000 },
    async () => {
      const path = join(folder, 'nearly.json');
      const file = openSync(path, 'w');
      const size = 2 ** 29 - 4096;
      const sample = `${'123.4567891234567,'.repeat(1000)}\n`;
      let written = writeSync(
        file,
        '[{"jmhVersion":"1.37","benchmark":"a","primaryMetric":{"scoreUnit":"ns/op","rawData":[[',
      );
      for (; written + sample.length < size;) written += writeSync(file, sample);
      writeSync(file, `1${' '.repeat(size - written - 7)}]]}}]`);
      closeSync(file);
      const { benchmarks } = await importFile(fileSource(path));
      expect(benchmarks[0]?.runs[0]?.iterations.length).toBeGreaterThan(29_000_000);
      rmSync(path);
    },
  );
});
