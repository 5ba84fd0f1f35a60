import type { Comparison, Report, Warning } from '@deadheat/model';
import { escapeMarkdown } from './markdown-text.ts';

/** Every warning of a report once, as items of a list; messages may be shortened. */
export function warningItems(
  { warnings, comparisons }: { readonly warnings: Report['warnings']; readonly comparisons: readonly Comparison[] },
  { shown = (message) => message }: { readonly shown?: (message: string) => string } = {},
): readonly string[] {
  const told = new Map<string, Warning>();
  for (const warning of [...warnings, ...comparisons.flatMap((comparison) => comparison.warnings)]) {
    told.set(`${warning.code} ${warning.message}`, warning);
  }
  return Array.from(told.values(), ({ code, message }) => `- **${code}**: ${escapeMarkdown(shown(message))}\n`);
}
