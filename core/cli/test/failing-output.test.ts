import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { main } from '../src/main.ts';
import type { Terminal } from '../src/terminal/terminal.ts';

interface Sink {
  readonly stream: NodeJS.WriteStream;
  readonly text: () => string;
}

/** A stream that refuses everything with an error of the system, or keeps it. */
function sink(code: string | null): Sink {
  let kept = '';
  const stream = new Writable({
    autoDestroy: false,
    write(chunk: Buffer, _encoding, done): void {
      if (code === null) kept += chunk.toString();
      // As a file does: in the next turn.
      process.nextTick(done, code === null ? null : Object.assign(new Error(`${code}: no space left`), { code }));
    },
  });
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => kept };
}

async function run(
  args: readonly string[],
  { stdout = null, stderr = null }: { readonly stdout?: string | null; readonly stderr?: string | null },
): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }> {
  const streams = { stdout: sink(stdout), stderr: sink(stderr) };
  const terminal: Terminal = { stdout: streams.stdout.stream, stderr: streams.stderr.stream, env: {} };
  const exitCode = await main(args, terminal);
  return { exitCode, stdout: streams.stdout.text(), stderr: streams.stderr.text() };
}

describe('output that cannot be written', () => {
  it.each([['--version'], ['--help']])('is said in one line, and is no success: %s', async (option) => {
    expect(await run([option], { stdout: 'ENOSPC' })).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: 'deadheat: standard output cannot be written: ENOSPC: no space left\n',
    });
  });

  it('keeps the exit code of a failure', async () => {
    expect(await run(['--no-such-option'], { stdout: 'ENOSPC', stderr: 'EIO' })).toMatchObject({ exitCode: 2 });
  });

  it('is no failure where its reader has gone', async () => {
    expect(await run(['--version'], { stdout: 'EPIPE' })).toMatchObject({ exitCode: 0, stderr: '' });
  });
});
