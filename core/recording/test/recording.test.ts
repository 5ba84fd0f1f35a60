import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRecording, openRecording, readRecording, sealDocument } from '../src/index.ts';
import { latestRecording } from '../src/read-recording.ts';
import { below, experiment, failureOf, makeTrial, report, temporaryFolder } from './sample.ts';

describe('a recording', () => {
  it('gives back the experiment and every trial that was put in', async () => {
    const writer = await createRecording(below(temporaryFolder()));
    const trials = [makeTrial(0), makeTrial(1, { status: 'failed' }), makeTrial(2)];
    for (const trial of trials) writer.append(trial);
    writer.close();

    expect(await readRecording(writer.directory)).toEqual({ directory: writer.directory, experiment, trials });
  });

  it('keeps keys of an iteration that the protocol does not know', async () => {
    const writer = await createRecording(below(temporaryFolder()));
    const trial = makeTrial(0);
    trial.sides.A.iterations[0] = { i: 0, s: 1, e: 2, cacheMisses: 7, note: 'cold' };
    writer.append(trial);
    writer.close();

    const { trials } = await readRecording(writer.directory);
    expect(trials[0]?.sides.A.iterations[0]).toEqual({ i: 0, s: 1, e: 2, cacheMisses: 7, note: 'cold' });
  });

  it('is readable while it is being written, after every trial', async () => {
    const writer = await createRecording(below(temporaryFolder()));
    for (let count = 0; count < 3; count += 1) {
      expect((await readRecording(writer.directory)).trials).toHaveLength(count);
      writer.append(makeTrial(count));
      expect(writer.trialsOnDisk).toBe(count + 1);
    }
    writer.close();
  });

  it('leaves no lock and no temporary file when it is closed', async () => {
    const writer = await createRecording(below(temporaryFolder()));
    writer.append(makeTrial(0));
    await writer.writeIterations({ trials: [makeTrial(0)], experiment, records: new Map() });
    await writer.writeReport(report);
    expect(readdirSync(writer.directory)).toContain('lock');
    writer.close();
    writer.close();

    expect(readdirSync(writer.directory).toSorted()).toEqual([
      'experiment.json',
      'iterations.parquet',
      'report.json',
      'trials.jsonl',
    ]);
    expect(readFileSync(join(writer.directory, 'report.json'), 'utf8')).toBe(sealDocument(report));
  });

  it('refuses a trial that could not be read back, and stays readable', async () => {
    const writer = await createRecording(below(temporaryFolder()));
    writer.append(makeTrial(0));
    const failure = await failureOf(() => writer.append(makeTrial(1, { wallNs: Number.NaN })));
    writer.close();

    expect(failure).toMatchObject({ name: 'RecordError', code: 'INVALID_TRIAL', trialsOnDisk: 1 });
    expect(String(failure)).toContain('wallNs');
    expect((await readRecording(writer.directory)).trials).toHaveLength(1);
  });
});

describe('the folder of a recording', () => {
  it('is named after the UTC time and the name, with a counter when that exists', async () => {
    const parent = join(temporaryFolder(), 'new', '.deadheat');
    const names: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const writer = await createRecording({ ...below(parent), name: 'gzip -6 (Größe) / β' });
      writer.close();
      names.push(basename(writer.directory));
    }

    expect(names).toEqual([
      '20261121T093015Z-gzip-6-gro-e',
      '20261121T093015Z-gzip-6-gro-e-2',
      '20261121T093015Z-gzip-6-gro-e-3',
    ]);
  });

  it('is called experiment when no letter of the name can stand in a folder name', async () => {
    const writer = await createRecording({ ...below(temporaryFolder()), name: '測定' });
    writer.close();
    expect(basename(writer.directory)).toBe('20261121T093015Z-experiment');
  });

  it('may be chosen when it is new or empty', async () => {
    const parent = temporaryFolder();
    mkdirSync(join(parent, 'empty'));
    for (const name of ['empty', 'new/deep']) {
      const writer = await createRecording({ ...below(parent), directory: join(parent, name) });
      writer.close();
      expect(writer.directory).toBe(join(parent, name));
      expect((await readRecording(writer.directory)).trials).toEqual([]);
    }
  });

  it('is refused when it holds anything, and nothing is written there', async () => {
    const directory = temporaryFolder();
    writeFileSync(join(directory, 'notes.txt'), '');
    const failure = await failureOf(() => createRecording({ ...below(directory), directory }));

    expect(failure).toMatchObject({ code: 'DIRECTORY_NOT_EMPTY', path: directory });
    expect(String(failure)).toContain('notes.txt');
    expect(readdirSync(directory)).toEqual(['notes.txt']);
  });
});

describe('a recording that goes on', () => {
  it('continues after the trials that it holds', async () => {
    const first = await createRecording(below(temporaryFolder()));
    first.append(makeTrial(0));
    first.close();

    const { recording, writer } = await openRecording(first.directory);
    expect(recording.trials).toEqual([makeTrial(0)]);
    writer.append(makeTrial(1));
    writer.close();
    expect((await readRecording(first.directory)).trials).toEqual([makeTrial(0), makeTrial(1)]);
  });

  it('begins with an empty journal when the crash came before the journal was made', async () => {
    const directory = temporaryFolder();
    writeFileSync(join(directory, 'experiment.json'), JSON.stringify(experiment));

    const { recording, writer } = await openRecording(directory);
    writer.append(makeTrial(0));
    writer.close();
    expect(recording.trials).toEqual([]);
    expect((await readRecording(directory)).trials).toHaveLength(1);
  });

  it('is not opened where there is none, and no lock is left there', async () => {
    const directory = temporaryFolder();
    expect(await failureOf(() => openRecording(directory))).toMatchObject({ code: 'NOT_A_RECORDING' });
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('the newest recording', () => {
  it('is none where there is no folder and where no folder is a recording', async () => {
    const parent = temporaryFolder();
    mkdirSync(join(parent, '20300101T000000Z-not-one'));
    writeFileSync(join(parent, 'file'), '');
    expect(await latestRecording(parent)).toBeNull();
    expect(await latestRecording(join(parent, 'nowhere'))).toBeNull();
    expect(await failureOf(() => latestRecording(join(parent, 'file')))).toMatchObject({ code: 'NOT_A_RECORDING' });
  });

  it('is the one with the latest time in its name, whatever was copied last', async () => {
    const parent = temporaryFolder();
    const newer = await createRecording({ ...below(parent), startedAt: '2026-11-21T09:30:16Z' });
    newer.close();
    const older = await createRecording(below(parent));
    older.close();
    expect(await latestRecording(parent)).toBe(newer.directory);
  });

  it('is the one written last when both began in the same second, also beyond nine of them', async () => {
    const parent = temporaryFolder();
    let last = '';
    for (let index = 0; index < 11; index += 1) {
      const writer = await createRecording(below(parent));
      writer.close();
      last = writer.directory;
      const seconds = 1_795_000_000 + index;
      utimesSync(join(last, 'experiment.json'), seconds, seconds);
    }
    expect(basename(last)).toMatch(/-11$/);
    expect(await latestRecording(parent)).toBe(last);
    expect(existsSync(join(last, 'trials.jsonl'))).toBe(true);
  });
});
