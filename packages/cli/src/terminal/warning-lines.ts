import type { Warning } from '@deadheat/model';
import { printable } from '@deadheat/report';
import type { Colors } from './colors.ts';
import { wrapText } from './wrap-text.ts';

const indent = '  ';

/** Warnings with their codes, wrapped. */
export function warningLines(
  warnings: readonly Warning[],
  { width, colors }: { readonly width: number; readonly colors: Colors },
): readonly string[] {
  return warnings.flatMap(({ code, message }) => {
    const label = `warning ${code}:`;
    const [first = '', ...rest] = wrapText(`${label} ${printable(message)}`, width - indent.length);
    const painted = first.startsWith(label) ? colors.yellow(label) + first.slice(label.length) : first;
    return [painted, ...rest.map((line) => indent + line)];
  });
}
