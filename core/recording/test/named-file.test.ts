import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeNamedFile } from '../src/index.ts';
import { failureOf, temporaryFolder } from './sample.ts';

function write(path: string): Promise<void> {
  return writeNamedFile(path, (file) => file.writeFile('new'));
}

describe('a file that the user named', () => {
  it('is replaced as a whole, and nothing else is left', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), 'old');
    await write(join(folder, 'file'));
    await write(join(folder, 'other'));
    expect(readdirSync(folder).toSorted()).toEqual(['file', 'other']);
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('new');
  });

  it('stays a link where it is one, to a file or to nothing', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'elsewhere'));
    writeFileSync(join(folder, 'elsewhere', 'target'), 'old');
    symlinkSync('elsewhere/target', join(folder, 'link'));
    symlinkSync('elsewhere/missing', join(folder, 'dangling'));
    for (const [link, target] of [
      ['link', 'target'],
      ['dangling', 'missing'],
    ] as const) {
      await write(join(folder, link));
      expect(lstatSync(join(folder, link)).isSymbolicLink()).toBe(true);
      expect(readFileSync(join(folder, 'elsewhere', target), 'utf8')).toBe('new');
    }
  });

  it('keeps its old content where the new one cannot be written', async () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, 'old');
    const failure = await failureOf(() =>
      writeNamedFile(path, () =>
        Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' })),
      ),
    );
    expect(failure).toMatchObject({ code: 'DISK_FULL', path });
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  it.skipIf(!existsSync('/dev/full'))('is written to where it is a device, and a full one is an error', async () => {
    // By a link, so that a defect replaces the link and not the device of this machine.
    const path = join(temporaryFolder(), 'full');
    symlinkSync('/dev/full', path);
    expect(await failureOf(() => write(path))).toMatchObject({ code: 'DISK_FULL', path });
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    const sink = join(temporaryFolder(), 'null');
    symlinkSync('/dev/null', sink);
    await write(sink);
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});
