import type { CheckedRule, ProtocolCheck, ProtocolProblem } from '@deadheat/engine';
import { countOf, printable } from '@deadheat/report';
import { createColors, type Colors } from '../../terminal/colors.ts';
import type { TerminalStyle } from '../../terminal/style.ts';
import { wrapText } from '../../terminal/wrap-text.ts';

const indent = '          ';
/** A rule that is broken in every scenario is not told as often. */
const mostProblems = 3;

/** A line for each rule of the protocol and the section that states it; below a broken one what the program did. */
export function renderProtocolCheck(
  { rules, argv, sides }: ProtocolCheck,
  style: Pick<TerminalStyle, 'color' | 'width'>,
): string {
  const colors = createColors(style);
  const broken = rules.filter(({ outcome }) => outcome === 'broken').length;
  const untested = rules.filter(({ outcome }) => outcome === 'untested').length;
  const as = sides.length === 1 ? `side ${sides[0]}` : 'either side';
  const found = broken === 0 ? 'no rule was broken' : `${countOf(broken, 'rule')} broken`;
  const rest = untested === 0 ? '' : `, ${untested} not tested`;
  const sum = `${argv.map((word) => printable(word)).join(' ')} as ${as}: ${found}${rest}, ${rules.length} in all`;
  const lines = [
    ...rules.flatMap((rule) => renderRule(rule, { colors, width: style.width ?? 80 })),
    '',
    (broken === 0 ? colors.green : colors.red)(sum),
    'The rules are in docs/formats/protocol.md, below the headings in brackets.',
  ];
  return `${lines.join('\n')}\n`;
}

function renderRule(
  { outcome, text, section, problems }: CheckedRule,
  { colors, width }: { readonly colors: Colors; readonly width: number },
): readonly string[] {
  const color = { held: colors.green, broken: colors.red, untested: colors.yellow }[outcome];
  const [first = '', ...more] = wrapText(`${text} [${section}]`, width - indent.length);
  return [
    `${color(outcome.padEnd(indent.length))}${first}`,
    ...more.map((line) => `${indent}${line}`),
    ...problems.slice(0, mostProblems).flatMap((problem) => renderProblem(problem, width)),
    ...(problems.length > mostProblems
      ? [`${indent}- and in ${countOf(problems.length - mostProblems, 'other scenario')}`]
      : []),
  ];
}

function renderProblem({ side, scenario, what }: ProtocolProblem, width: number): readonly string[] {
  const told = wrapText(printable(`as ${side} in “${scenario}”: ${what}`), width - indent.length - 2);
  return told.map((line, i) => `${indent}${i === 0 ? '- ' : '  '}${line}`);
}
