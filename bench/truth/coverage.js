// How often the interval of a cell - a way of measuring, a shape and a number of runs - leaves out the truth.
import { AnalysisError } from '@deadheat/analysis';
import { createRandom } from '@deadheat/stats';
import { simulatedExperiment, simulatedRuns } from './recordings.js';
import { shapes } from './shapes.js';

/** Warnings that say that the interval may not hold what it promises; others are of single runs. */
const excuses = new Set(['FEW_RUNS', 'RUNS_CORRELATED', 'SLOW_NOW_AND_THEN']);

const nothing = () => ({
  draws: 0,
  refused: 0,
  undecided: 0,
  missed: 0,
  missedUnwarned: 0,
  hidden: 0,
  slower: 0,
  faster: 0,
  opposed: 0,
  againstTotal: 0,
  contradictions: 0,
  logWidth: 0,
  warnings: {},
  intervals: {},
});

const add = (counts, name) => (counts[name] = (counts[name] ?? 0) + 1);

/**
 * Judges equal commands so many times, at every confidence from the same runs. A miss is an interval that lies beyond the shape's true
 * ratio, or, of programs that do not differ, a verdict that they do. A difference is
 * hidden where B is slow now and then and is neither called slower nor warned of. A contradiction is a verdict `slower` or `faster` whose p value is
 * above half of 1 - confidence, or a p value below that without the verdict.
 *
 * @param {object} cell as for `simulatedRuns`, with `confidences`
 * @param {object} options
 * @param {number} options.draws
 * @param {object} options.settings what differs from the defaults
 * @param {Function} options.compare `compareBenchmark`
 * @returns {object[]} the counts at every confidence
 */
export function coverage({ confidences, ...cell }, { draws, settings, compare }) {
  const { truth, differs = false, isMixture = false } = shapes[cell.shape];
  const { way, shape, runs } = cell;
  const found = confidences.map((confidence) => ({ confidence, ...nothing() }));
  for (let draw = 0; draw < draws; draw++) {
    const made = simulatedRuns(cell, createRandom(`truth ${way} ${shape} ${runs} ${draw}`));
    for (const counts of found) {
      const { confidence } = counts;
      const stop = { kind: 'runs', runs };
      const { benchmark, config } = simulatedExperiment(way, { stop, seed: String(draw), ...settings, confidence });
      const comparison = orRefused(() => compare({ runs: made, benchmark, config }));
      counts.draws++;
      if (comparison === null) {
        counts.refused++;
        continue;
      }
      const { verdict, interval, pValues, warnings } = comparison;
      const isApart = verdict === 'slower' || verdict === 'faster';
      const holds = interval.low <= truth[1] && truth[0] <= interval.high;
      const missed = !holds || (isApart && !differs);
      const codes = new Set(warnings.map(({ code }) => code));
      for (const code of codes) add(counts.warnings, code);
      add(counts.intervals, interval.kind);
      if (verdict === 'undecided') counts.undecided++;
      if (isApart) counts[verdict]++;
      if (isMixture && verdict === 'faster' && slowRunsOf(made) >= fewestSeen) counts.againstTotal++;
      if (missed) counts.missed++;
      if (missed && ![...codes].some((code) => excuses.has(code))) counts.missedUnwarned++;
      if (differs && verdict !== 'slower' && !codes.has('SLOW_NOW_AND_THEN')) counts.hidden++;
      const level = (1 - confidence) / 2;
      if (codes.has('TYPICAL_AND_TOTAL_DIFFER')) counts.opposed++;
      else if (pValues.slower <= level !== (verdict === 'slower') || pValues.faster <= level !== (verdict === 'faster'))
        counts.contradictions++;
      counts.logWidth += Math.log(interval.high / interval.low);
    }
  }
  return found;
}

/** So many slow runs can be seen to be a kind of their own. */
const fewestSeen = 2;

/** Runs, also those that are not judged, in which B takes a fifth longer than its median. */
function slowRunsOf(made) {
  const times = made.map(({ trial }) => {
    const rows = trial.sides.B.iterations;
    return (rows.at(-1).e - rows[0].s) / rows.length;
  });
  const middle = times.toSorted((x, y) => x - y)[Math.floor(times.length / 2)];
  return times.filter((time) => time > 1.2 * middle).length;
}

function orRefused(judge) {
  try {
    return judge();
  } catch (error) {
    if (error instanceof AnalysisError || error.name === 'AnalysisError') return null;
    throw error;
  }
}
