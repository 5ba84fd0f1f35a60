import {
  type Comparison,
  isResourceMetric,
  metricKinds,
  type Report,
  sharesCore,
  sides,
  type Warning,
  warningFacts,
} from '@deadheat/model';
import { missedInHundred, reasonWithMetric, resourceWords, unitOfCount, selfText } from './comparison-details.ts';
import { type Detail, present } from './details.ts';
import { alignCells, detailLines, labelWidth, type Layout } from './layout.ts';
import { formatMarginShare, formatRatio, formatShare } from './numbers.ts';
import { commonWarnings, type ResultView } from './overview.ts';
import { commandOf, differingParts, firstClauses, printable, shorten, withoutName } from './printable.ts';
import { decidedTexts, formatResource, quantityName, quantityText } from './quantities.ts';
import { endless, isSelfComparison } from './verdict-sentence.ts';

/** Most lines of a comparison, with the path of its report, and of what there is to watch out for. */
const mostLines = 10;
const mostNotes = 2;

/**
 * One comparison in short: the lines of its `verdict`, the sides in the metric that decides, how it was found, what to watch out for, and the lines of
 * its `place`.
 */
export function shortComparison(
  report: Report,
  comparison: Comparison,
  {
    verdict,
    place,
    view,
    layout,
  }: {
    readonly verdict: readonly string[];
    readonly place: readonly string[];
    readonly view: ResultView;
    readonly layout: Layout;
  },
): readonly string[] {
  const facts = present([
    ['how', howText(comparison)],
    ['finds', findsText(comparison)],
    ['beside', besideText(comparison, layout.width - labelWidth)],
  ]);
  const lines = [...verdict, ...sideTable(comparison, { view, width: layout.width }), ...oneLineEach(facts, layout)];
  const control = ['slower', 'faster'].includes(comparison.verdict) ? selfText(comparison) : null;
  const notes = oneLineEach(present([['control', control]]), layout);
  const warnings = relevantWarnings([...commonWarnings(report), ...comparison.warnings], [comparison]);
  const room = Math.min(mostNotes, mostLines - lines.length - Math.max(1, place.length)) - notes.length;
  return [...lines, ...notes, ...shortWarnings(warnings, layout, room), ...place];
}

/** Warnings that change what a reader does, those about the result first: not those about noise that took from both sides alike, or that widened an interval which decides all the same. */
export function relevantWarnings<One extends Pick<Warning, 'code'>>(
  warnings: readonly One[],
  comparisons: readonly Pick<Comparison, 'verdict' | 'method'>[],
): readonly One[] {
  const isOpen = comparisons.length === 0 || comparisons.some(({ verdict }) => verdict === 'undecided');
  const suffers = isOpen || comparisons.some(({ method }) => !sharesCore(method));
  const shown = { result: true, disturbance: suffers, width: isOpen, note: false } as const;
  const order = Object.keys(shown);
  function rank({ code }: Pick<Warning, 'code'>): number {
    return order.indexOf(warningFacts[code].kind);
  }

  return warnings
    .filter(({ code }) => shown[warningFacts[code].kind])
    .toSorted((one, other) => rank(one) - rank(other));
}

/** Warnings on a line each, `most` of them at most; the last one says how many more there are. */
export function shortWarnings(
  warnings: readonly Pick<Warning, 'code' | 'message'>[],
  { width, colors }: Layout,
  most: number = warnings.length,
): readonly string[] {
  const left = warnings.length - Math.max(0, most);
  return warnings.slice(0, Math.max(0, most)).map(({ code, message }, index, { length }) => {
    const label = `warning ${code}:`;
    const more = left > 0 && index === length - 1 ? ` (${left} more: --details)` : '';
    return `${colors.yellow(label)} ${firstClauses(printable(message), width - label.length - 1 - more.length)}${more}`;
  });
}

function oneLineEach(details: readonly Detail[], layout: Layout): readonly string[] {
  const room = layout.width - labelWidth;
  return detailLines(
    details.map(({ label, text }) => ({ label, text: firstClauses(text, room) })),
    layout,
  );
}

/** Typical and mean use of the metric that decides, with the commands. */
function sideTable(
  comparison: Comparison,
  { view, width }: { readonly view: ResultView; readonly width: number },
): readonly string[] {
  const { name, textOf, amounts } = decidedTexts(comparison, view.timeUnit);
  const figures = [
    ['typical', 'mean'],
    ...sides.map((side) => [textOf(amounts[side].typical), textOf(amounts[side].mean)]),
  ];
  const cells = [name, ...sides].map((head, row) => [head, ...(figures[row] ?? [])]);
  const table = alignCells(cells, (column) => column > 0);
  const room = Math.max(10, width - Math.max(...table.map(({ length }) => length)) - 2);
  const commands = isSelfComparison(comparison)
    ? [shorten(commandOf(comparison, 'A'), room), 'the same command']
    : shownCommands(comparison, room);
  return table.map((line, row) => `${line}  ${[shorten(titleOf(comparison), room), ...commands][row] ?? ''}`.trimEnd());
}

function shownCommands(comparison: Comparison, room: number): readonly string[] {
  const own = sides.map((side) => withoutName(comparison.sides[side]));
  const [A = '', B = ''] = own.map(({ command }) => printable(command));
  // Versions of one command, which the head of the table says.
  if (A === B && titleOf(comparison) === A) return own.map(({ name }) => shorten(printable(name), room));
  const names = own.map(({ name, command }) => (name === command ? '' : `${shorten(printable(name), room / 3)}: `));
  const longest = Math.max(...names.map(({ length }) => length));
  const parts = differingParts([A, B], room - longest);
  return parts.map((part, side) => `${names[side] ?? ''}${part}`);
}

/** Name of a benchmark that its commands do not say, with its parameters. */
export function titleOf({ benchmark, sides: { A, B }, params }: Comparison): string {
  const pairs = Object.entries(params).map(([name, value]) => `${printable(name)} = ${printable(value)}`);
  const isCommands = [A.name, `${A.name} vs ${B.name}`, `${A.command} vs ${B.command}`].includes(benchmark);
  return [...(isCommands ? [] : [printable(benchmark)]), ...(pairs.length === 0 ? [] : [pairs.join(', ')])].join(': ');
}

function howText({ method, methodReason, metric, metricReason }: Comparison): string {
  return `${methodReason === null ? method : `${method}, ${methodReason}`}; ${reasonWithMetric(metric, metricReason)}`;
}

/** The slowdown that would be found, and the one that does not matter. */
function findsText(comparison: Comparison): string {
  const { metric, margin, minimalDetectableSlowdown: slowdown } = comparison;
  const change = isResourceMetric(metric) ? 'increase' : 'slowdown';
  const found =
    slowdown >= endless
      ? `no ${change}: too few runs`
      : `${change === 'increase' ? 'an' : 'a'} ${change} of ${formatShare(slowdown)} in 4 of 5 tries`;
  const missed = missedInHundred(comparison);
  return [
    found,
    ...(margin > 0 ? [`up to ${formatMarginShare(comparison)} does not matter`] : []),
    ...(missed === null ? [] : [`can miss ${missed} slow runs in 100`]),
  ].join('; ');
}

/** `101 -> 102 in every run`, of a count that repeats. */
function repeatedText(
  { metric, counting }: Comparison['otherMetrics'][number],
  amounts: NonNullable<Comparison['resources']>,
): string | null {
  const own = amounts.find((one) => one.metric === metric);
  if (counting?.repeats !== true || own === undefined || !isResourceMetric(metric)) return null;
  return `${formatResource(metric, own.A)} -> ${formatResource(metric, own.B)}${unitOfCount(counting)} in every run`;
}

/**
 * Resources that were asked for beside the metric that decides, those that differ first, and quantities that changed: as many as `most`
 * UTF-16 units hold, and the number of the others.
 */
function besideText(
  { otherMetrics, resources: amounts = [], quantities = [] }: Comparison,
  most: number,
): string | null {
  const resources = otherMetrics.filter(({ metric }) => isResourceMetric(metric));
  function differs({ verdict }: (typeof resources)[number]): boolean {
    return verdict === 'slower' || verdict === 'faster';
  }
  const texts = [
    ...resources
      .toSorted((one, other) => Number(differs(other)) - Number(differs(one)))
      .map(
        (other) =>
          `${metricKinds[other.metric].name} ${repeatedText(other, amounts) ?? formatRatio(other.interval)}: ${resourceWords[other.verdict]}`,
      ),
    ...quantities
      .filter(({ verdict }) => verdict === 'more' || verdict === 'less')
      .map((quantity) => `${quantityName(quantity)} ${quantityText(quantity)}`),
  ];
  const parts = texts.map((_, left) => ({
    head: texts.slice(0, texts.length - left).join('; '),
    tail: left === 0 ? '' : `; ${left} more`,
  }));
  const part = parts.find(({ head, tail }) => head.length + tail.length <= most) ?? parts.at(-1);
  return part === undefined ? null : `${shorten(part.head, most - part.tail.length)}${part.tail}`;
}
