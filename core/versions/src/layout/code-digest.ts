import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Sections with machine code have this flag (SHF_EXECINSTR of the ELF format). */
const executable = 0x4n;

/** The machine code of a linked ELF file with its addresses, 64 bits, least significant byte first; `null` = it is none. */
function codeOf(file: string): readonly Buffer[] | null {
  const fd = openSync(file, 'r');
  try {
    const read = (at: number, bytes: number): Buffer => {
      const buffer = Buffer.alloc(bytes);
      return buffer.subarray(0, readSync(fd, buffer, 0, bytes, at));
    };
    const header = read(0, 64);
    // Class, order of bytes, and the types of programs and shared objects.
    if (header.length < 64 || header.readUInt32BE(0) !== 0x7f454c46 || header[4] !== 2 || header[5] !== 1) return null;
    if (![2, 3].includes(header.readUInt16LE(16))) return null;
    const [size, count] = [header.readUInt16LE(58), header.readUInt16LE(60)];
    const table = read(Number(header.readBigUInt64LE(40)), size * count);
    const length = fstatSync(fd).size;
    return Array.from({ length: Math.floor(table.length / Math.max(64, size)) }, (_, index) =>
      table.subarray(index * size, (index + 1) * size),
    ).flatMap((section) => {
      const [at, bytes] = [Number(section.readBigUInt64LE(24)), Number(section.readBigUInt64LE(32))];
      if ((section.readBigUInt64LE(8) & executable) === 0n || at + bytes > length) return [];
      return [section.subarray(16, 24), read(at, bytes)];
    });
  } finally {
    closeSync(fd);
  }
}

/**
 * A digest of the machine code of all programs and libraries below a folder, each with its path: equal for builds of one layout. Debugging
 * information and names of folders, which differ between builds in different folders, are not in it.
 *
 * @returns 16 hexadecimal digits; `null` = there is no such file, as of interpreted programs
 */
export async function codeDigest(folder: string): Promise<string | null> {
  const hash = createHash('sha256');
  let found = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const inside = join(entry.parentPath, entry.name);
    if (!entry.isFile() || inside.includes('/.git/')) continue;
    const code = codeOf(inside);
    if (code === null) continue;
    found += 1;
    hash.update(inside.slice(folder.length));
    for (const part of code) hash.update(part);
  }
  return found === 0 ? null : hash.digest('hex').slice(0, 16);
}
