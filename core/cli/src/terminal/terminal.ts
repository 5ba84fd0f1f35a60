import { createHash } from 'node:crypto';
import { existsSync, fstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

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
  const content = await buffer(process.stdin);
  const folder = join('.deadheat', 'stdin');
  const path = join(folder, createHash('sha256').update(content).digest('hex').slice(0, 16));
  mkdirSync(folder, { recursive: true });
  if (!existsSync(path)) writeFileSync(path, content);
  return path;
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
