import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { createRecording, openRecording, readRecording, sealDocument } from '../src/index.ts';
import { Journal } from '../src/journal.ts';
import { writeFailure } from '../src/record-error.ts';
import { below, experiment, failureOf, makeTrial, report, temporaryFolder, withIterations } from './sample.ts';

/** A file system of 256 KiB; skips the test where this process may not mount one. */
const smallDisk = (context: TestContext): string => {
  const folder = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    context.skip('needs root on Linux to mount a small file system');
  }
  onTestFinished(() => {
    execFileSync('umount', [folder]);
  });
  return folder;
};

describe('a full disk', () => {
  it('ends the journal with the count of safe trials, all readable, and writing goes on when there is room', async (context) => {
    const disk = smallDisk(context);
    const ballast = join(disk, 'ballast');
    writeFileSync(ballast, Buffer.alloc(100_000));
    const writer = await createRecording(below(disk));
    let count = 0;
    const failure = await failureOf(() => {
      for (;;) {
        writer.append(makeTrial(count));
        count += 1;
      }
    });

    expect(count).toBeGreaterThan(10);
    expect(failure).toMatchObject({
      code: 'DISK_FULL',
      trialsOnDisk: count,
      path: join(writer.directory, 'trials.jsonl'),
    });
    expect(String(failure)).toContain(`${count} finished trials are safe on disk`);
    expect(String(failure)).toContain(`then resume ${writer.directory}.`);
    // the line that did not fit was taken back whole
    expect(readFileSync(join(writer.directory, 'trials.jsonl'), 'utf8').endsWith('}\n')).toBe(true);
    expect((await readRecording(writer.directory)).trials).toHaveLength(count);

    expect(await failureOf(() => writer.append(makeTrial(count)))).toMatchObject({ code: 'DISK_FULL' });
    rmSync(ballast);
    writer.append(makeTrial(count));
    writer.close();
    expect((await readRecording(writer.directory)).trials).toHaveLength(count + 1);
  });

  it('keeps the old report and leaves no temporary file when the new one does not fit', async (context) => {
    const disk = smallDisk(context);
    const writer = await createRecording(below(disk));
    writer.append(makeTrial(0));
    await writer.writeReport(report);
    const large = { ...report, warnings: [{ code: 'LOAD', message: 'x'.repeat(400_000) } as const] };
    const failure = await failureOf(() => writer.writeReport(large));
    writer.close();

    expect(failure).toMatchObject({ code: 'DISK_FULL', path: join(writer.directory, 'report.json'), trialsOnDisk: 1 });
    expect(readFileSync(join(writer.directory, 'report.json'), 'utf8')).toBe(sealDocument(report));
    expect(readdirSync(writer.directory).toSorted()).toEqual(['experiment.json', 'report.json', 'trials.jsonl']);
  });

  it('refuses the table of iterations with the path', async (context) => {
    const disk = smallDisk(context);
    const writer = await createRecording(below(disk));
    let seed = 1;
    const next = (): number => (seed = (seed * 48_271) % 2_147_483_647);
    const iterations = Array.from({ length: 20_000 }, (_, i) => ({
      i,
      s: next(),
      e: 2_147_483_647 + next(),
      c: next(),
    }));
    const failure = await failureOf(() =>
      writer.writeIterations({ trials: [withIterations(makeTrial(0), iterations)], experiment, records: new Map() }),
    );
    writer.close();
    expect(failure).toMatchObject({ code: 'DISK_FULL', path: join(writer.directory, 'iterations.parquet') });
  });

  it('makes no recording when not even the plan fits, and leaves no folder', async (context) => {
    const disk = smallDisk(context);
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(256 * 1024));
    const failure = await failureOf(() => createRecording(below(disk)));
    expect(failure).toMatchObject({ code: 'DISK_FULL', trialsOnDisk: null });
    expect(String(failure)).toContain('Nothing was recorded');
    expect(readdirSync(disk)).toEqual(['ballast']);
  });

  it('tells the trials that are safe when a recording cannot be continued for want of room', async (context) => {
    const disk = smallDisk(context);
    const first = await createRecording(below(disk));
    first.append(makeTrial(0));
    first.close();
    await failureOf(() => {
      for (let index = 0; ; index += 1) writeFileSync(join(disk, `ballast-${index}`), Buffer.alloc(4096));
    });
    const failure = await failureOf(() => openRecording(first.directory));
    expect(failure).toMatchObject({ code: 'DISK_FULL', trialsOnDisk: 1 });
    expect(readdirSync(first.directory).toSorted()).toEqual(['experiment.json', 'trials.jsonl']);
  });

  it.skipIf(!existsSync('/dev/full'))('is passed on by the journal, which counts no line', () => {
    const journal = new Journal('/dev/full', { bytes: 0, lines: 0, unterminated: false });
    expect(() => journal.append('{}')).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
    expect(journal.lines).toBe(0);
    journal.close();
  });
});

describe('a recording that is removed while it is written', () => {
  it('ends at the next trial, and claims none to be safe', async () => {
    const writer = await createRecording(below(temporaryFolder()));
    writer.append(makeTrial(0));
    rmSync(writer.directory, { recursive: true });
    const failure = await failureOf(() => writer.append(makeTrial(1)));
    expect(failure).toMatchObject({
      code: 'RECORDING_GONE',
      path: join(writer.directory, 'trials.jsonl'),
      trialsOnDisk: 0,
    });
    writer.close();
  });
});

describe('a folder that cannot be written', () => {
  it('is refused when a file stands in its place', async () => {
    const parent = join(temporaryFolder(), 'file');
    writeFileSync(parent, '');
    const failure = await failureOf(() => createRecording(below(parent)));
    expect(failure).toMatchObject({ code: 'NOT_WRITABLE', path: join(parent, '20261121T093015Z-true-against-false') });
    expect(String(failure)).toContain('or choose another folder');
  });

  it('is refused when its path leads through a file', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    for (const directory of [file, join(file, 'below', 'it')]) {
      const failure = await failureOf(() => createRecording({ ...below('unused'), directory }));
      expect(failure).toMatchObject({ code: 'NOT_WRITABLE', path: directory });
    }
  });

  it('is refused at once by a file system of the kernel', async (context) => {
    if (!existsSync('/proc/self')) context.skip('needs /proc');
    const failure = await failureOf(() => createRecording({ ...below('unused'), directory: '/proc/deadheat' }));
    expect(failure).toMatchObject({ name: 'RecordError', trialsOnDisk: null });
    expect(String(failure)).toContain('/proc/deadheat');
  });

  it('is refused without permission', async (context) => {
    if (process.getuid?.() === 0) context.skip('root is denied nothing');
    const parent = join(temporaryFolder(), 'closed');
    mkdirSync(parent, { mode: 0o500 });
    expect(await failureOf(() => createRecording(below(parent)))).toMatchObject({ code: 'NOT_WRITABLE' });
  });
});

describe('a disk quota that is used up', () => {
  it('is named, though Node has no name for it', () => {
    const error = Object.assign(new Error('UNKNOWN: unknown error, write'), {
      code: 'UNKNOWN',
      errno: -122,
      syscall: 'write',
    });
    expect(writeFailure(error, { path: 'somewhere', recording: 'not-begun' })).toMatchObject({
      code: 'DISK_FULL',
      message: expect.stringContaining('the disk quota is used up (EDQUOT)') as string,
    });
  });
});
