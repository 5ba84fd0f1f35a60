import type { Comparison, Report, Warning } from '@deadheat/model';
import { benchmarkFigures } from './benchmark-figures.ts';
import { benchmarkSection, warningList } from './html/benchmark-section.ts';
import { againSection, machineSection } from './html/machine-section.ts';
import { detailList } from './html/tables.ts';
import { html, Markup } from './markup.ts';
import { pageScript, pageScriptHash, pageStyle, pageStyleHash } from './html/page-files.ts';
import { cell, levelOf, verdictBadge, verdictTable } from './html/verdict-table.ts';
import { picture, type PictureOptions } from './plot/drawing.ts';
import { forestScale, type ForestScale } from './plot/forest-picture.ts';
import { countVerdicts, pointsFinder, worstFirst, type ReportInput } from './report-input.ts';
import { countOf } from './text/numbers.ts';
import { gateDetails, standingNote, standings } from './text/gate-details.ts';
import { printable } from './text/printable.ts';

/** Largest number of benchmarks with a section; the table has all of them. */
export const mostSections = 200;
/**
 * Number of sections that the browser lays out immediately; the details of the others are in `noscript`, from where the
 * page's script takes them.
 */
const mostAtOnce = 10;
/** Marks of all pictures together, so that a page of hundreds of benchmarks stays a few megabytes. */
const allMarks = 22_000;
/** Marks of one series: more could not be distinguished, fewer would hide what changes within a run. */
const marksOfSeries = { least: 150, most: 3000 } as const;

/** Largest number of marks of a series when the page has this many benchmarks. */
export function marksFor(benchmarks: number): number {
  return Math.max(marksOfSeries.least, Math.min(marksOfSeries.most, Math.floor(allMarks / Math.max(1, benchmarks))));
}

/** The content security policy of a page: it may apply its own style and run its own script, and nothing else. */
export const pagePolicy: string =
  `default-src 'none'; style-src '${pageStyleHash}'; script-src '${pageScriptHash}'; img-src data:; ` +
  "base-uri 'none'; form-action 'none'";

/**
 * A report as one HTML file that needs no network and runs without script: verdicts first, then every benchmark with what was
 * measured of it. A script in it adds sorting, filtering, values under the pointer and zoom.
 */
export function renderPage({ report, points }: ReportInput): string {
  const ordered = worstFirst(report.comparisons);
  const told = ordered.slice(0, mostSections);
  const anchors = new Map(told.map((comparison, index) => [comparison, `b${index + 1}`] as const));
  const scale = forestScale(report.comparisons);
  const pointsOf = pointsFinder(points);
  const standing = standings(report);
  const mostMarks = marksFor(told.length);
  const sections = told.map((comparison, index) => {
    const own = pointsOf(comparison);
    const figures = own === null ? [] : benchmarkFigures({ comparison, points: own, mostMarks });
    return benchmarkSection(comparison, {
      report,
      points: own,
      figures,
      note: standingNote(standing.get(comparison)),
      anchor: anchors.get(comparison) ?? '',
      isDeferred: index >= mostAtOnce,
    });
  });
  const table =
    ordered.length === 0
      ? emptyNote(report)
      : verdictTable(report, ordered, {
          scale,
          axis: forestAxis(scale),
          anchorOf: (comparison) => anchors.get(comparison) ?? null,
          standing,
        });
  const title = printable(report.experiment.name);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Markup(pagePolicy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="generator" content="deadheat ${report.tool.version}" />
        <link rel="icon" href="data:," />
        <title>${title}: ${summaryText(report.comparisons)}</title>
        ${new Markup(`<style>${pageStyle}</style>`)}
      </head>
      <body>
        <a class="skip" href="#verdicts">To the verdicts</a>
        <header>
          <p class="brand">deadheat</p>
          <h1>${title}</h1>
          <p class="when">
            <time datetime="${report.experiment.startedAt}"
              >${report.experiment.startedAt.replace('T', ' ').replace(/\.\d+Z$|Z$/, ' UTC')}</time
            >
            ${machineName(report)}
          </p>
          ${tally(report.comparisons)}
        </header>
        <main>
          <section id="verdicts" aria-labelledby="verdicts-h">
            <h2 id="verdicts-h">Verdicts</h2>
            ${ordered.length === 0 ? null : html`<p>B against A: the ratio of what B takes to what A takes, with its ${levelOf(report.comparisons)} interval. Above zero B is slower.</p>`}
            ${gateFacts(report)}
            <div id="controls" hidden></div>
            ${table}
            ${ordered.length > told.length ? html`<p class="note">The first ${countOf(told.length, 'benchmark')} of the table, the worst of them, are told in full below; the others stand in the table alone, and <code>report.json</code> has all of them.</p>` : null}
          </section>
          ${commonWarnings(report)}
          ${
            sections.length === 0
              ? null
              : html`<section id="benchmarks" aria-labelledby="benchmarks-h">
                  <h2 id="benchmarks-h">Benchmarks</h2>
                  ${sections}
                </section>`
          }
          ${machineSection(report)} ${againSection(report)}
        </main>
        <footer>
          <p>
            Made by deadheat ${report.tool.version}. This file needs no network; without script everything but sorting,
            filtering and zoom is here.
          </p>
        </footer>
        ${new Markup(`<script type="module">${pageScript}</script>`)}
      </body>
    </html> `;
  return page.text;
}

function machineName({ machine }: Report): string {
  if (machine === null) return '';
  return `on ${printable([machine.hostname, ...(machine.cpuModel === null ? [] : [machine.cpuModel])].join(', '))}`;
}

/** The outcome of the gate over all verdicts, where it differs from the single verdicts. */
function gateFacts({ gate }: Report): Markup | null {
  const details = gateDetails(gate);
  if (details.length === 0) return null;
  return detailList(details);
}

function emptyNote({ experiment }: Report): Markup {
  return html`<p class="note">
    No benchmark has enough runs for a verdict
    yet.${experiment.files === undefined ? html` Make the runs that are missing: <code>deadheat --resume ${printable(experiment.recording)}</code>` : null}
  </p>`;
}

/** Number of comparisons for each verdict. */
function tally(comparisons: readonly Comparison[]): Markup | null {
  const counts = countVerdicts(comparisons);
  if (counts.length === 0) return null;
  return html`<ul class="tally" aria-label="Verdicts">
    ${counts.map(([verdict, count]) => html`<li>${verdictBadge({ verdict })} <b>${count}</b></li>`)}
  </ul>`;
}

function summaryText(comparisons: readonly Comparison[]): string {
  const counts = countVerdicts(comparisons);
  if (counts.length === 0) return 'no verdict';
  return counts.map(([verdict, count]) => `${count} ${verdict === 'dead-heat' ? 'dead heat' : verdict}`).join(', ');
}

/** Warnings of the experiment that no comparison has. */
function commonWarnings({ warnings, comparisons }: Report): Markup | null {
  const told = new Set(comparisons.flatMap((comparison) => comparison.warnings.map(keyOf)));
  const common = warnings.filter((warning) => !told.has(keyOf(warning)));
  if (common.length === 0) return null;
  return html`<section id="warnings" aria-labelledby="warnings-h">
    <h2 id="warnings-h">Warnings</h2>
    ${warningList(common)}
  </section>`;
}

function keyOf({ code, message }: Warning): string {
  return `${code} ${message}`;
}

/** The axis above the intervals of the table. */
function forestAxis({ low, high }: ForestScale): Markup {
  const options: PictureOptions = {
    width: cell.width,
    height: 26,
    marginLeft: cell.pad,
    marginRight: cell.pad,
    marginTop: 22,
    marginBottom: 0,
    x: {
      domain: [low * 100, high * 100],
      side: 'above',
      ticks: 5,
      tickSize: 4,
      tickFormat: (value) => (value === 0 ? '0 %' : `${value > 0 ? '+' : ''}${value}`),
    },
    y: { domain: [0, 1] },
    marks: [],
  };
  return new Markup(picture(options, { label: 'Axis of the intervals, difference in percent' }));
}
