import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Terminal } from '../../terminal/terminal.ts';

const openers: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' };

/**
 * Shows a file to the user: by the program that BROWSER names, else by that of the system. Goes on at once; a program that is
 * not there is told on standard error.
 */
export function openFile(path: string, { stderr, env }: Pick<Terminal, 'stderr' | 'env'>): void {
  const program = (env['BROWSER'] ?? '') === '' ? (openers[process.platform] ?? 'xdg-open') : (env['BROWSER'] ?? '');
  const child = spawn(program, [resolve(path)], { detached: true, stdio: 'ignore' });
  child.on('error', (error) => {
    stderr.write(
      `deadheat: ${program} cannot be started (${error.message}); open ${path} yourself, or name a program in BROWSER\n`,
    );
  });
  child.unref();
}
