import type { Terminal } from './terminal.ts';

/*
 * The one place through which everything goes that the command writes. Texts come from files, from programs and from other
 * machines: what of them would steer a terminal is written as `\\u{1b}`.
 */

/** Sequences of this command: erasing the line that is redrawn, and colours. */
const ownSequences = /(\r\u001b\[2K|\u001b\[[\d;]*m)/;
const steering = /[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Writes control characters other than line breaks and tabs, and characters that change the direction of a text, as `\\u{…}`. */
export function withoutControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(steering, (character) => {
    return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
  });
}

/** Longest line of a message in characters; no line of this command's own is as long. */
const longestLine = 1000;
/** Longest message in characters. */
const longestMessage = 10_000;

/** A message as it may be shown: without control characters, and cut where what it quotes is long. */
export function presentable(message: string): string {
  const lines = withoutControls(message).split('\n').map(cutTo(longestLine));
  return cutTo(longestMessage)(lines.join('\n'));
}

function cutTo(most: number): (text: string) => string {
  return (text) =>
    text.length <= most
      ? text
      : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}… (${text.length - most} more characters)`;
}

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
