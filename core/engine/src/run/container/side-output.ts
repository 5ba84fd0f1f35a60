import { closeSync, fstatSync, mkdirSync, openSync, readSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { matchesStars } from '@deadheat/model';
import type { SideContainer } from './side-container.ts';
import { takeFile } from './take-file.ts';

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
