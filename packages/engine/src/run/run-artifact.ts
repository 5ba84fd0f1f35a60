import { closeSync, openSync } from 'node:fs';
import { GroupProcess } from './group-process.ts';

/** A command about the host should not hold the experiment up for longer. */
const limitNs = 60e9;

/**
 * Executes a shell command and keeps what it prints in a file.
 *
 * @returns why it failed; `null` when it did not. What it printed until then is kept.
 */
export async function runArtifact(commandLine: string, file: string): Promise<string | null> {
  const outputFile = openSync(file, 'w');
  try {
    const { execution, stderr, timedOut } = await new GroupProcess().execute(['/bin/sh', '-c', commandLine], {
      environment: process.env as Readonly<Record<string, string>>,
      workingDirectory: null,
      input: null,
      output: 'null',
      outputFile,
      timeoutNs: limitNs,
      endStrays: false,
    });
    if (timedOut) return `it took longer than ${limitNs / 1e9} s`;
    if (execution.exitCode === 0) return null;
    const said = stderr.trim().split('\n').at(-1) ?? '';
    return `status ${execution.exitCode ?? 'unknown'}${said === '' ? '' : `: ${said}`}`;
  } finally {
    closeSync(outputFile);
  }
}
