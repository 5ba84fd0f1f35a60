import { createHash } from 'node:crypto';
import { createWriteStream, fstatSync, mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeTemporaryFolder, removeRegistered } from '@deadheat/sync';

/** Surroundings of the command: its streams and environment. */
export interface Terminal {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The terminal for an action whose connections may be as the option says. */
export function withPlaintext({ allowPlaintext }: { readonly allowPlaintext: boolean }, terminal: Terminal): Terminal {
  if (!allowPlaintext) return terminal;
  const { stdout, stderr, env } = terminal;
  return { stdout, stderr, env: { ...env, DEADHEAT_ALLOW_PLAINTEXT: '1' } };
}

/**
 * Keeps what was piped into deadheat in a file below `.deadheat`, called after its content, so that every run of every command can read it, also after
 * `--resume`.
 *
 * @returns the path of the file
 */
export async function keepStandardInput(): Promise<string> {
  const folder = resolve('.deadheat', 'stdin');
  mkdirSync(folder, { recursive: true });
  const temporary = makeTemporaryFolder('stdin', folder);
  try {
    const copy = join(temporary, 'copy');
    const hash = createHash('sha256');
    process.stdin.on('data', (chunk: Buffer) => hash.update(chunk));
    await pipeline(process.stdin, createWriteStream(copy));
    const path = join('.deadheat', 'stdin', hash.digest('hex').slice(0, 16));
    renameSync(copy, path);
    return path;
  } finally {
    removeRegistered(temporary);
  }
}

/** True if standard input is a file with content, which somebody meant the commands to read. */
export function isInputRedirected(): boolean {
  try {
    const found = fstatSync(0);
    return found.isFile() && found.size > 0;
  } catch {
    return false;
  }
}
