// How often intervals and verdicts over runs err in simulated tandems, whose neighbouring runs are alike or whose runs are disturbed at
// times, and whether sequential runs are better judged as pairs: npm run bench -- runs [coverage] [anytime] [paired] [count]. With 4 000
// simulated experiments a row coverage takes 2 minutes, anytime half a minute, paired 2.
import { duetRatioInterval, sequentialRatioInterval } from '@deadheat/analysis';
import { createRandom, shuffle, wilsonInterval } from '@deadheat/stats';
import { printTable } from '../lib/tools.js';
import { firstVerdict, mostRuns } from '../sequential/first-verdict.js';

/** What successive runs draw, each from what the run before it drew; of standard deviation 1. */
const noises = {
  normal: () => (random) => random.normal(),
  'normal, neighbours correlate by 0.2': () => autoregressive(0.2),
  'normal, neighbours correlate by 0.4': () => autoregressive(0.4),
  'heavy tails: t with 3 degrees': () => (random) => studentOfThree(random),
  '1 run of 20 disturbed, 8 times the spread': () => (random) => disturbed(random),
  'both, correlating by 0.2': () => {
    const next = autoregressive(0.2);
    return (random) => (next(random) + disturbed(random)) / Math.SQRT2;
  },
};

function autoregressive(correlation) {
  let last = null;
  return (random) =>
    (last =
      last === null
        ? random.normal()
        : correlation * last + Math.sqrt(1 - correlation * correlation) * random.normal());
}

function studentOfThree(random) {
  const squares = Array.from({ length: 3 }, () => random.normal() ** 2);
  return random.normal() / Math.sqrt(squares[0] + squares[1] + squares[2]);
}

function disturbed(random) {
  const spread = random.next() < 0.05 ? 8 : 1;
  return (spread * random.normal()) / Math.sqrt(0.95 + 0.05 * 64);
}

const runCounts = [5, 10, 20, 40];
/** Log ratios of a tandem scatter by some percent; how much does not matter here. */
const deviation = 0.02;

const tandemConfidence = 0.99;
const tandemReplicates = 10_000;
/** As in `kindForUnits`: below 8 runs no percentile interval can reach 99 %. */
const tandemKind = (runs) => (runs < 8 ? 't' : 'expanded');

const experiments = (count, seed, make) =>
  Array.from({ length: count }, (_, experiment) => {
    const random = createRandom(`${seed} ${experiment}`);
    return make(random);
  });

function told(missed, count) {
  const { low, high } = wilsonInterval(missed, count);
  return `${((100 * missed) / count).toFixed(2)} % [${(100 * low).toFixed(1)} … ${(100 * high).toFixed(1)}]`;
}

const average = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Misses of the default interval and of t, over runs and over pairs of neighbouring runs; the design effect of runs as units. */
function coverage(count) {
  const rows = [];
  for (const [name, create] of Object.entries(noises)) {
    for (const runs of runCounts) {
      const found = experiments(count, `coverage ${name} ${runs}`, (random) => {
        const draw = create();
        const logs = Float64Array.from({ length: runs }, () => deviation * draw(random));
        const twos = logs.filter((_, run) => run % 2 === 1).map((log, block) => (log + logs[2 * block]) / 2);
        const common = { confidence: tandemConfidence, replicates: tandemReplicates, random };
        const mean = average([...logs]);
        return {
          ratio: duetRatioInterval(logs, { ...common, kind: tandemKind(runs) }),
          t: duetRatioInterval(logs, { ...common, kind: 't' }),
          blocks: runs < 10 ? null : duetRatioInterval(twos, { ...common, kind: 't' }),
          squaredMean: mean * mean,
          squaredError: average(logs.map((log) => (log - mean) ** 2)) / (runs - 1),
        };
      });
      const misses = (interval) => found.filter((one) => one[interval].low > 1 || one[interval].high < 1).length;
      const width = (interval) => average(found.map((one) => Math.log(one[interval].high / one[interval].low)));
      const effect =
        average(found.map(({ squaredMean }) => squaredMean)) / average(found.map((one) => one.squaredError));
      rows.push([
        name,
        runs,
        tandemKind(runs),
        told(misses('ratio'), count),
        told(misses('t'), count),
        runs < 10 ? '' : told(misses('blocks'), count),
        effect.toFixed(2),
        (width('ratio') / width('t')).toFixed(2),
      ]);
    }
    console.log(`coverage, ${name}: done`);
  }
  console.log(
    `\n${count} simulated tandems a row, ${100 * tandemConfidence} %, ${tandemReplicates} replicates; in brackets what the simulation can tell, ` +
      '95 %. Design effect: variance of the mean over what independent runs would have.\n',
  );
  printTable(
    [
      'log ratios',
      'runs',
      'default',
      'default misses',
      't misses',
      't over blocks of two misses',
      'design effect',
      'width, default / t',
    ],
    rows,
  );
}

/** Verdicts of `--until decided`, looked for after every run. */
function anytime(count) {
  const rows = Object.entries(noises).map(([name, create]) => [
    name,
    ...[0.99, 0.95].map((confidence) => {
      const found = experiments(count, `anytime ${name}`, (random) => {
        const draw = create();
        return firstVerdict(() => draw(random), { confidence, traded: false });
      });
      return told(found.filter((runs) => runs < Infinity).length, count);
    }),
  ]);
  console.log(
    `\nFalse verdicts of ${count} simulated tandems of equal programs, looked for after every run, up to ${mostRuns} runs; in brackets what ` +
      'the simulation can tell, 95 %.\n',
  );
  printTable(['log ratios', '99 %', '95 %'], rows);
}

const pairedConfidence = 0.95;
const pairedReplicates = 1999;

/** The machine's levels at the 2 n moments of n runs, of variance 1. */
const drifts = {
  none: (moments) => moments.map(() => 0),
  'a level a run': (moments, random) => {
    const levels = moments.map(() => random.normal());
    return moments.map((moment) => levels[moment >> 1]);
  },
  // Successive runs correlate by 0.9.
  slow: (moments, random) => {
    const next = autoregressive(Math.sqrt(0.9));
    return moments.map(() => next(random));
  },
};
/** Share of the variance of a time that the machine's level is. */
const drifting = [
  ['none', 0],
  ['a level a run', 0.5],
  ['a level a run', 0.9],
  ['slow', 0.5],
  ['slow', 0.9],
];

/**
 * Sequential runs in which A and B follow each other, judged as pairs and as two independent samples, and as many executions in a random
 * order, judged as two independent samples (RMIT).
 */
function paired(count) {
  const rows = [];
  for (const [name, share] of drifting) {
    for (const runs of runCounts.slice(1)) {
      const found = experiments(count, `paired ${name} ${share} ${runs}`, (random) => {
        const moments = Array.from({ length: 2 * runs }, (_, moment) => moment);
        const times = drifts[name](moments, random).map((level) =>
          Math.exp(0.05 * (Math.sqrt(share) * level + Math.sqrt(1 - share) * random.normal())),
        );
        const a = Float64Array.from({ length: runs }, (_, run) => times[2 * run]);
        const b = Float64Array.from({ length: runs }, (_, run) => times[2 * run + 1]);
        const mixed = shuffle(times, random);
        const options = { kind: 'bca', confidence: pairedConfidence, replicates: pairedReplicates, random };
        const logs = a.map((time, run) => Math.log(b[run] / time));
        return {
          pairs: duetRatioInterval(logs, options),
          expanded: duetRatioInterval(logs, { ...options, kind: 'expanded' }),
          samples: sequentialRatioInterval(a, b, options).ratio,
          shuffled: sequentialRatioInterval(mixed.slice(0, runs), mixed.slice(runs), options).ratio,
        };
      });
      const judged = ['pairs', 'expanded', 'samples', 'shuffled'].map((way) => judge(found.map((one) => one[way])));
      const [pairs, , , shuffled] = judged;
      rows.push([
        `${name}${share === 0 ? '' : `, ${100 * share} %`}`,
        runs,
        ...judged.flatMap(({ missed, width }) => [told(missed, count), percentOf(width)]),
        (pairs.width / shuffled.width).toFixed(2),
        (pairs.calibrated / shuffled.calibrated).toFixed(2),
      ]);
    }
    console.log(`paired, ${name} ${share}: done`);
  }
  console.log(
    `\n${count} simulated experiments a row of equal programs whose times scatter by 5 %, of which the drift of the machine is a share of the ` +
      `variance; ${100 * pairedConfidence} %, BCa unless said otherwise, ${pairedReplicates} replicates. Equal coverage: every interval stretched so that exactly ` +
      `${100 * pairedConfidence} % of its kind hold the truth.\n`,
  );
  printTable(
    [
      'drift',
      'runs',
      'pairs miss',
      'width',
      'pairs, expanded, miss',
      'width',
      'the same as two samples miss',
      'width',
      'random order, two samples miss',
      'width',
      'width, pairs / random order',
      'at equal coverage',
    ],
    rows,
  );
}

const percentOf = (share) => `${(100 * share).toFixed(2)} %`;

/** Misses of intervals of a ratio that is 1, their mean width, and the width with which they would hold their level. */
function judge(intervals) {
  const ends = intervals.map(({ estimate, low, high }) => [estimate, low, high].map(Math.log));
  const width = average(ends.map(([, low, high]) => high - low));
  // How many times further an interval has to reach, to the side where the truth lies, to hold it.
  const reaches = ends.map(([at, low, high]) => (at > 0 ? at / (at - low) : at / (at - high))).sort((a, b) => a - b);
  const stretch = reaches[Math.ceil(pairedConfidence * reaches.length) - 1];
  return { missed: reaches.filter((reach) => reach > 1).length, width, calibrated: stretch * width };
}

const parts = { coverage, anytime, paired };

export function run(given) {
  const count = Number(given.find((word) => /^\d+$/.test(word)) ?? 4000);
  const asked = Object.keys(parts).filter((name) => given.includes(name));
  const unknown = given.filter((word) => ![...asked, String(count)].includes(word));
  if (unknown.length > 0) throw new RangeError(`runs takes no ${unknown.join(' and no ')}`);
  for (const name of asked.length > 0 ? asked : Object.keys(parts)) parts[name](count);
}
