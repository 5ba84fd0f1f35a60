import {
  workloadFacts,
  quoteWord,
  sides,
  type Comparison,
  type BenchmarkPoints,
  type Report,
  type Side,
  type Warning,
} from '@deadheat/model';
import { geometricMean, quantiles } from '@deadheat/stats';
import type { Figure } from '../plot/drawing.ts';
import { nameOf, printable, shorten } from '../text/printable.ts';
import { html, Markup } from '../markup.ts';
import {
  formatChosenShare,
  formatMargin,
  countOf,
  formatDifference,
  chooseTimeUnit,
  formatTime,
  groupDigits,
} from '../text/numbers.ts';
import { isSelfComparison, verdictSentence } from '../text/verdict-sentence.ts';
import { joined } from '../plot/times-picture.ts';
import { aloneText, essentialDetails, furtherDetails } from '../text/comparison-details.ts';
import { detailList, hostTable, mostRuns, numberColumns, plainTable, scrolled, stabilityTable } from './tables.ts';
import { noteMarkup, verdictBadge } from './verdict-table.ts';

const mostName = 60;

/** A figure with its caption; wide ones scroll on a narrow page, where their text would be too small. */
function figureMarkup(
  { name, title, pictures, caption, hasSides, wide }: Figure,
  { sides: summaries }: Pick<Comparison, 'sides'>,
): Markup {
  const drawn = new Markup(pictures.join('\n'));
  return html`<figure class="${wide ? 'broad' : 'half'} ${name}">
    <figcaption>
      <h4>${title}</h4>
      <p>${caption}</p>
      ${
        hasSides
          ? html`<p class="legend">
              ${sides.map(
                (side) =>
                  html`<span
                    ><span class="side ${side}"><span aria-hidden="true">●</span> ${side}</span>
                    ${shorten(printable(summaries[side].name), mostName)}</span
                  >`,
              )}
            </p>`
          : null
      }
    </figcaption>
    ${pictures.length === 0 ? null : wide ? scrolled(title, drawn) : drawn}
  </figure>`;
}

/**
 * The command that measures one benchmark again with the same seed, as far as the report holds its settings: hooks,
 * time limits and similar settings are only in `experiment.json`. `null` where programs were not called from the
 * command line, and for several machines.
 */
function reproduceCommand(
  comparison: Comparison,
  { report, points }: { readonly report: Pick<Report, 'experiment'>; readonly points: BenchmarkPoints | null },
): string | null {
  const { method, interval, margin, runs, iterationsPerRun, sides, hosts } = comparison;
  const { timesItself, protocol, printed } = workloadFacts[points?.workload ?? 'command'];
  if (printed || report.experiment.files !== undefined || hosts !== undefined) return null;
  const perRun = Math.round(iterationsPerRun);
  return [
    'deadheat',
    ...(protocol ? ['--harness'] : []),
    `--method ${method} --seed ${quoteWord(report.experiment.seed)} --runs ${runs}`,
    ...(perRun > 1 && !timesItself ? ['--iterations', String(perRun)] : []),
    `--confidence ${formatChosenShare(interval.level).replace(' ', '')}`,
    ...(margin > 0 ? ['--margin', formatMargin(comparison)] : []),
    quoteWord(sides.A.command),
    ...(isSelfComparison(comparison) ? [] : [quoteWord(sides.B.command)]),
  ].join(' ');
}

const shownQuantiles = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1];

interface SectionOptions {
  readonly report: Report;
  readonly points: BenchmarkPoints | null;
  readonly figures: readonly Figure[];
  /** Note of the gate that is shown behind the verdict. */
  readonly note: string | null;
  /** Id of the section, the target of links. */
  readonly anchor: string;
  /** The details stay unparsed text until the page's script needs them. */
  readonly isDeferred: boolean;
}

/** The section of one benchmark with its figures, tables and details. */
export function benchmarkSection(
  comparison: Comparison,
  { report, points, figures, note, anchor, isDeferred }: SectionOptions,
): Markup {
  const details = detailsOf(comparison, { report, points, figures });
  return html`<section class="benchmark" id="${anchor}" aria-labelledby="${anchor}-h">
    <h3 id="${anchor}-h">${nameOf(comparison)} ${verdictBadge(comparison)}${noteMarkup(note)}</h3>
    <p class="sentence">${verdictSentence(comparison)}</p>
    ${warningList(comparison.warnings)} ${isDeferred ? html`<noscript>${details}</noscript>` : details}
  </section>`;
}

type Shown = Pick<SectionOptions, 'report' | 'points' | 'figures'>;

function detailsOf(comparison: Comparison, { report, points, figures }: Shown): Markup {
  const some =
    points === null || points.each === 1
      ? null
      : html`<p>Figures and tables of runs are made from one run in ${points.each}.</p> `;
  return html`${some}
    <div class="figures">${figures.map((figure) => figureMarkup(figure, comparison))}</div>
    ${detailList([
      ...essentialDetails(comparison),
      ...furtherDetails(comparison, { isOfFiles: report.experiment.files !== undefined }),
    ])}
    ${sideTable(comparison)} ${quantileTable(points)} ${hostTable(comparison)} ${stabilityTable(comparison)}
    ${runTable(points)} ${failedRuns(points)} ${reproduction(comparison, { report, points })}
    <p class="up"><a href="#verdicts">All verdicts</a></p>`;
}

/** Warnings, each with what to do. */
export function warningList(warnings: readonly Warning[]): Markup | null {
  if (warnings.length === 0) return null;
  return html`<ul class="warnings">
    ${warnings.map(({ code, message }) => html`<li><b>${code}</b> ${printable(message)}</li>`)}
  </ul>`;
}

function sideTable({ sides: summaries }: Comparison): Markup {
  const unit = chooseTimeUnit(Math.max(summaries.A.mean, summaries.B.mean));

  function time(seconds: number | null): string {
    return seconds === null ? '–' : formatTime(seconds, unit);
  }

  const alone = aloneText(summaries);
  const caption = `${summaries.A.metric === 'cpu' ? 'CPU times' : 'Wall times'} of both sides${alone === null ? '' : `; ${alone}`}`;
  const table = plainTable({
    caption,
    columns: ['Side', 'Command', ...numberColumns(['Mean', 'Median', 'Std. dev.', 'Min', 'Max', 'User', 'System'])],
    rows: sides.map((side) => {
      const { command, name, mean, median, stddev, min, max, user, system } = summaries[side];
      const called = name === command ? null : html`<small>${printable(name)}</small> `;
      return [
        sideMark(side),
        html`${called}<code>${visible(command)}</code>`,
        ...[mean, median, stddev, min, max, user, system].map(time),
      ];
    }),
  });
  return scrolled('Times of both sides', table);
}

function sideMark(side: Side): Markup {
  return html`<span class="side ${side}">${side}</span>`;
}

const metricOfPoints = {
  cpu: 'CPU time',
  time: 'Wall time',
  undelayed: 'Wall time without waiting for a CPU',
} as const;

/** Quantiles of the drawn times, for readers who do not see the distributions. */
function quantileTable(points: BenchmarkPoints | null): Markup | null {
  if (points === null || points.runs.length === 0) return null;
  const rows = sides.flatMap((side) => {
    const ns = joined(points.runs.map((run) => run.sides[side].timesNs));
    return ns.length === 0 ? [] : [{ side, ends: quantiles(ns, shownQuantiles), count: ns.length }];
  });
  const unit = chooseTimeUnit(Math.max(...rows.map(({ ends }) => ends[3] ?? 0)) / 1e9);
  const table = plainTable({
    caption: `${metricOfPoints[points.metric]} of iterations`,
    columns: ['Side', ...numberColumns(['Min', '5 %', '25 %', 'Median', '75 %', '95 %', 'Max', 'Iterations'])],
    rows: rows.map(({ side, ends, count }) => [
      sideMark(side),
      ...ends.map((ns) => formatTime(ns / 1e9, unit)),
      groupDigits(`${count}`),
    ]),
  });
  return html`<details>
    <summary>Quantiles of the times</summary>
    ${scrolled('Quantiles of the times', table)}
  </details>`;
}

/** The runs as numbers: what the pictures of times, ratios and noise show. */
function runTable(points: BenchmarkPoints | null): Markup | null {
  if (points === null || points.runs.length === 0) return null;
  const shown = points.runs.slice(0, mostRuns);
  const first = shown[0];
  const typical =
    first === undefined || first.sides.A.timesNs.length === 0 ? 1e9 : geometricMean(first.sides.A.timesNs);
  const unit = chooseTimeUnit(typical / 1e9);

  function mean(ns: Float64Array): number | null {
    return ns.length === 0 ? null : geometricMean(ns);
  }

  const table = plainTable({
    className: 'plain numbers',
    caption: `Geometric means of the runs${shown.length < points.runs.length ? `; the first ${mostRuns}, the recording has all` : ''}`,
    columns: ['Run', 'A', 'B', 'B / A', 'Iterations', 'First', 'Cores A, B', 'Stolen', 'Pushed off'],
    rows: shown.map(({ run, order, noise, wallNs, sides: { A, B } }) => {
      const [a, b] = [mean(A.timesNs), mean(B.timesNs)];
      return [
        run + 1,
        a === null ? '–' : formatTime(a / 1e9, unit),
        b === null ? '–' : formatTime(b / 1e9, unit),
        a === null || b === null ? '–' : formatDifference(b / a, 2),
        A.timesNs.length === B.timesNs.length ? `${A.timesNs.length}` : `${A.timesNs.length}, ${B.timesNs.length}`,
        order[0] ?? '',
        `${A.cpu}, ${B.cpu}`,
        noise.stealNs === null || wallNs === 0 ? '–' : `${((100 * noise.stealNs) / wallNs).toFixed(1)} %`,
        A.involuntarySwitches === null ? '–' : `${A.involuntarySwitches + (B.involuntarySwitches ?? 0)}`,
      ];
    }),
  });
  return html`<details>
    <summary>${countOf(points.runs.length, 'run')}</summary>
    ${scrolled('Runs', table)}
  </details>`;
}

function failedRuns(points: BenchmarkPoints | null): Markup | null {
  if (points === null || points.failed.length === 0) return null;
  return html`<details>
    <summary>${countOf(points.failed.length, 'failed run')}</summary>
    <ul>
      ${points.failed.slice(0, mostRuns).map(({ run, reasons }) => html`<li>run ${run + 1}: ${printable(reasons.join('; '))}</li>`)}
    </ul>
  </details>`;
}

function reproduction(comparison: Comparison, given: Pick<SectionOptions, 'report' | 'points'>): Markup | null {
  const command = reproduceCommand(comparison, given);
  if (command === null) return null;
  return html`<p class="again">Measure it again with the same order, cores and resampling:</p>
    <pre tabindex="0"><code>${visible(command)}</code></pre>`;
}

/** A text of several lines with its control characters made visible. */
function visible(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : printable(line)))
    .join('\n');
}
