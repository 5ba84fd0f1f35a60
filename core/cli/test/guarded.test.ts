import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { explainError } from '../src/errors/explain-error.ts';
import { presentable } from '../src/errors/presentable.ts';
import { guarded } from '../src/terminal/guarded.ts';

const hostile = 'a\u001b]0;title\u0007b\u009bc\u202ed\0\n\te\r\nf';
const harmless = 'a\\u{1b}]0;title\\u{7}b\\u{9b}c\\u{202e}d\\u{0}\n\te\nf';

function open(isTTY: boolean): { readonly stream: NodeJS.WriteStream; readonly text: () => string } {
  const stream = new PassThrough();
  const shown = Object.assign(stream, { isTTY, columns: 80 }) as unknown as NodeJS.WriteStream;
  return { stream: shown, text: () => (stream.read() as Buffer | null)?.toString() ?? '' };
}

describe('the terminal', () => {
  it('gets no control characters of others, and the colours and the line of progress of this command', () => {
    const [stdout, stderr] = [open(true), open(false)];
    const terminal = guarded({ stdout: stdout.stream, stderr: stderr.stream, env: {} });
    for (const stream of [terminal.stdout, terminal.stderr]) stream.write(`\r\u001b[2K\u001b[2m${hostile}\u001b[22m`);
    for (const { text } of [stdout, stderr]) expect(text()).toBe(`\r\u001b[2K\u001b[2m${harmless}\u001b[22m`);
    expect(terminal.stdout).toMatchObject({ isTTY: true, columns: 80 });
  });

  it('leaves the bytes of a file or a pipe as they are', () => {
    const stdout = open(false);
    guarded({ stdout: stdout.stream, stderr: open(false).stream, env: {} }).stdout.write(hostile);
    expect(stdout.text()).toBe(hostile);
  });

  it('gets long messages cut', () => {
    expect(presentable(`${'x'.repeat(1500)}\nshort`)).toBe(`${'x'.repeat(1000)}… (500 more characters)\nshort`);
    expect(presentable('y\n'.repeat(20_000)).length).toBeLessThan(10_100);
  });
});

describe('an error of the system', () => {
  it.each([
    ['ELOOP', 'Check the links'],
    ['ENAMETOOLONG', 'Use a shorter name'],
    ['E2BIG', 'Use a shorter command'],
    ['EIO', 'Check the disk'],
    ['ENOENT', 'Check that the path exists'],
    ['EXDEV', 'Remove the cause'],
  ])('is never unexpected: %s', (code, advice) => {
    const error = Object.assign(new Error(`${code}: text, open 'x\u001b'`), { code, errno: -1, syscall: 'open' });
    const { message, exitCode } = explainError(error);
    expect(exitCode).toBe(4);
    expect(message).toContain(`deadheat: the system refused: ${code}: text, open 'x\\u{1b}'\n${advice}`);
  });

  it('is told from a defect where the system kept Node from loading a file', () => {
    const text = "Cannot find package '/x/index.js' imported from /y.js";
    const error = Object.assign(new Error(text), { code: 'ERR_MODULE_NOT_FOUND' });
    const { message, exitCode } = explainError(error);
    expect({ message, exitCode }).toEqual({
      message: `deadheat: a file of its installation cannot be loaded: ${text}\nCheck the limits (ulimit -a) and the disk, or install it again.`,
      exitCode: 4,
    });
  });
});
