import type { CommitRef, Comparison, Explanation, Report, Side, SideSummary } from '@deadheat/model';
import { escapeHtml } from '../markup.ts';
import { controlsOf, testedOf, verdictOrder, worstFirst } from '../report-input.ts';
import { essentialDetails, furtherDetails } from '../text/comparison-details.ts';
import {
  countedOf,
  eachHostDetails,
  exceptionsOf,
  openOf,
  sentence,
  type Standing,
  standingNote,
  standings,
} from '../text/details.ts';
import { functionRow, listedFunctions, rowHeads, summarySentences } from '../text/explanation-text.ts';
import { countOf } from '../text/numbers.ts';
import { tallyVerdicts, warningsByCode } from '../text/overview.ts';
import { benchmarkName, printable, shorten } from '../text/printable.ts';
import { verdictSentence } from '../text/verdict-sentence.ts';
import { codeSpan, escapeMarkdown, markdownDialect, tableHead, tableRow } from './dialects.ts';
import { distinctWarnings, sideHead, sideRows, verdictCell, verdictHead, verdictRow } from './rows.ts';

/** The first of some texts that together have at most `room` characters, and how many are left out. */
function takeFitting(
  texts: Iterable<string>,
  { room, count }: { readonly room: number; readonly count: number },
): { readonly taken: string; readonly shown: number; readonly left: number } {
  const taken: string[] = [];
  let free = room;
  for (const text of texts) {
    if (text.length > free) break;
    taken.push(text);
    free -= text.length;
  }
  return { taken: taken.join(''), shown: taken.length, left: count - taken.length };
}

/** The warnings of one benchmark as items of a list, messages shortened. */
function warningItems({ warnings }: Comparison): readonly string[] {
  return distinctWarnings({ warnings, comparisons: [] }).map(({ code, message }) => warningItem(code, message));
}

function warningItem(code: string, message: string): string {
  return `- **${code}**: ${escapeMarkdown(shorten(message, longestMessage))}\n`;
}

/** A comment of GitHub holds 65 536 characters; the difference is for text that is added around a summary. */
export const mostCharacters = 65_000;
/** Largest size of each list; all lists and the notes together leave half of the summary to the tables. */
const mostOfList = 5000;
/** Characters that are reserved for the notes on omitted parts. */
const roomForNotes = 1500;
const longestMessage = 400;
const longestCommand = 200;

/** Options of `renderSummary`. */
interface SummaryOptions {
  /** Failures of the experiment, a sentence each. */
  readonly troubles?: readonly string[];
  /** The pipeline that the summary is written in; `null` = it is not known. */
  readonly pipeline?: Pipeline | null;
}

/**
 * A report for a pull request or the summary of a job, in GitHub's Markdown: what the gate says, a row for each comparison, the
 * worst first, warnings, and the details of each benchmark folded. At most `mostCharacters` long (UTF-16 units): details are left
 * out first, from the last, then rows, and the text says how many.
 */
export function renderSummary(
  whole: Report,
  { troubles: allTroubles = [], pipeline = null }: SummaryOptions = {},
): string {
  const { report, troubles } = withoutFolders({ report: whole, troubles: allTroubles }, pipeline?.folder ?? null);
  const standing = standings(report);
  const tested = testedOf(report.comparisons);
  const controls = controlsOf(report.comparisons);
  const ordered = byStanding(worstFirst(tested), standing);
  const head = joinParts([
    `${title(report, pipeline)}\n`,
    originLine(report, pipeline),
    boundedList(troubles.map((trouble) => `- **failed**: ${escapeMarkdown(shorten(trouble, longestMessage))}\n`)),
    ordered.length === 0 ? 'No benchmark has enough runs for a verdict.\n' : gateText(report),
  ]);
  const foot = joinParts([
    fold('Warnings', boundedList(warningsByCode(report).map(({ code, message }) => warningItem(code, message)))),
    footer(report),
  ]);
  let room = mostCharacters - head.length - foot.length - roomForNotes;
  const verdicts = verdictTable(ordered, { standing, room });
  room -= verdicts.text.length;
  const beside = controlTable(worstFirst(controls), { standing, room });
  room -= beside.length;
  const details = verdicts.left > 0 ? { taken: '', left: 0 } : detailsOf(ordered, { report, room });
  return joinParts([
    head,
    verdicts.text,
    leftOut(verdicts.left === 0 ? [] : ordered.slice(-verdicts.left)),
    beside,
    details.taken,
    details.left === 0
      ? ''
      : `Details of ${countOf(details.left, 'more benchmark')} are left out: too long together.\n`,
    foot,
  ]);
}

/** Within a verdict first what counts for the gate. */
function byStanding(
  comparisons: readonly Comparison[],
  standing: ReadonlyMap<Comparison, Standing>,
): readonly Comparison[] {
  const ranks: readonly Standing['kind'][] = [
    'counts',
    'not-measured',
    'not-counted',
    'let-pass',
    'waived',
    'passes',
    'control',
  ];

  function rank(comparison: Comparison): number {
    return (
      verdictOrder.indexOf(comparison.verdict) * ranks.length +
      ranks.indexOf(standing.get(comparison)?.kind ?? 'passes')
    );
  }

  return comparisons.toSorted((one, other) => rank(one) - rank(other));
}

/** Read before the words, and without colours. */
const outcomeMarks: Readonly<Record<Report['gate']['outcome'], string>> = {
  passed: '🟢',
  failed: '🔴',
  'not-measured': '🟡',
  abstained: '⚪',
};

/** The gate's outcome in a line, what is excused or not counted, the control, and how often every verdict came out. */
function gateText({ gate, comparisons, experiment }: Report): string {
  const { counted, left } = countedOf(testedOf(comparisons), standings({ comparisons, gate }));
  const exceptions = [...exceptionsOf(gate), ...openOf(gate)].map(
    ({ label, text }) => `- **${label}** ${escapeMarkdown(shorten(text, longestMessage))}\n`,
  );
  return joinParts([
    `Gate ${outcomeMarks[gate.outcome]} **${gate.outcome.replace('-', ' ')}**: ${escapeMarkdown(sentence(gate))}\n`,
    boundedList([...(experiment.complete ? [] : ['- **incomplete** planned runs are missing\n']), ...exceptions]),
    comparisons.length > 1
      ? `${tallyVerdicts(counted)}${left === 0 ? '' : `${counted.length === 0 ? '' : ', '}${left} not counted`}\n`
      : '',
  ]);
}

function verdictTable(
  comparisons: readonly Comparison[],
  { standing, room }: { readonly standing: ReadonlyMap<Comparison, Standing>; readonly room: number },
): { readonly text: string; readonly left: number } {
  if (comparisons.length === 0) return { text: '', left: 0 };
  const head = tableHead(verdictHead);
  const rows = lazily(comparisons, (comparison) =>
    tableRow(
      verdictRow(comparison, {
        name: codeSpan(benchmarkName({ benchmark: comparison.benchmark, params: comparison.params })),
        verdict: standingCell(comparison, standing.get(comparison)),
      }),
    ),
  );
  const { taken, left } = takeFitting(rows, { room: room - head.length, count: comparisons.length });
  return { text: taken === '' ? '' : head + taken, left };
}

function controlTable(
  controls: readonly Comparison[],
  given: { readonly standing: ReadonlyMap<Comparison, Standing>; readonly room: number },
): string {
  const { text, left } = verdictTable(controls, given);
  const note =
    left === 0 ? '' : `${countOf(left, 'more control')} left out here: ${tallyVerdicts(controls.slice(-left))}.\n`;
  return fold('A against itself', joinParts([text, note]));
}

function standingCell(comparison: Comparison, standing: Standing | undefined): string {
  const note = standingNote(standing);
  return note === null ? verdictCell(comparison) : `${verdictCell(comparison)}, ${note}`;
}

function leftOut(comparisons: readonly Comparison[]): string {
  if (comparisons.length === 0) return '';
  return `${countOf(comparisons.length, 'more benchmark')} left out here: ${tallyVerdicts(comparisons)}. The recording has all of them.\n`;
}

function detailsOf(
  comparisons: readonly Comparison[],
  { report, room }: { readonly report: Report; readonly room: number },
): { readonly taken: string; readonly left: number } {
  const isOfFiles = report.experiment.files !== undefined;
  return takeFitting(
    lazily(comparisons, (comparison) => benchmarkBlock(comparison, { isOfFiles })),
    { room, count: comparisons.length },
  );
}

/** A benchmark in full, folded. */
function benchmarkBlock(comparison: Comparison, { isOfFiles }: { readonly isOfFiles: boolean }): string {
  const facts = [
    ...essentialDetails(comparison),
    ...furtherDetails(comparison, { isOfFiles }),
    ...eachHostDetails(comparison),
  ];
  const title = `<code>${escapeHtml(benchmarkName(comparison))}</code> ${escapeHtml(printable(verdictSentence(comparison)))}`;
  return `${foldHtml(
    title,
    joinParts([
      facts.map(({ label, text }) => `- **${label}**: ${escapeMarkdown(text)}\n`).join(''),
      tableHead(sideHead) +
        sideRows(comparison, { shown: (name) => shorten(name, longestCommand) })
          .map((cells) => tableRow(cells))
          .join(''),
      warningItems(comparison).join(''),
    ]),
  )}\n`;
}

/** The machine, and the commands that analyse or measure again. */
function footer({ experiment, machine, tool }: Report): string {
  const { files, recording, seed, startedAt } = experiment;
  const where = machine === null ? [] : [`on ${codeSpan(shorten(machine.hostname, longestCommand))}`];
  const from =
    files === undefined
      ? [`seed ${codeSpan(shorten(seed, longestCommand))}`, `recording ${codeSpan(shorten(recording, longestCommand))}`]
      : [`files ${files.map((file) => codeSpan(shorten(file, longestCommand))).join(', ')}`];
  const time = escapeMarkdown(startedAt.replace('T', ' ').replace(/\.\d+Z$|Z$/, ' UTC'));
  return `deadheat ${escapeMarkdown(tool.version)}, ${[time, ...where, ...from].join(', ')}. Ratios are B to A: above zero B takes longer.\n`;
}

function boundedList(items: readonly string[]): string {
  const { taken, left } = takeFitting(items, { room: mostOfList, count: items.length });
  return left === 0 ? taken : `${taken}- and ${left} more\n`;
}

function fold(title: string, content: string): string {
  return content === '' ? '' : foldHtml(escapeHtml(title), content);
}

/** An empty line stands before the content, so that it is read as Markdown again. */
function foldHtml(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n</details>\n`;
}

function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

function* lazily<Item>(items: readonly Item[], make: (item: Item) => string): Generator<string> {
  for (const item of items) yield make(item);
}

/** Where a pipeline runs, as far as its environment says. */
export interface Pipeline {
  /** `owner/name`; `null` = not known. */
  readonly project: string | null;
  /** Address of the project, below which commits are; `null` = not known. */
  readonly projectUrl: string | null;
  /** Between the project and the hash of a commit: `/commit/`. */
  readonly commitPath: string;
  readonly runUrl: string | null;
  readonly artifactsUrl: string | null;
  /** Folder of the checkout: a path in it is written as it is in the project. */
  readonly folder: string | null;
}

const longest = 200;
/** A path of three or more steps from the root, and its last step. */
const absolutePath = /(?<![\w.:/~-])\/(?:[\w.@+-]+\/){2,}([\w.@+-]+)/g;

/** The project, and what was measured: the command where all benchmarks have one, else the name of the experiment. */
function title({ experiment, comparisons }: Report, pipeline: Pipeline | null): string {
  const { name, files, project: ofHistory = null } = experiment;
  const project = pipeline?.project ?? ofHistory;
  const commands = new Set(comparisons.map(({ sides }) => withoutLabel(sides.B.command)));
  const [command] = commands;
  const what =
    files !== undefined ? files.join(' and ') : commands.size === 1 && command !== undefined ? command : name;
  const parts = [...(project === null ? [] : [project]), what].map((part) => codeSpan(shorten(part, longest)));
  return `## deadheat: ${parts.join(', ')}`;
}

/** A command without the version that stands behind it as a comment of the shell. */
function withoutLabel(command: string): string {
  return command.replace(/ {2}# .*$/, '');
}

/** The commits of both sides, and where run and artifact are; empty where nothing of it is known. */
function originLine({ experiment }: Report, pipeline: Pipeline | null): string {
  const { commits } = experiment;
  const known = (['A', 'B'] as const).flatMap((side: Side) => {
    const commit = commits?.[side] ?? null;
    return commit === null ? [] : [`${side} ${commitText(commit, pipeline)}`];
  });
  const links = [...link('run', pipeline?.runUrl), ...link('report and recording', pipeline?.artifactsUrl)];
  const parts = [...known, ...links];
  return parts.length === 0 ? '' : `${parts.join(' · ')}\n`;
}

/** Digits of a hash that a reader needs. */
const shortHash = 7;

function commitText({ id, label }: CommitRef, pipeline: Pipeline | null): string {
  const isHash = /^[0-9a-f]{12,64}$/.test(id);
  const short = isHash ? id.slice(0, shortHash) : id;
  const url = isHash && pipeline?.projectUrl != null ? `${pipeline.projectUrl}${pipeline.commitPath}${id}` : null;
  const shown = codeSpan(shorten(short, longest));
  const name = label === '' || id.startsWith(label) ? '' : `${codeSpan(shorten(label, longest))} `;
  return `${name}${url === null || !isUrl(url) ? shown : `[${shown}](${url})`}`;
}

function link(text: string, url: string | null | undefined): readonly string[] {
  return url == null || !isUrl(url) ? [] : [`[${escapeMarkdown(text)}](${url})`];
}

/** An address that may stand between parentheses. */
function isUrl(url: string): boolean {
  return /^https?:\/\/[^\s()<>[\]`\\|]+$/.test(url) && printable(url) === url;
}

/**
 * The report as everybody may read it who sees the pull request: folders of the machine that ran it are left out of paths.
 *
 * @param folder of the checkout; paths in it are written as they are in the project.
 */
function withoutFolders(
  { report, troubles }: { readonly report: Report; readonly troubles: readonly string[] },
  folder: string | null,
): { readonly report: Report; readonly troubles: readonly string[] } {
  const { experiment } = report;
  const known = [folder, folderOf(experiment.recording), ...(experiment.files ?? []).map(folderOf)]
    .filter((one): one is string => one !== null && one.startsWith('/') && one.length > 1)
    .toSorted((one, other) => other.length - one.length);

  function inProject(text: string): string {
    return known.reduce((shown, one) => shown.replaceAll(`${one}/`, ''), text);
  }
  function anywhere(text: string): string {
    return inProject(text).replaceAll(absolutePath, '…/$1');
  }
  function side(summary: SideSummary): SideSummary {
    return { ...summary, name: inProject(summary.name), command: inProject(summary.command) };
  }
  function warning<One extends { readonly message: string }>(one: One): One {
    return { ...one, message: anywhere(one.message) };
  }

  const { files } = experiment;
  const comparisons = report.comparisons.map((comparison) => ({
    ...comparison,
    sides: { A: side(comparison.sides.A), B: side(comparison.sides.B) },
    warnings: comparison.warnings.map(warning),
  }));
  const recording = anywhere(experiment.recording);
  return {
    troubles: troubles.map(anywhere),
    report: {
      ...report,
      comparisons,
      warnings: report.warnings.map(warning),
      experiment: { ...experiment, recording, ...(files === undefined ? {} : { files: files.map(anywhere) }) },
    },
  };
}

function folderOf(path: string): string | null {
  const at = path.replace(/\/+$/, '').lastIndexOf('/');
  return at > 0 ? path.slice(0, at) : null;
}

/** An explanation as Markdown, for the comment of a pull request. */
export function renderFunctionsMarkdown(explanation: Explanation): string {
  const { text, table } = markdownDialect;
  const rows = listedFunctions(explanation).map((cost) => functionRow(cost, explanation).map(text));
  const sentences = summarySentences(explanation).join('\n');
  return `### Functions behind ${text(explanation.benchmark)}\n\n${table(rowHeads, rows)}\n${sentences}\n`;
}
