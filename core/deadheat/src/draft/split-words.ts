import { UsageError } from '../errors/usage-error.ts';

/** A command line taken apart by the quoting rules of POSIX sh. */
export interface SplitCommandLine {
  readonly words: readonly string[];
  /** True if it means the same without a shell: no expansion, redirection, pipe, list, comment or assignment. */
  readonly plain: boolean;
}

const operators = new Set(['|', '&', ';', '<', '>', '(', ')', '\n', '$', '`', '*', '?', '[']);
const atWordStart = new Set(['~', '#']);
const escapedInDoubleQuotes = new Set(['$', '`', '"', '\\', '\n']);

/**
 * Splits a command line into words: blanks separate, quotes and backslashes work as in POSIX sh (2.2 Quoting).
 * Syntax that only a shell could carry out stays as text and makes `plain` false.
 * Throws {@link UsageError} with the place of a quote that is not closed.
 */
export function splitWords(commandLine: string): SplitCommandLine {
  const words: string[] = [];
  let word: string | null = null;
  let plain = true;
  /** Text outside quotes, with quoted text as one letter. */
  let bare = '';
  for (let at = 0; at < commandLine.length; at += 1) {
    const character = commandLine.charAt(at);
    if (character === ' ' || character === '\t' || character === '\n') {
      bare += ' ';
      plain &&= character !== '\n' || commandLine.slice(at).trim() === '';
      if (word !== null) words.push(word);
      word = null;
    } else if (character === '\\') {
      const next = commandLine.charAt(at + 1);
      bare += 'q';
      if (next !== '\n') word = `${word ?? ''}${next === '' ? '\\' : next}`;
      at += 1;
    } else if (character === "'" || character === '"') {
      const quoted: Quoted = readQuoted(commandLine, at);
      word = `${word ?? ''}${quoted.text}`;
      bare += 'q';
      plain &&= quoted.plain;
      at = quoted.end;
    } else {
      if (operators.has(character) || (word === null && atWordStart.has(character))) plain = false;
      bare += character;
      word = `${word ?? ''}${character}`;
    }
  }
  if (word !== null) words.push(word);
  return { words, plain: plain && !hasBraceExpansion(bare) && !isAssignment(bare) };
}

interface Quoted {
  readonly text: string;
  readonly plain: boolean;
  /** Index of the closing quote. */
  readonly end: number;
}

function readQuoted(commandLine: string, start: number): Quoted {
  const quote = commandLine.charAt(start);
  let text = '';
  let plain = true;
  for (let at = start + 1; at < commandLine.length; at += 1) {
    const character = commandLine.charAt(at);
    if (character === quote) return { text, plain, end: at };
    if (quote === '"' && character === '\\' && escapedInDoubleQuotes.has(commandLine.charAt(at + 1))) {
      at += 1;
      if (commandLine.charAt(at) !== '\n') text += commandLine.charAt(at);
      continue;
    }
    if (quote === '"' && (character === '$' || character === '`')) plain = false;
    text += character;
  }
  const name = quote === '"' ? 'double' : 'single';
  throw new UsageError('BAD_COMMAND_LINE', `a ${name} quote is not closed in the command ${commandLine}`, {
    excerpt: { text: commandLine, column: start },
  });
}

/** `{a,b}` and `{1..3}`: not in POSIX, but in shells that `/bin/sh` often is. */
function hasBraceExpansion(bare: string): boolean {
  return /\{[^{}\s]*(?:,|\.\.)[^{}\s]*\}/.test(bare);
}

function isAssignment(bare: string): boolean {
  return /^\s*[A-Za-z_][A-Za-z0-9_]*\+?=/.test(bare);
}
