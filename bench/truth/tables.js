// What was simulated, as Markdown. A bold cell is beyond what it may be by more than chance explains.
import { wilsonInterval } from '@deadheat/stats';
import { tableText } from '../lib/tools.js';
import { rules } from './families.js';
import { goals } from './plans.js';
import { shapes } from './shapes.js';

const percent = (share) => `${Number((100 * share).toFixed(1))} %`;

/** A share in percent, bold where `isBeyond`. */
function share(count, of, isBeyond = false) {
  const text = ((100 * count) / of).toFixed(1);
  return isBeyond ? `**${text}**` : text;
}

/** Three standard errors of a count of which `nominal` is the share. */
const chance = (nominal, draws) => 3 * Math.sqrt(draws * nominal * (1 - nominal));

/** The largest count that a share of `nominal` explains. */
const most = (nominal, draws) => draws * nominal + chance(nominal, draws);

/** A slowdown that is said to be found in 80 % is found in 75 to 90 %. */
const isOff = (count, draws) => count > most(0.9, draws) || count < draws * 0.75 - chance(0.75, draws);

function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

/** A table of one cell for every pair of a row and a column, and what is bold in it. */
function pivot(items, { corner, row, column, cell }) {
  const columns = [...new Set(items.map(column))];
  const rows = grouped(items, row);
  const bold = [];
  const table = tableText(
    [corner, ...columns],
    [...rows].map(([name, own]) => [
      name,
      ...columns.map((title) => {
        const one = own.find((item) => column(item) === title);
        const text = one === undefined ? '' : cell(one);
        if (text.includes('**')) bold.push(`${name}, ${title}: ${text}`);
        return text;
      }),
    ]),
  );
  return { table, bold };
}

/**
 * Tables below each other, and a list of what is bold in them.
 *
 * @param {readonly { title?: string | null, table: string, bold: readonly string[] }[]} tables
 */
function page(tables) {
  const bold = tables.flatMap(({ title = null, bold: own }) =>
    own.map((text) => (title === null ? text : `${title}, ${text}`)),
  );
  return [
    ...tables.map(({ title = null, table }) => (title === null ? table : `### ${title}\n\n${table}`)),
    bold.length === 0
      ? 'Nothing is beyond its level.'
      : `Beyond its level:\n\n${bold.map((text) => `- ${text}`).join('\n')}`,
  ].join('\n\n');
}

/** What the documentation says of every shape. */
export const shapesText = () =>
  tableText(
    ['shape', 'what is drawn'],
    Object.entries(shapes).map(([name, { told }]) => [name, told]),
  );

/** How a cell stands: `held`; `warned`, `refused` where what goes beyond was warned of or not judged; `missed`. */
function standingOf({ draws, missed, missedUnwarned, refused, confidence }) {
  const limit = most(1 - confidence, draws);
  if (refused > draws / 2) return 'refused';
  if (missed <= limit) return 'held';
  return missedUnwarned <= limit ? 'warned' : 'missed';
}

function cellText(counts) {
  const { draws, missed, refused, warnings } = counts;
  const standing = standingOf(counts);
  if (standing === 'refused') return `refused ${percent(refused / draws)}`;
  const text = share(missed, draws - refused, standing === 'missed');
  if (standing === 'held') return text;
  const codes = Object.entries(warnings).filter(([code, count]) => code !== 'RUN_FAR_OFF' && count > draws / 20);
  return [text, codes.map(([code, count]) => `${code} ${percent(count / draws)}`).join(', ')].join(' ').trim();
}

/** Counts of several cells as of one. */
function added(one, other) {
  if (typeof one === 'number') return one + (other ?? 0);
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, added(one[name] ?? 0, other[name])]));
}

const mixtures = 'the mixtures';

/** One table for every way of measuring: shapes below each other, numbers of runs beside each other. */
export function coverageText(results) {
  const single = results.flatMap(({ cell, result }) =>
    result.map(({ confidence, ...counts }) => ({ ...cell, confidence, counts })),
  );
  const groups = grouped(single, ({ way, shape, runs, confidence }) =>
    JSON.stringify([way, shapes[shape].isMixture === true ? mixtures : shape, runs, confidence]),
  );
  const all = [...groups]
    .map(([key, own]) => {
      const [way, shape, runs, confidence] = JSON.parse(key);
      return { way, shape, runs, confidence, ...own.map(({ counts }) => counts).reduce(added) };
    })
    .toSorted((x, y) => y.confidence - x.confidence || x.runs - y.runs);
  const column = ({ confidence, runs }) => `${percent(confidence)}, ${runs} runs`;
  const ofWay = (corner, own, cell) => pivot(own, { corner, row: ({ way }) => way, column, cell });
  const tables = [...grouped(all, ({ way }) => way)].map(([title, own]) => ({
    title,
    ...pivot(own, { corner: 'shape', row: ({ shape }) => shape, column, cell: cellText }),
  }));
  const against = all.filter(({ shape }) => shape === mixtures);
  if (against.length > 0) {
    const cell = ({ againstTotal: count, draws }) => share(count, draws, count > most(0.01, draws));
    tables.push({ title: 'Called faster against the total time', ...ofWay('way, the mixtures', against, cell) });
  }
  const slow = all.filter(({ shape }) => shape === 'slow-now-and-then');
  if (slow.length > 0) {
    const cell = ({ hidden, draws }) => share(hidden, draws);
    tables.push({ title: 'Neither called slower nor warned of', ...ofWay('way, slow-now-and-then', slow, cell) });
  }
  const count = (standing) => all.filter((one) => standingOf(one) === standing).length;
  const contradictions = all.reduce((sum, one) => sum + one.contradictions, 0);
  return [
    page(tables),
    `Of ${all.length} cells ${count('held')} hold, ${count('warned')} warn, ${count('refused')} refuse and ${count('missed')} miss. ` +
      `Verdict and p value contradict each other in ${contradictions} comparisons.`,
  ].join('\n\n');
}

const byRuns = {
  corner: 'way, shape',
  row: ({ cell: { way, shape } }) => `${way}, ${shape}`,
  column: ({ cell: { confidence, runs } }) => `${percent(confidence)}, ${runs} runs`,
};

const powerCell = ({ result: { draws, slower, logWidths } }) =>
  `${share(slower.own, draws)}; ${share(slower.t, draws)}; ${(logWidths.own / logWidths.t).toFixed(2)}`;

export const powerText = (results) => pivot(results, { ...byRuns, cell: powerCell }).table;

/** The slowdown that was said, as a geometric mean, and how often it was found. */
const sight = ({ draws, slower, logSlowdown }) =>
  `${percent(Math.exp(logSlowdown / draws))}: ${share(slower, draws, isOff(slower, draws))}`;

export const sensitivityText = (results) => page([pivot(results, { ...byRuns, cell: ({ result }) => sight(result) })]);

export function doctorText(results) {
  const items = results.flatMap(({ cell, result: { draws, ways } }) =>
    Object.entries(ways).map(([way, found]) => ({ ...cell, way, found: { draws, ...found } })),
  );
  const row = ({ shape, runs }) => `${shape}, ${runs} runs`;
  return page([pivot(items, { corner: 'shape', row, column: ({ way }) => way, cell: ({ found }) => sight(found) })]);
}

function planCell({ cell: { goal }, result: { planned, slower, missed, runs, iterations } }) {
  const reached = goals[goal].kind === 'detect' ? slower : planned - missed;
  const size = `${(runs / planned).toFixed(0)} x ${(iterations / planned).toFixed(0)}`;
  return `${share(reached, planned, isOff(reached, planned))} (${size})`;
}

export function plansText(results) {
  const row = ({ cell: { way, model, shortRuns } }) => `${way}, ${model}, ${shortRuns}`;
  const corner = 'way, program, short runs';
  return page([pivot(results, { corner, row, column: ({ cell }) => cell.goal, cell: planCell })]);
}

const levelOf = (rule) => 1 - (rules[rule].confidence ?? 0.99);

export function familiesText(results) {
  const cell = ({ cell: { rule, slow }, result: { draws, falselyFailed, counted, slow: all, runs, benchmarks } }) => {
    const wrongly = share(falselyFailed, draws, falselyFailed > most(levelOf(rule) / 2, draws));
    return [
      ...(slow === 'all' ? [] : [`wrongly ${wrongly}`]),
      ...(slow === 'none' ? [] : [`found ${share(counted, all)}`]),
      `${(runs / benchmarks).toFixed(0)} runs`,
    ].join('; ');
  };
  const row = ({ cell: { rule, size }, result: { draws } }) => `${rule}, ${size} (${draws} families)`;
  return page([
    pivot(results, { corner: 'rule, benchmarks', row, column: ({ cell: { slow } }) => `slower: ${slow}`, cell }),
  ]);
}

function firedCell({ cell: { rule, slow }, result: { draws, fired, warned, runs, benchmarks } }) {
  const isBeyond = slow === 'none' && fired > most(levelOf(rule), draws);
  const code = isBeyond && warned > 0 ? ` RUNS_CORRELATED in ${warned} of ${fired}` : '';
  return `${share(fired, draws, isBeyond)}${code}; ${(runs / benchmarks).toFixed(0)} runs`;
}

export function controlsText(results) {
  const row = ({ cell: { rule, size }, result: { draws } }) => `${rule}, ${size} (${draws} experiments)`;
  const column = ({ cell: { slow } }) => `control fired, %; that differ: ${slow}`;
  return page([pivot(results, { corner: 'rule, controls', row, column, cell: firedCell })]);
}

export function stopsText(results) {
  const row = ({ cell: { shape } }) => shape;
  return page([
    pivot(results, { corner: 'false verdicts, %', row, column: ({ cell: { way } }) => way, cell: firedCell }),
  ]);
}

/** What so many draws can tell of a level. */
export function tellable(draws) {
  const none = wilsonInterval(0, draws).high;
  const limit = (nominal) => percent(Math.floor(most(nominal, draws) + 1) / draws);
  return `Of ${draws} draws, errors of 1 % nominal are called beyond their level from ${limit(0.01)} on, those of 5 % from ${limit(0.05)}; none seen leaves up to ${percent(none)}.`;
}
