import { eachHostDetails, essentialDetails, furtherDetails, isSelfComparison, printable } from '@deadheat/report';
import type { Comparison, Side, Warning } from '@deadheat/model';
import type { Colors } from '../terminal/colors.ts';
import { detailLines } from '../terminal/detail.ts';
import { segmentLines } from './segment-lines.ts';
import { sideTable } from './side-table.ts';
import type { TerminalStyle } from '../terminal/style.ts';
import { verdictLines } from './verdict-lines.ts';
import { warningLines } from '../terminal/warning-lines.ts';

/** Width of prose where there is no terminal. */
export const proseWidth = 80;

/** One comparison as lines: its `position` among several, parameters, commands, verdict, and what a reader needs to judge it. */
export function renderComparison(
  comparison: Comparison,
  {
    style,
    colors,
    position,
    note,
    isOfFiles,
  }: {
    readonly style: TerminalStyle;
    readonly colors: Colors;
    readonly position: string | null;
    /** What the gate says of its verdict. */
    readonly note: string | null;
    readonly isOfFiles: boolean;
  },
): readonly string[] {
  const width = style.width ?? proseWidth;
  const layout = { width, colors };
  const warnings: readonly Warning[] = comparison.warnings;
  return [
    ...headline(comparison, { position, colors }),
    ...commandLines(comparison, colors),
    '',
    ...verdictLines(comparison, { width: style.width, colors, note }),
    '',
    ...(style.quiet ? [] : [...sideTable(comparison, layout), '']),
    ...detailLines(essentialDetails(comparison), layout),
    ...(style.quiet ? [] : detailLines(furtherDetails(comparison, { isOfFiles }), layout)),
    ...(style.quiet ? [] : detailLines(eachHostDetails(comparison), layout)),
    ...(style.quiet ? [] : segmentLines(comparison, layout)),
    ...warningLines(warnings, layout),
  ];
}

function headline(
  { benchmark, sides, params }: Comparison,
  { position, colors }: { readonly position: string | null; readonly colors: Colors },
): readonly string[] {
  const pairs = Object.entries(params).map(([name, value]) => `${printable(name)} = ${printable(value)}`);
  const { A, B } = sides;
  const isCommands = [A.name, `${A.name} vs ${B.name}`, `${A.command} vs ${B.command}`].includes(benchmark);
  const named = isCommands ? [] : [printable(benchmark)];
  const parts = [...(position === null ? [] : [position]), ...named, ...(pairs.length === 0 ? [] : [pairs.join(', ')])];
  return parts.length === 0 ? [] : [colors.bold(parts.join(': '))];
}

function commandLines(comparison: Comparison, colors: Colors): readonly string[] {
  if (!isSelfComparison(comparison)) {
    return [`${colors.bold('A')}  ${nameOf(comparison, 'A')}`, `${colors.bold('B')}  ${nameOf(comparison, 'B')}`];
  }
  return [
    `${colors.bold('A')}  ${nameOf(comparison, 'A')}`,
    `${colors.bold('B')}  the same command: which slowdown does this machine find?`,
  ];
}

function nameOf({ sides }: Comparison, side: Side): string {
  const { name, command } = sides[side];
  return name === command ? printable(command) : `${printable(name)}: ${printable(command)}`;
}
