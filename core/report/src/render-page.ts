import { type Comparison, type Host, type Machine, quoteWord, type Report } from '@deadheat/model';
import { benchmarkFigures } from './benchmark-figures.ts';
import { benchmarkSection, warningList } from './html/benchmark-section.ts';
import { functionsSection } from './html/functions-section.ts';
import { pageScript, pageScriptHash, pageStyle, pageStyleHash, plotStyle } from './html/page-files.ts';
import { detailList, facts } from './html/tables.ts';
import { cell, verdictBadge, verdictTable } from './html/verdict-table.ts';
import { html, Markup } from './markup.ts';
import { picture, type PictureOptions } from './plot/drawing.ts';
import { forestPicture, forestScale, type ForestScale } from './plot/forest-picture.ts';
import { countVerdicts, pointsFinder, type ReportInput, worstFirst } from './report-input.ts';
import { commonSides } from './text/overview.ts';
import { countedOf, gateDetails, type Standing, standingNote, standings } from './text/details.ts';
import { countOf } from './text/numbers.ts';
import { commonWarnings } from './text/overview.ts';
import { printable } from './text/printable.ts';

/** Largest number of benchmarks with a section; the table has all of them. */
const mostSections = 200;
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
function marksFor(benchmarks: number): number {
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
export function renderPage({ report, points, isGated = false, explanation = null }: ReportInput): string {
  const ordered = worstFirst(report.comparisons);
  const shown = ordered.slice(0, mostSections);
  const anchors = new Map(shown.map((comparison, index) => [comparison, `b${index + 1}`] as const));
  const scale = forestScale(report.comparisons);
  const pointsOf = pointsFinder(points);
  const standing = standings(report);
  const mostMarks = marksFor(shown.length);
  const sections = shown.map((comparison, index) => {
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
  const together = gateDetails(report.gate, { isGated });
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Markup(pagePolicy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="generator" content="deadheat ${report.tool.version}" />
        <link rel="icon" href="data:," />
        <title>${title}: ${summaryText(report.comparisons, standing)}</title>
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
          ${detailList([...together.slice(0, 1), ...commonSides(report.comparisons)])}
          ${tally(report.comparisons, standing)}
        </header>
        <main>
          <section id="verdicts" aria-labelledby="verdicts-h">
            <h2 id="verdicts-h" class="sr">Verdicts</h2>
            <div id="controls" hidden></div>
            ${table} ${together.length < 2 ? null : detailList(together.slice(1))}
            ${ordered.length > shown.length ? html`<p class="note">The first ${countOf(shown.length, 'benchmark')} of the table, the worst of them, are shown in full below; the others stand in the table alone, and <code>report.json</code> has all of them.</p>` : null}
          </section>
          ${warningSection(report)} ${explanation === null ? null : functionsSection(explanation)}
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

function emptyNote({ experiment }: Report): Markup {
  return html`<p class="note">
    No benchmark has enough runs for a verdict
    yet.${experiment.files === undefined ? html` Make the runs that are missing: <code>deadheat --resume ${printable(experiment.recording)}</code>` : null}
  </p>`;
}

/** Number of comparisons for each verdict. */
function tally(comparisons: readonly Comparison[], standing: ReadonlyMap<Comparison, Standing>): Markup | null {
  const { counted, left } = countedOf(comparisons, standing);
  const counts = countVerdicts(counted);
  if (comparisons.length === 0) return null;
  return html`<ul class="tally" aria-label="Verdicts">
    ${counts.map(([verdict, count]) => html`<li>${verdictBadge({ verdict })} <b>${count}</b></li>`)}
    ${left === 0 ? null : html`<li>not counted <b>${left}</b></li>`}
  </ul>`;
}

function summaryText(comparisons: readonly Comparison[], standing: ReadonlyMap<Comparison, Standing>): string {
  if (comparisons.length === 0) return 'no verdict';
  const { counted, left } = countedOf(comparisons, standing);
  const counts = countVerdicts(counted).map(
    ([verdict, count]) => `${count} ${verdict === 'dead-heat' ? 'dead heat' : verdict}`,
  );
  return [...counts, ...(left === 0 ? [] : [`${left} not counted`])].join(', ');
}

/** Warnings that are about no single comparison. */
function warningSection(report: Report): Markup | null {
  const common = commonWarnings(report);
  if (common.length === 0) return null;
  return html`<section id="warnings" aria-labelledby="warnings-h">
    <h2 id="warnings-h">Warnings</h2>
    ${warningList(common)}
  </section>`;
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

const gibibyte = 2 ** 30;

function hostText({ id, machine, labels, confirms }: Host): string {
  const said = Object.entries(labels).map(([name, value]) => `${printable(name)} = ${printable(value)}`);
  const facts = [...(machine.cpuModel === null ? [] : [printable(machine.cpuModel)]), ...said];
  const role = confirms === true ? ', which confirms' : '';
  return `${printable(id)}${role}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

/** Facts of the machine that a reader needs to judge a result; `null` where it is not known. */
function machineSection({ machine, hosts }: Pick<Report, 'machine' | 'hosts'>): Markup | null {
  if (machine === null) return null;
  return html`<section id="machine" aria-labelledby="machine-h">
    <h2 id="machine-h">Machine</h2>
    ${facts(machineFacts({ machine, hosts }))}
  </section>`;
}

/** The commands that analyse the same recording again and that measure again. */
function againSection({ experiment, tool, hosts }: Report): Markup {
  const { recording, files, seed, complete, id } = experiment;
  const folder = quoteWord(printable(recording));
  const resume = hosts === undefined ? html`; <code>deadheat --resume ${folder}</code> makes them` : null;
  const seeded = ['seed', html`<code>${printable(seed)}</code> makes the same order, cores and resampling`] as const;
  const list =
    files === undefined
      ? ([
          ['recording', html`<code>${printable(recording)}</code>`],
          seeded,
          ['judge again', html`<code>deadheat analyse ${folder}</code>`],
          ...(complete ? [] : [['incomplete', html`planned runs are missing${resume}`] as const]),
          ['settings', html`every setting stands in <code>experiment.json</code> of the recording`],
        ] as const)
      : ([['files', files.map((file) => printable(file)).join(', ')], seeded] as const);
  const by = `${printable(tool.name)} ${printable(tool.version)}, experiment ${printable(id)}`;
  return html`<section id="again" aria-labelledby="again-h">
    <h2 id="again-h">How to reproduce this</h2>
    ${facts([...list, ['measured by', by]])}
  </section>`;
}

function machineFacts({
  machine,
  hosts,
}: { readonly machine: Machine } & Pick<Report, 'hosts'>): readonly (readonly [string, string])[] {
  function known(text: string | number | boolean | null): string {
    return text === null ? 'unknown' : typeof text === 'boolean' ? (text ? 'on' : 'off') : printable(String(text));
  }

  const siblings = Object.entries(machine.smtSiblings).filter(([, group]) => group.length > 1);
  return [
    ...(hosts === undefined ? [] : [['hosts', hosts.map((host) => hostText(host)).join('; ')] as const]),
    [
      hosts === undefined ? 'host' : 'the first',
      `${known(machine.hostname)}, ${known(machine.platform)} ${known(machine.kernel)}`,
    ],
    ['processor', known(machine.cpuModel)],
    ['CPUs', `${machine.onlineCpus} online; usable: ${machine.usableCpus.join(', ')}`],
    [
      'SMT',
      `${known(machine.smtActive)}${siblings.length === 0 ? '' : `; CPUs that share a core: ${siblings.map(([, group]) => group.join('+')).join(', ')}`}`,
    ],
    ['governor', known(machine.governor)],
    ['turbo', known(machine.turbo)],
    ['ASLR', known(machine.aslr)],
    ['clock', known(machine.clockSource)],
    ['virtualization', machine.virtualization === null ? 'none seen' : known(machine.virtualization)],
    [
      'memory',
      `${(machine.memoryTotalBytes / gibibyte).toFixed(1)} GiB${machine.memoryAvailableBytes === null ? '' : `, ${(machine.memoryAvailableBytes / gibibyte).toFixed(1)} GiB free at the start`}`,
    ],
    ['CPU quota', machine.cpuQuota === null ? 'none' : `${machine.cpuQuota} CPUs`],
    ['control groups', known(machine.cgroupVersion)],
    ['load at the start', machine.load1.toFixed(2)],
    ['Node', known(machine.node)],
  ];
}

/** A picture in a file of its own. */
interface NamedPlot {
  /** Name of its file, such as `01-times.svg`; benchmarks are counted in the order of the report. */
  readonly name: string;
  readonly svg: string;
}

/** The pictures of a report as SVG files with colours of their own: the forest plot, then those of every benchmark. */
export function renderPlots({ report, points }: ReportInput): readonly NamedPlot[] {
  const drawn = worstFirst(report.comparisons).slice(0, mostSections);
  const pointsOf = pointsFinder(points);
  const digits = Math.max(2, String(drawn.length).length);
  const mostMarks = marksFor(drawn.length);
  return [
    {
      name: 'forest.svg',
      svg: standing(forestPicture(worstFirst(report.comparisons), forestScale(report.comparisons))),
    },
    ...drawn.flatMap((comparison, index) => {
      const own = pointsOf(comparison);
      if (own === null) return [];
      const number = String(index + 1).padStart(digits, '0');
      return benchmarkFigures({ comparison, points: own, mostMarks }).flatMap(({ name, pictures }) =>
        pictures.map((svg, part) => ({
          name: `${number}-${name}${pictures.length === 1 ? '' : `-${part + 1}`}.svg`,
          svg: standing(svg),
        })),
      );
    }),
  ];
}

/** A picture of the page as a file, with its namespace and its style. */
export function standing(picture: string): string {
  const style = `<style>${plotStyle}svg{background:var(--bg);font:11px system-ui,sans-serif}</style>`;
  return `${picture.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ').replace('>', () => `>${style}`)}\n`;
}
