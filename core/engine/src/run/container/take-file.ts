import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A larger file is not taken, bytes: a record of that size has tens of millions of iterations. */
const mostTakenBytes = 2 ** 30;
const bufferBytes = 1 << 20;

/**
 * Opens a regular file of a folder that other programs write to, such as one in a container: no replacement of the file leads this
 * process out of the folder or makes it wait. A link is not followed, a pipe is not waited for, and the opened file is checked again
 * by its descriptor.
 *
 * @param name of the file, without a slash
 * @returns its descriptor, for reading; or why it is not opened, which holds nothing of the file's content
 */
export function openRegularFile(folder: string, name: string): number | { readonly why: string } {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let fd: number;
  try {
    fd = openSync(join(folder, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    return { why: code === 'ELOOP' ? 'it is a symbolic link' : `it cannot be opened: ${code}` };
  }
  const why = whyNotRegular(fd, { folder, name });
  if (why === null) return fd;
  closeSync(fd);
  return { why };
}

function whyNotRegular(
  fd: number,
  { folder, name }: { readonly folder: string; readonly name: string },
): string | null {
  try {
    if (!fstatSync(fd).isFile()) return 'it is no regular file';
    const isInside = readlinkSync(`/proc/self/fd/${fd}`) === join(realpathSync(folder), name);
    return isInside ? null : 'it was replaced while it was opened';
  } catch {
    return 'its kind cannot be read';
  }
}

/**
 * Copies a file that a program left in a folder, as `openRegularFile` opens it.
 *
 * @param from.name of the file, without a slash
 * @param mostBytes of which a file that holds more is not copied
 * @returns why it was not copied, which holds nothing of the file's content; `null` when it was
 */
export function takeFile(
  from: { readonly folder: string; readonly name: string },
  to: string,
  mostBytes: number = mostTakenBytes,
): string | null {
  const source = openRegularFile(from.folder, from.name);
  if (typeof source !== 'number') return source.why;
  try {
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
    const target = openSync(to, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o666);
    try {
      return copyBytes(source, target, mostBytes);
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

function copyBytes(source: number, target: number, mostBytes: number): string | null {
  const buffer = Buffer.allocUnsafe(bufferBytes);
  for (let copied = 0; ;) {
    const bytes = readSync(source, buffer, 0, bufferBytes, null);
    if (bytes === 0) return null;
    copied += bytes;
    // It may still grow.
    if (copied > mostBytes) return `it is larger than ${mostBytes / 2 ** 20} MiB`;
    for (let written = 0; written < bytes;) written += writeSync(target, buffer, written, bytes - written);
  }
}
