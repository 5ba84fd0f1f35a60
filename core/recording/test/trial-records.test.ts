import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRecording, readRecording, repairRecording, sealLine } from '../src/index.ts';
import { TrialRecords } from '../src/trial-records.ts';
import { below, failureOf, makeTrial, temporaryFolder } from './sample.ts';

describe('the files of runs that are not in the journal', () => {
  it('are removed, and no others', async () => {
    const directory = temporaryFolder();
    const folder = join(directory, 'iterations');
    mkdirSync(folder);
    const kept = ['0-A.jsonl', '0-B.jsonl', '2-A.results', '2-A.txt', '12-B.jsonl', 'notes.txt', 'x-A.jsonl'];
    for (const name of [...kept, '1-A.jsonl', '1-B.txt', '11-A.results']) writeFileSync(join(folder, name), '');
    await new TrialRecords(directory).dropUnfinished([0, 2, 12].map((trial) => ({ trial })));
    expect(readdirSync(folder).toSorted()).toEqual(kept.toSorted());
  });

  it('need not be there', async () => {
    const directory = temporaryFolder();
    await new TrialRecords(directory).dropUnfinished([]);
    expect(existsSync(join(directory, 'iterations'))).toBe(false);
  });
});

describe('a record that its program wrote', () => {
  const text = (side: number): string =>
    [
      '{"deadheat":1,"benchmark":"sort"}',
      ...[0, 1, 2].map((i) => JSON.stringify({ i, s: i * 1e9, e: i * 1e9 + (i + 1) * side * 1e6 })),
      '',
    ].join('\n');

  /** A recording of two runs, the second with a change of B's record. */
  const recorded = async (change: (path: string) => void): Promise<{ directory: string; path: string }> => {
    const writer = await createRecording(below(temporaryFolder()));
    const files = new TrialRecords(writer.directory);
    for (const number of [0, 1]) {
      const trial = makeTrial(number);
      const record = {
        A: await files.put(text(1), { trial: number, side: 'A' }),
        B: await files.put(text(2), { trial: number, side: 'B' }),
      };
      // The seal of another recording does not matter.
      const old = { bytes: 1, crc32: '00000000' };
      writer.append({
        ...trial,
        sides: {
          A: { ...trial.sides.A, iterations: [], record: record.A, seal: old },
          B: { ...trial.sides.B, iterations: [], record: record.B },
        },
      });
    }
    writer.close();
    const path = join(writer.directory, 'iterations', '1-B.jsonl');
    change(path);
    return { directory: writer.directory, path };
  };

  it('is read as it was written', async () => {
    const { directory } = await recorded(() => undefined);
    const { trials } = await readRecording(directory);
    expect(trials[1]?.sides.B.seal).toEqual({ bytes: text(2).length, crc32: expect.stringMatching(/^[0-9a-f]{8}$/) });
    const files = new TrialRecords(directory);
    expect((await files.read(trials)).get(1)?.B[0]?.iterations).toHaveLength(3);
    expect(await files.text(trials[1]?.sides.B ?? { record: null })).toBe(text(2));
    expect((await repairRecording(directory, { write: true })).dropped).toEqual([]);
  });

  const lineEnd = text(2).indexOf('\n', text(2).indexOf('"i":1')) + 1;
  const changes: readonly [string, (path: string) => void, RegExp][] = [
    ['cut at the end of a line', (path) => truncateSync(path, lineEnd), /has \d+ bytes instead of \d+/],
    ['continued', (path) => appendFileSync(path, '{"i":3,"s":5000000000,"e":5000000001}\n'), /bytes instead of/],
    ['changed in one digit', (path) => writeFileSync(path, text(2).replace('2000000', '3000000')), /its checksum/],
    ['removed', (path) => rmSync(path), /it is not there/],
  ];
  it.each(changes)('is refused where it was %s, and a repair leaves its run out', async (_, change, trouble) => {
    const { directory, path } = await recorded(change);
    const { trials } = await readRecording(directory);
    const files = new TrialRecords(directory);
    for (const read of [() => files.read(trials), () => files.text(trials[1]?.sides.B ?? { record: null })]) {
      const failure = await failureOf(read);
      expect(failure).toMatchObject({ code: 'MALFORMED', path });
      expect(String(failure)).toMatch(trouble);
    }
    const { kept, dropped } = await repairRecording(directory, { write: true });
    expect({ kept, dropped }).toEqual({ kept: 1, dropped: [{ line: 2, why: expect.stringMatching(trouble) }] });
    expect((await files.read((await readRecording(directory)).trials)).size).toBe(1);
  });

  it('has no seal in recordings of earlier versions, and is read as before', async () => {
    const { directory } = await recorded((path) => truncateSync(path, lineEnd));
    const journal = join(directory, 'trials.jsonl');
    const { trials } = await readRecording(directory);
    const unsealed = trials.map(({ sides: { A, B }, ...trial }, index) => {
      const { seal: _a, ...a } = A;
      const { seal: _b, ...b } = B;
      return `${sealLine(JSON.stringify({ ...trial, sides: { A: a, B: b } }), index + 1)}\n`;
    });
    writeFileSync(journal, unsealed.join(''));
    expect(readFileSync(journal, 'utf8')).not.toContain('seal');
    const again = await readRecording(directory);
    expect((await new TrialRecords(directory).read(again.trials)).get(1)?.B[0]?.iterations).toHaveLength(2);
  });
});
