import type { Detail } from '@deadheat/report';
import type { Colors } from './colors.ts';
import { wrapText } from './wrap-text.ts';

const labelWidth = 13;

/** Facts in two columns, the texts wrapped. */
export function detailLines(
  details: readonly Detail[],
  { width, colors }: { readonly width: number; readonly colors: Colors },
): readonly string[] {
  return details.flatMap(({ label, text }) => {
    const [first = '', ...rest] = wrapText(text, width - labelWidth);
    const painted = colors.dim(label) + ' '.repeat(Math.max(1, labelWidth - label.length));
    return [painted + first, ...rest.map((line) => ' '.repeat(labelWidth) + line)];
  });
}
