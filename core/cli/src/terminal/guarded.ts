import { withoutControls } from '../errors/presentable.ts';
import type { Terminal } from './terminal.ts';

/*
 * The one place through which everything goes that the command writes. Texts come from files, from programs and from other
 * machines: what of them would steer a terminal is written as `\\u{1b}`.
 */

/** Erases the line of a terminal and returns to its start. */
export const eraseLine = '\r\u001b[2K';
/** Sequences of this command: erasing the line that is redrawn, and colours. */
const ownSequences = new RegExp(String.raw`(${eraseLine.replace('[', String.raw`\[`)}|\u001b\[[\d;]*m)`);

/**
 * The terminal with streams that let no foreign control character through: standard error always, which holds messages only, and
 * standard output where it is a terminal; a file or a pipe gets its bytes as they are.
 */
export function guarded({ stdout, stderr, env }: Terminal): Terminal {
  return { stdout: stdout.isTTY ? guardStream(stdout) : stdout, stderr: guardStream(stderr), env };
}

function guardStream(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  function write(text: string | Uint8Array, ...rest: never[]): boolean {
    return stream.write(typeof text === 'string' ? guardText(text) : text, ...rest);
  }
  return new Proxy(stream, {
    get(target, key): unknown {
      if (key === 'write') return write;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function guardText(text: string): string {
  return text
    .split(ownSequences)
    .map((part, index) => (index % 2 === 1 ? part : withoutControls(part)))
    .join('');
}
