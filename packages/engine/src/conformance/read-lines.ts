import { readFileSync } from 'node:fs';
import type { ObservedLine } from './observation.ts';

/** Whole lines of a record, whatever they hold; empty when there is no file. */
export function readObservedLines(path: string): readonly ObservedLine[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').slice(0, -1).map(toLine);
}

const other: ObservedLine = { kind: 'other', i: NaN, startNs: NaN, endNs: NaN, warmup: false };

function toLine(text: string): ObservedLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return other;
  }
  if (typeof value !== 'object' || value === null) return other;
  const { deadheat, i, s, e, p } = value as Readonly<Record<string, unknown>>;
  if (deadheat !== undefined) return { ...other, kind: 'benchmark' };
  return { kind: 'iteration', i: toNumber(i), startNs: toNumber(s), endNs: toNumber(e), warmup: p === 'warmup' };
}

const toNumber = (value: unknown): number => (typeof value === 'number' ? value : NaN);
