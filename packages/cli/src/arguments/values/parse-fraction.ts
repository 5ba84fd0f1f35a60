/** A number with or without a percent sign, read; `wrongAt` is where it stops being one. */
export type Fraction =
  | { readonly kind: 'fraction'; readonly fraction: number; readonly percent: boolean }
  | { readonly kind: 'wrong'; readonly wrongAt: number };

/** Reads `1%`, `1 %` and `0.01` as 0.01. Twelve digits are kept, so that 99.9 % is 0.999. */
export function parseFraction(value: string): Fraction {
  const number = /^(?:\d+(?:\.\d*)?|\.\d+)/.exec(value)?.[0] ?? '';
  if (number === '') return { kind: 'wrong', wrongAt: 0 };
  const rest = value.slice(number.length);
  if (rest === '') return { kind: 'fraction', fraction: Number(number), percent: false };
  if (rest.trim() === '%') {
    return { kind: 'fraction', fraction: Number((Number(number) / 100).toPrecision(12)), percent: true };
  }
  return { kind: 'wrong', wrongAt: number.length };
}
