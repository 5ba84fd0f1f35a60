// What was simulated, as Markdown.
import { wilsonInterval } from '@deadheat/stats';
import { printTable } from '../lib/tools.js';
import { shapes } from './shapes.js';

/** A share in percent with what so many draws can tell of it, Wilson's interval of 95 %. */
function told(count, of) {
  if (of === 0) return '';
  const { low, high } = wilsonInterval(count, of);
  return `${((100 * count) / of).toFixed(1)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`;
}

/** The largest count that a share of `nominal` explains: three standard errors above it. */
const most = (nominal, draws) => draws * nominal + 3 * Math.sqrt(draws * nominal * (1 - nominal));

const percent = (share) => `${Number((100 * share).toFixed(1))} %`;

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
  const text = told(missed, draws - refused);
  if (standing === 'missed') return `**${text}**`;
  if (standing === 'held') return text;
  const codes = Object.entries(warnings).filter(([code, count]) => code !== 'RUN_FAR_OFF' && count > draws / 20);
  return `${text} ${codes.map(([code, count]) => `${code} ${percent(count / draws)}`).join(', ')}`;
}

const unique = (values) => [...new Set(values)];

/** What the documentation says of every shape that was simulated. */
function printShapes(names) {
  printTable(
    ['shape', 'what is drawn'],
    names.map((name) => [name, shapes[name].told]),
  );
}

/** One table for every way of measuring and confidence: shapes below each other, numbers of runs beside each other. */
export function printCoverage(results) {
  const all = results.flatMap(({ cell, result }) => result.map((counts) => ({ ...cell, ...counts })));
  printShapes(unique(all.map(({ shape }) => shape)));
  const counted = { held: 0, warned: 0, refused: 0, missed: 0 };
  for (const way of unique(all.map((one) => one.way))) {
    for (const confidence of unique(all.map((one) => one.confidence)).toSorted((x, y) => y - x)) {
      const own = all.filter((one) => one.way === way && one.confidence === confidence);
      const runs = unique(own.map((one) => one.runs)).toSorted((x, y) => x - y);
      console.log(`\n${way}, ${percent(confidence)}: at most ${percent(1 - confidence)} nominal\n`);
      const rows = unique(own.map((one) => one.shape)).map((shape) => [
        shape,
        ...runs.map((count) => {
          const one = own.find((other) => other.shape === shape && other.runs === count);
          if (one === undefined) return '';
          counted[standingOf(one)]++;
          return cellText(one);
        }),
      ]);
      printTable(['shape', ...runs.map((count) => `${count} runs`)], rows);
    }
  }
  printHidden(all.filter(({ shape }) => shapes[shape].differs === true && shapes[shape].isMixture !== true));
  printAgainstTotal(all.filter(({ shape }) => shapes[shape].isMixture === true));
  const { held, warned, refused, missed } = counted;
  console.log(
    `\n${held + warned + refused + missed} cells: ${held} held, ${warned} warned, ${refused} refused, ${missed} missed.`,
  );
  const total = all.reduce((sum, one) => sum + one.draws, 0);
  const contradictions = all.reduce((sum, one) => sum + one.contradictions, 0);
  console.log(`Verdict and p value contradict each other in ${contradictions} of ${total} comparisons.`);
}

/** Programs that are slow now and then and neither called slower nor warned of. */
function printHidden(all) {
  printShares(all, 'Neither called slower nor warned of, %', ({ hidden }) => hidden);
}

/** Programs that are faster in most runs and slower in sum, and called faster though two slow runs were seen. */
function printAgainstTotal(all) {
  printShares(
    all,
    'Called faster against the total time, with two slow runs seen, %',
    ({ againstTotal }) => againstTotal,
  );
}

/** Shares of the draws, by numbers of runs beside each other. */
function printShares(all, title, countOf) {
  if (all.length === 0) return;
  console.log(`\n${title}\n`);
  const runs = unique(all.map((one) => one.runs)).toSorted((x, y) => x - y);
  const rows = unique(all.map(({ way, shape, confidence }) => `${way}, ${shape}, ${percent(confidence)}`)).map(
    (name) => [
      name,
      ...runs.map((count) => {
        const one = all.find(
          (other) => `${other.way}, ${other.shape}, ${percent(other.confidence)}` === name && other.runs === count,
        );
        return one === undefined ? '' : told(countOf(one), one.draws);
      }),
    ],
  );
  printTable(['', ...runs.map((count) => `${count} runs`)], rows);
}

export function printPower(results) {
  printTable(
    ['way', 'shape', 'runs', 'confidence', 'slower by the default, %', 'by t, %', 'power / t', 'width / t'],
    results.map(({ cell, result: { draws, slower, logWidths } }) => [
      cell.way,
      cell.shape,
      cell.runs,
      percent(cell.confidence),
      told(slower.own, draws),
      told(slower.t, draws),
      (slower.own / slower.t).toFixed(2),
      (logWidths.own / logWidths.t).toFixed(2),
    ]),
  );
}

export function printSensitivity(results) {
  printTable(
    ['way', 'shape', 'runs', 'confidence', 'slowdown said, geometric mean', 'seen, %'],
    results.map(({ cell, result: { draws, slower, logSlowdown } }) => [
      cell.way,
      cell.shape,
      cell.runs,
      percent(cell.confidence),
      `${(100 * Math.exp(logSlowdown / draws)).toFixed(2)} %`,
      told(slower, draws),
    ]),
  );
}

export function printFamilies(results) {
  printTable(
    [
      'rule',
      'way',
      'benchmarks',
      'slower',
      'families',
      'gate failed, %',
      'wrongly, %',
      'slower ones counted, %',
      'runs',
    ],
    results.map(({ cell, result }) => [
      cell.rule,
      cell.way,
      cell.size,
      cell.slow,
      result.draws,
      told(result.failed, result.draws),
      told(result.falselyFailed, result.draws),
      told(result.counted, result.slow),
      (result.runs / result.benchmarks).toFixed(1),
    ]),
  );
}

export function printControls(results) {
  printTable(
    ['rule', 'way', 'shape', 'controls', 'that differ', 'experiments', 'abstained, %', 'runs'],
    results.map(({ cell, result }) => [
      cell.rule,
      cell.way,
      cell.shape,
      cell.size,
      cell.slow,
      result.draws,
      told(result.fired, result.draws),
      (result.runs / result.benchmarks).toFixed(1),
    ]),
  );
}
