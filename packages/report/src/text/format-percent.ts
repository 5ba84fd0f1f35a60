import type { Ratio } from '@deadheat/model';

const mostDigits = 4;
/** A ratio beyond this stands for no bound. */
const mostShown = 1e9;

/** Decimals of a percentage that show the ends of an interval apart from each other and from zero; 1 to 4. */
export function percentDigits({ low, high }: Pick<Ratio, 'low' | 'high'>): number {
  const wanted = [high - low, ...(low > 1 || high < 1 ? [Math.min(Math.abs(low - 1), Math.abs(high - 1))] : [])];
  const least = Math.min(...wanted.filter((share) => share > 0)) * 100;
  if (!Number.isFinite(least) || least >= 0.1) return 1;
  return Math.min(mostDigits, Math.ceil(-Math.log10(least)));
}

/** A ratio as a signed difference: 1.024 is `+2.4 %`, 0.9931 is `-0.7 %`. */
export function formatDifference(ratio: number, digits: number): string {
  if (ratio > mostShown) return '+∞ %';
  const percent = ((ratio - 1) * 100).toFixed(digits);
  const zero = Number(percent) === 0;
  return `${percent.startsWith('-') && !zero ? '' : '+'}${zero ? percent.replace('-', '') : percent} %`;
}

/** A share without sign and without zeros at the end: 0.99 is `99 %`, 0.009 is `0.9 %`. Two significant digits below 1 %. */
export function formatShare(share: number): string {
  if (share > mostShown) return '∞ %';
  const percent = share * 100;
  const text = percent >= 1 ? percent.toFixed(1) : percent.toPrecision(2);
  return `${Number(text)} %`;
}

/** A share that was chosen, not measured, with every digit: 0.9999 is `99.99 %`. */
export function formatChosenShare(share: number): string {
  return `${Number((share * 100).toPrecision(10))} %`;
}
