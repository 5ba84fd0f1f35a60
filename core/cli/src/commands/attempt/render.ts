import type { Answer, AttemptEntry, EndEntry, Judged } from '@deadheat/model';
import { alignCells, countOf, formatChosenShare, formatRatio, formatShare, printable } from '@deadheat/report';
import { type AttemptResult, ledgerOf, type LoopState } from 'deadheat/internals';
import { join } from 'node:path';

const words: Readonly<Record<Answer, string>> = { keep: 'KEEP', revert: 'REVERT', 'not-yet': 'NOT YET' };

/** The answer to an attempt, ending in a line break: one line that says it, and what to do next. */
export function renderAttempt(result: AttemptResult): string {
  const { entry, known, revertBy, reverted, leftAlone, budget } = result;
  const lines = [
    `attempt ${entry.number}: ${words[entry.answer]}${entry.suspect === null ? '' : ' (SUSPECT)'}, ${measured(entry)}${oneLine(entry.reason)}`,
    ...(known && !reverted
      ? ['  answered from the ledger, nothing was measured; --again measures the same changes once more']
      : []),
    ...(entry.suspect === null ? [] : [`  suspect because ${entry.suspect}; it was measured twice`]),
    ...(entry.answer === 'keep' ? [`  the working tree is the best state now, ${entry.commit.short}`] : []),
    ...(reverted
      ? [
          `  reverted: the files are those of ${entry.against.short} again; the attempt is kept as refs/deadheat/attempts/${result.loop}/${entry.number}`,
        ]
      : []),
    ...(leftAlone.length === 0
      ? []
      : [`  not reverted, since they were changed meanwhile: ${leftAlone.map(printable).join(', ')}`]),
    ...(revertBy === null ? [] : [`  to revert: ${revertBy}`]),
    ...(entry.answer === 'not-yet'
      ? [
          '  it is in no state to be kept: call deadheat attempt again, which spends another share of the budget, or go on changing it',
        ]
      : []),
    `  ${budgetLine(budget)}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** `-2.1 % [-2.9 % … -1.3 %], 99.2 % CI, 23 runs: `; nothing where nothing was measured. */
function measured({ first, again }: Pick<AttemptEntry, 'first' | 'again'>): string {
  const text = ratioOf(again ?? first);
  return text === null ? '' : `${text}: `;
}

function ratioOf({ interval, runs }: Judged): string | null {
  if (interval === null) return null;
  // Before the first interim analysis that could say anything there is no interval.
  const change = `${interval.estimate < 1 ? '-' : '+'}${formatShare(Math.abs(interval.estimate - 1))}`;
  const ratio = interval.low === 0 ? `about ${change}` : `${formatRatio(interval)}, ${level(interval.level)} CI`;
  return `${ratio}, ${countOf(runs, 'run')}`;
}

/** A level near 1 with the digits that make it differ from 100 %. */
function level(confidence: number): string {
  const digits = Math.max(1, 1 - Math.floor(Math.log10(100 * (1 - confidence))));
  return formatChosenShare(Number(confidence.toFixed(digits + 2)));
}

/** What is left of a budget, in plain words. */
function budgetLine({ error, left, spentBy, nextConfidence }: LoopState['budget']): string {
  const spent = spentBy === 0 ? 'nothing is spent' : `${countOf(spentBy, 'measured attempt')} spent the rest`;
  return (
    `budget: ${formatShare(left)} of the ${formatShare(error)} is left, ${spent}; the next is judged at ${level(nextConfidence)}: ` +
    'the bar rises with every attempt, for the more one tries, the more looks faster by chance'
  );
}

/** The beginning of a loop. */
export function renderStart({ start, budget }: LoopState): string {
  const { name, baseline, subject } = start;
  const what = 'file' in subject ? subject.file : JSON.stringify(subject.commands[0]?.['command'] ?? '');
  return `${[
    `loop ${name} begins at ${titleOf(baseline)}: ${printable(what)}`,
    `  ledger: ${ledgerPath(name)}`,
    `  ${budgetLine(budget)}`,
    '  change something, then: deadheat attempt --message TEXT',
  ].join('\n')}\n`;
}

/** The ledger as a table. */
export function renderStatus(state: LoopState): string {
  const { start, attempts, best, budget, end, interrupted } = state;
  const rows = attempts.map((one) => [
    `  ${one.number}`,
    `${words[one.answer]}${one.suspect === null ? '' : ' (SUSPECT)'}`,
    ratioOf(one.again ?? one.first) ?? 'not measured',
    oneLine(one.message ?? one.reason),
  ]);
  const lines = [
    `loop ${start.name}: baseline ${titleOf(start.baseline)}, best state ${titleOf(best)}${end === null ? '' : ', ended'}`,
    ...(rows.length === 0 ? ['  no attempt yet'] : alignCells(rows, () => false)),
    ...(interrupted === 0
      ? []
      : [`  ${countOf(interrupted, 'attempt')} ended while measured, and spent a share as well`]),
    `  ledger: ${ledgerPath(start.name)}`,
    `  ${budgetLine(budget)}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The result of a loop, ending in a line break. */
export function renderEnd(state: LoopState): string {
  const { start, attempts, best, end } = state;
  const kept = keptOf(state);
  return `${[
    `loop ${start.name}: ${countOf(kept.length, 'attempt')} of ${attempts.length} kept, ${titleOf(start.baseline)} -> ${titleOf(best)}`,
    ...totalLines(end).map((line) => `  ${line}`),
    ...kept.map(
      (one) =>
        `  kept ${one.number}: ${ratioOf(one.again ?? one.first) ?? ''}${one.message === null ? '' : `: ${oneLine(one.message)}`}`,
    ),
    ...(kept.length === 0
      ? []
      : ['  these chose the final state, so that their sum may promise too much; the total does not']),
  ].join('\n')}\n`;
}

function totalLines(end: EndEntry | null): readonly string[] {
  const total = end?.total ?? null;
  if (total === null) return ['nothing was kept: the final state is the baseline'];
  const several = total.length > 1;
  return total.map(
    (one) =>
      `total${several ? ` ${printable(one.benchmark ?? '')}` : ''}: ${ratioOf(one) ?? ''}, in fresh runs that chose nothing`,
  );
}

/** The result for a pull request. */
export function renderEndMarkdown(state: LoopState): string {
  const { start, attempts, end } = state;
  const kept = keptOf(state);
  const cell = (text: string): string => oneLine(text).replaceAll('|', '\\|');
  const rows = kept.map(
    (one) =>
      `| ${one.number} | ${cell(one.message ?? '')} | ${ratioOf(one.again ?? one.first) ?? ''} | ${one.suspect === null ? '' : 'suspect, confirmed'} |`,
  );
  return `${[
    `### ${countOf(kept.length, 'optimisation')} kept of ${countOf(attempts.length, 'attempt')}`,
    '',
    ...totalLines(end).map((line) => `**${cell(line)}**`),
    '',
    ...(rows.length === 0
      ? []
      : ['| attempt | change | when it was kept | |', '| --- | --- | --- | --- |', ...rows, '']),
    `Compared by deadheat with \`${start.baseline.short}\`; with a probability of at least ${formatShare(1 - start.error)} nothing kept is without a gain, over all ${attempts.length} attempts together. ` +
      'The total is from runs of its own, and not the product of the rows.',
  ].join('\n')}\n`;
}

function keptOf({ attempts }: LoopState): readonly AttemptEntry[] {
  return attempts.filter(({ answer }) => answer === 'keep');
}

function ledgerPath(name: string): string {
  return ledgerOf(join('.deadheat', 'attempts', name));
}

function titleOf({ short, subject }: LoopState['best']): string {
  return subject === '' ? short : `${short} ${printable(subject)}`;
}

/** A text on one line. */
function oneLine(text: string): string {
  return printable(text.split('\n')[0] ?? '');
}
