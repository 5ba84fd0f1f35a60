import { nearestWord } from '@deadheat/model';
import { createExcerpt } from '../errors/excerpt.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Margin } from './amounts.ts';

/*
 * Parsers of what is typed behind a flag. Each takes the flag, for its messages, and gives a function of the typed text
 * that throws a UsageError `BAD_VALUE` with a caret under the first wrong character.
 */

/** A usage error for the one value of `flag`: names both, says what is allowed, points at character `offset`. */
export function badValue(
  flag: string,
  value: string,
  { allowed, offset = 0, hint = null }: { allowed: string; offset?: number; hint?: string | null },
): UsageError {
  const excerpt = createExcerpt([flag, value], { at: 1, offset });
  return new UsageError('BAD_VALUE', `${flag} must be ${allowed}, not '${value}'`, { excerpt, hint });
}

const memoryUnits: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** Bytes of an amount of memory such as `512m`; the units are those of container engines, 1k = 1024. `null` for anything else. */
export function toBytes(text: string): number | null {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(text) ?? [];
  const bytes = Math.round(Number(amount) * (memoryUnits[unit.toLowerCase()] ?? NaN));
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : null;
}

/** Parser of an amount of memory; gives bytes. */
export function parseMemory(flag: string): (value: string) => number {
  return (value) => {
    const bytes = toBytes(value);
    if (bytes === null) throw badValue(flag, value, { allowed: 'an amount of memory such as 512m or 2g' });
    return bytes;
  };
}

/** Parser of a text that is not empty; `meaning` says what it is, such as `a file`. */
export function parseText(flag: string, meaning: string): (value: string) => string {
  return (value) => {
    if (value.trim() === '') throw badValue(flag, value, { allowed: meaning });
    return value;
  };
}

/** A parser of words that lists them, for the completions of shells. */
export type ChoiceParser<Value> = ((value: string) => Value) & { readonly choices: readonly string[] };

/** Parser of one of the words `choices`. */
export function parseChoice<Choice extends string>(flag: string, choices: readonly Choice[]): ChoiceParser<Choice> {
  function parse(value: string): Choice {
    const choice = choices.find((word) => word === value);
    if (choice !== undefined) return choice;
    const nearest = nearestWord(value.toLowerCase(), choices);
    const hint = nearest === null ? null : `Did you mean ${flag} ${nearest}?`;
    throw badValue(flag, value, { allowed: listWords(choices), hint });
  }
  return Object.assign(parse, { choices });
}

/** Parser of one or more of the words `choices`, each once, commas between them. */
export function parseChoices<Choice extends string>(
  flag: string,
  choices: readonly Choice[],
): ChoiceParser<readonly Choice[]> {
  const allowed = `one or more of ${choices.join(', ')}, each once, with commas between them`;
  function parse(value: string): readonly Choice[] {
    const chosen: Choice[] = [];
    let offset = 0;
    for (const word of value.split(',')) {
      const choice = choices.find((known) => known === word);
      if (choice === undefined || chosen.includes(choice)) {
        const nearest = choice === undefined ? nearestWord(word.toLowerCase(), choices) : null;
        const hint = nearest === null ? null : `Did you mean ${nearest}?`;
        throw badValue(flag, value, { allowed, offset, hint });
      }
      chosen.push(choice);
      offset += word.length + 1;
    }
    return chosen;
  }
  return Object.assign(parse, { choices });
}

/** Parser of names with commas between them. */
export function parseNames(flag: string): (value: string) => readonly string[] {
  return (value) => {
    const names = value.split(',');
    if (names.every((name) => name.trim() !== '' && !name.includes('\n'))) return names;
    throw badValue(flag, value, { allowed: 'names with commas between them' });
  };
}

/** Parser of a whole number from `least` to `most`. */
export function parseCount(
  flag: string,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): (value: string) => number {
  const allowed = `a whole number of at least ${least}`;
  return (value) => {
    const digits = /^\d*/.exec(value)?.[0] ?? '';
    if (digits !== value || value === '') throw badValue(flag, value, { allowed, offset: digits.length });
    const count = Number(value);
    if (count < least) throw badValue(flag, value, { allowed });
    if (count > most)
      throw badValue(flag, value, {
        allowed: `${allowed} and ${most === Number.MAX_SAFE_INTEGER ? 'below 2^53' : `at most ${most}`}`,
      });
    return count;
  };
}

/**
 * Parser of different CPU numbers, `0,1`: the cores of tandems and of sides alone; in a duet the first is side A's and the second side B's.
 * The CPUs are not checked against the machine.
 */
export function parseCpus(flag: string): (value: string) => readonly number[] {
  const allowed = 'different CPU numbers such as 0,1';
  return (value) => {
    if (!/^\d{1,6}(,\d{1,6})*$/.test(value)) {
      const start = /^(\d{1,6},?)*/.exec(value)?.[0] ?? '';
      throw badValue(flag, value, { allowed, offset: start.length });
    }
    let offset = 0;
    const cpus: number[] = [];
    for (const text of value.split(',')) {
      if (cpus.includes(Number(text))) throw badValue(flag, value, { allowed, offset });
      cpus.push(Number(text));
      offset += text.length + 1;
    }
    return cpus;
  };
}

const nsPerUnit: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['µs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['', 1e9],
  ['m', 60e9],
  ['min', 60e9],
  ['h', 3600e9],
]);

/** Parser of a duration above zero: `500ms`, `10s`, `2m`, `1h`; a plain number is seconds. Gives whole nanoseconds. */
export function parseDuration(flag: string): (value: string) => number {
  const allowed = 'a duration above zero such as 500ms, 10s, 2m or 1h';
  return (value) => {
    const number = /^(?:\d+(?:\.\d*)?|\.\d+)/.exec(value)?.[0] ?? '';
    if (number === '') throw badValue(flag, value, { allowed });
    const unit = nsPerUnit.get(value.slice(number.length));
    if (unit === undefined) throw badValue(flag, value, { allowed, offset: number.length });
    const ns = Math.round(Number(number) * unit);
    if (ns <= 0) throw badValue(flag, value, { allowed });
    if (!Number.isSafeInteger(ns)) throw badValue(flag, value, { allowed: `${allowed}, at most 2500h` });
    return ns;
  };
}

/** Nearer to 0 or 1 quantiles have no precision. */
const leastConfidence = 1e-9;

/** Parser of a confidence level inside (0, 1): `99%` or `0.99`. */
export function parseConfidence(flag: string): (value: string) => number {
  const allowed = 'a level between 0 and 1 such as 0.99 or 99%';
  return (value) => {
    const read = parseFraction(value);
    if (read.kind === 'wrong') throw badValue(flag, value, { allowed, offset: read.wrongAt });
    if (read.fraction <= 0 || read.fraction >= 1) throw badValue(flag, value, { allowed });
    if (read.fraction < leastConfidence || read.fraction > 1 - leastConfidence) {
      throw badValue(flag, value, { allowed: `${allowed}, at least ${leastConfidence} away from both` });
    }
    return read.fraction;
  };
}

/** Parser of a relative difference below 100 %: `1%` or `0.01`, both 0.01. */
export function parseShare(
  flag: string,
  { zero, example }: { readonly zero: 'allowed' | 'refused'; readonly example: string },
): (value: string) => number {
  const asFraction = `${Number.parseFloat(example) / 100}`;
  const range = zero === 'allowed' ? 'from 0 to below 100 %' : 'above 0 and below 100 %';
  const allowed = `a share ${range} such as ${example} or ${asFraction}`;
  return (value) => {
    const read = parseFraction(value);
    if (read.kind === 'wrong') throw badValue(flag, value, { allowed, offset: read.wrongAt });
    if (read.fraction >= 1) {
      const hint =
        read.percent || read.fraction >= 100
          ? null
          : `A number without % is a fraction: for ${value} percent write ${flag} ${value}%.`;
      throw badValue(flag, value, { allowed, hint });
    }
    if (read.fraction === 0 && zero === 'refused') throw badValue(flag, value, { allowed });
    return read.fraction;
  };
}

/** Parser of a margin: a share as of {@link parseShare}, or a time with its unit such as `0.5ms`. */
export function parseMargin(flag: string): (value: string) => Margin {
  const asShare = parseShare(flag, { zero: 'allowed', example: '1%' });
  const asTime = parseDuration(flag);
  return (value) => (/^[\d.]+ *[a-zµ]+$/.test(value) ? { ns: asTime(value) } : asShare(value));
}

/** A number with or without a percent sign, read; `wrongAt` is where it stops being one. */
type Fraction =
  | { readonly kind: 'fraction'; readonly fraction: number; readonly percent: boolean }
  | { readonly kind: 'wrong'; readonly wrongAt: number };

/** Reads `1%`, `1 %` and `0.01` as 0.01. Twelve digits are kept, so that 99.9 % is 0.999. */
function parseFraction(value: string): Fraction {
  const number = /^(?:\d+(?:\.\d*)?|\.\d+)/.exec(value)?.[0] ?? '';
  if (number === '') return { kind: 'wrong', wrongAt: 0 };
  const rest = value.slice(number.length);
  if (rest === '') return { kind: 'fraction', fraction: Number(number), percent: false };
  if (rest.trim() === '%') {
    return { kind: 'fraction', fraction: Number((Number(number) / 100).toPrecision(12)), percent: true };
  }
  return { kind: 'wrong', wrongAt: number.length };
}

/** `a, b or c`. */
export function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
