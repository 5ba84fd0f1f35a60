import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  rmSync,
  constants,
  readlinkSync,
  realpathSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { matchesStars } from '@deadheat/model';
import type { SideContainer } from './side-container.ts';

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

/** The places of a side's output. */
export class SideOutput {
  readonly #stdout: KeptOutput;
  readonly #stderr: KeptOutput;
  /** To be handed to the program. */
  readonly descriptors: readonly [number, number];

  /**
   * @param options.path of the two files, without `stdout.txt` and `stderr.txt`
   * @param options.stdout file for standard output instead; `null` = none
   * @param options.inherit whether this process's own are used
   */
  constructor({
    path,
    stdout,
    inherit,
  }: {
    readonly path: string;
    readonly stdout: string | null;
    readonly inherit: boolean;
  }) {
    this.#stdout = new KeptOutput(stdout ?? `${path}stdout.txt`);
    this.#stderr = new KeptOutput(`${path}stderr.txt`);
    this.descriptors = [inherit && stdout === null ? 1 : this.#stdout.fd, inherit ? 2 : this.#stderr.fd];
  }

  /** The text on standard error so far. */
  get written(): { readonly stderr: string; readonly stderrBytes: number } {
    return { stderr: this.#stderr.tail(), stderrBytes: this.#stderr.bytes };
  }

  close(): void {
    this.#stdout.close();
    this.#stderr.close();
  }
}

const tailBytes = 4096;

/** A file to which the output of a program is appended, with the end of that output. */
class KeptOutput {
  readonly fd: number;
  readonly #begin: number;

  constructor(path: string) {
    this.fd = openSync(path, 'a+');
    this.#begin = fstatSync(this.fd).size;
  }

  /** Number of bytes written. */
  get bytes(): number {
    return fstatSync(this.fd).size - this.#begin;
  }

  /** The end of the output. */
  tail(): string {
    const length = Math.min(this.bytes, tailBytes);
    const buffer = Buffer.alloc(length);
    readSync(this.fd, buffer, 0, length, this.#begin + this.bytes - length);
    return buffer.toString('utf8');
  }

  close(): void {
    closeSync(this.fd);
  }
}

/**
 * Copies the one file that a path finds out of a container; `*` in its name stands for any text. Only a regular file is taken, and no
 * link is followed here: the target of a container's link lies outside of it. Returns the reason of a failure, or `null`.
 *
 * @param options.stage folder of this machine that no container sees; it need not be there, and is gone afterwards
 */
export async function copyOutput(
  place: Pick<SideContainer, 'copyOut'>,
  path: string,
  { to, stage }: { readonly to: string; readonly stage: string },
): Promise<string | null> {
  const pattern = basename(path);
  rmSync(stage, { recursive: true, force: true });
  try {
    if (!pattern.includes('*')) {
      mkdirSync(stage, { mode: 0o700 });
      const why = await place.copyOut(path, join(stage, 'file'));
      return why ?? takeFile({ folder: stage, name: 'file' }, to);
    }
    const why = await place.copyOut(dirname(path), stage);
    if (why !== null) return why;
    const found = readdirSync(stage).filter((name) => matchesStars(pattern, name));
    const [only, ...more] = found;
    if (only === undefined) return 'no file there has such a name';
    if (more.length > 0) return `several have such a name: ${found.toSorted().join(', ')}`;
    return takeFile({ folder: stage, name: only }, to);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
