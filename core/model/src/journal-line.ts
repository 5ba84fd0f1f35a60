import { z } from 'zod';
import { trialSchema } from './recording.ts';

/** A line of `trials.jsonl` as it is written: a trial, its place and a checksum. Lines of older recordings lack both. */
export const journalLineSchema = trialSchema.extend({
  /** Place of the line in the journal, from 1. */
  line: z.int().positive().optional(),
  /** CRC-32 (as of zlib) of the UTF-8 text of the line before `,"check"`, 8 hexadecimal digits. */
  check: z
    .string()
    .regex(/^[0-9a-f]{8}$/)
    .optional(),
});

/** CRC-32 of a text in UTF-8, as `node:zlib` computes it. */
type Crc32 = (text: string) => number;

/** JSON of a trial as line `line` (from 1) of a journal, without the line feed. */
export function sealLine(json: string, { line, crc32 }: { readonly line: number; readonly crc32: Crc32 }): string {
  const body = `${json.slice(0, -1)},"line":${line}`;
  return `${body},"check":"${toHex(crc32(body))}"}`;
}

/** The JSON of the trial of a line, as `sealLine` was given it; `null` = the line is not as it was written, or has no checksum. */
export function unsealLine(text: string, { crc32 }: { readonly crc32: Crc32 }): string | null {
  const [end, line, check] = seal.exec(text.slice(-longestSeal)) ?? [];
  if (end === undefined || line === undefined || check === undefined) return null;
  const json = text.slice(0, text.length - end.length);
  return check === toHex(crc32(`${json},"line":${line}`)) ? `${json}}` : null;
}

/** What the end of a line says of the line. */
export type LineSeal =
  /** The line is as it was written, and this is its place, from 1. */
  | { readonly kind: 'whole'; readonly line: number }
  /** The line has no checksum: an older version wrote it. */
  | { readonly kind: 'unchecked' }
  /** The line is not as it was written. */
  | { readonly kind: 'altered' };

const seal = /,"line":([1-9]\d{0,15}),"check":"([0-9a-f]{8})"\}$/;
/** Characters of the longest seal. */
const longestSeal = 44;

/**
 * Checks a line that was read.
 *
 * @param text without its line feed
 * @param options.value the line as JSON
 */
export function readSeal(text: string, { value, crc32 }: { readonly value: unknown; readonly crc32: Crc32 }): LineSeal {
  const [, line, check] = seal.exec(text.slice(-longestSeal)) ?? [];
  if (line === undefined || check === undefined) {
    const isSealed = typeof value === 'object' && value !== null && ('line' in value || 'check' in value);
    return { kind: isSealed ? 'altered' : 'unchecked' };
  }
  const body = text.slice(0, text.length - `,"check":"${check}"}`.length);
  return check === toHex(crc32(body)) ? { kind: 'whole', line: Number(line) } : { kind: 'altered' };
}

function toHex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}

/**
 * Follows the lines of a journal in their order and says what is wrong with one; `null` = nothing. Lines without checksums
 * may only stand before all lines that have one.
 */
export class LineOrder {
  /** Lines without a checksum. */
  unchecked = 0;
  #lines = 0;
  readonly #trials = new Set<number>();

  /** @param trial the number of the trial that the line holds */
  next(found: LineSeal, trial: number): string | null {
    this.#lines += 1;
    if (found.kind === 'altered') return 'its checksum does not fit, so the line was changed';
    if (found.kind === 'whole' && found.line !== this.#lines) {
      return `it was written as line ${found.line}, so lines were repeated, moved or removed`;
    }
    if (found.kind === 'whole') return null;
    if (this.unchecked + 1 < this.#lines) return 'it has no checksum, but lines before it have one';
    this.unchecked += 1;
    if (this.#trials.has(trial)) return `trial ${trial} stands in the journal twice`;
    this.#trials.add(trial);
    return null;
  }
}
