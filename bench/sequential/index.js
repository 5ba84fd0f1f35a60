// How often verdicts that are looked at after every run are false, how soon a true change is found, and what giving up costs.
import { anytimeRatio, isFutile } from '../../core/analysis/dist/anytime/anytime-ratio.js';
import {
  anytimeTCritical,
  normalLogSf,
  studentTQuantile,
  createRandom,
  fewestAnytimeValues,
  requiredRuns,
  wilsonInterval,
} from '@deadheat/stats';
import { printTable } from '../lib/tools.js';
import { compareCandidates } from './candidates.js';
import { compareDefaults } from './default-rule.js';
import { firstVerdict, mostRuns } from './first-verdict.js';
import { groupSequential } from './group-sequential.js';

const levels = [0.99, 0.95];
const exponential = (random) => -Math.log(1 - random.next()) - 1;
const modes = (share, width) => (random) => {
  const mode = random.next() < share ? 1 : 0;
  return ((mode - share) / Math.sqrt(share * (1 - share)) + width * random.normal()) / Math.sqrt(1 + width * width);
};
const logNormal = (sigma) => (random) => {
  const mean = Math.exp((sigma * sigma) / 2);
  return (Math.exp(sigma * random.normal()) - mean) / (mean * Math.sqrt(Math.expm1(sigma * sigma)));
};

const normal = (random) => random.normal();
/** Both sides draw the same effect; the log ratio is their difference, of standard deviation 1. */
const ofSides = (effect) => (random) => (effect(random) - effect(random)) / Math.SQRT2;

const minus = (effect) => (random) => -effect(random);

/** Log ratios of equal programs, and harder ones: skewed themselves. All of mean 0 and standard deviation 1. */
const nulls = {
  normal: normal,
  'skewed, each side: exponential': ofSides(exponential),
  'skewed, each side: log-normal (1)': ofSides(logNormal(1)),
  'bimodal, each side: 50 : 50': ofSides(modes(0.5, 0.05)),
  'bimodal, each side: 70 : 30': ofSides(modes(0.7, 0.05)),
  'bimodal, each side: 90 : 10': ofSides(modes(0.9, 0.05)),
  'skewed ratio: exponential': exponential,
  'skewed ratio: log-normal (0.5)': logNormal(0.5),
  'skewed ratio: log-normal (0.5), mirrored': minus(logNormal(0.5)),
  'bimodal ratio: 50 : 50': modes(0.5, 0.2),
  'bimodal ratio: 70 : 30': modes(0.7, 0.3),
  'bimodal ratio: 30 : 70': modes(0.3, 0.3),
  'bimodal ratio: 70 : 30, narrow': modes(0.7, 0.05),
};
/** No method can know of a mode that has not shown yet; who fears rarer ones has them waited for with --min-runs. */
const rare = { 'bimodal ratio: 90 : 10': modes(0.9, 0.3), 'the same, --min-runs 48': modes(0.9, 0.3) };

const simulate = (duets, { seed, draw, ...options }) =>
  Array.from({ length: duets }, (_, duet) => {
    const random = createRandom(`${seed}/${duet}`);
    return firstVerdict(() => draw(random), options);
  }).sort((a, b) => a - b);

const share = (found) => found.filter((runs) => runs < Infinity).length;
const rate = (found) => `${((100 * share(found)) / found.length).toFixed(2)} %`;
/** With the 95 % interval by Wilson of what the simulation can tell. */
const rateWithin = (found) => {
  const { low, high } = wilsonInterval(share(found), found.length);
  return `${rate(found)} [${(100 * low).toFixed(1)} … ${(100 * high).toFixed(1)}]`;
};

const mostAllowed = 100;

/** Share of duets that are given up before the limit, and of those that the limit would have decided. */
function givenUp(duets, { confidence, shift }) {
  let given = 0;
  let wrong = 0;
  for (let duet = 0; duet < duets; duet++) {
    const random = createRandom(`futile/${shift}/${duet}`);
    const values = Array.from({ length: mostAllowed }, () => 0.01 * (shift + random.normal()));
    const look = (runs) => anytimeRatio(values.slice(0, runs), { confidence, conditions: null });
    const isDecided = ({ low, high }) => low > 1 || high < 1;
    for (let runs = fewestAnytimeValues(confidence); runs < mostAllowed; runs++) {
      const ratio = look(runs);
      if (isDecided(ratio)) break;
      if (!isFutile(ratio, { margin: 0, mostRuns: mostAllowed })) continue;
      given++;
      if (isDecided(look(mostAllowed))) wrong++;
      break;
    }
  }
  return [`${((100 * given) / duets).toFixed(1)} %`, `${((100 * wrong) / duets).toFixed(2)} %`];
}

/** The power at the limit of 200 runs is too close to 1 to be simulated; it is computed, and so are fixed designs of that power. */
function printCapPower() {
  const rows = [];
  for (const [name, deviation] of [
    ['1 % a side (1.41 % a ratio)', 0.01 * Math.SQRT2],
    ['1 % a ratio', 0.01],
  ]) {
    for (const confidence of levels) {
      const critical = anytimeTCritical({ size: mostRuns, degrees: mostRuns - 1, confidence });
      const missed = (runs, c) => normalLogSf((Math.log(1.02) / deviation) * Math.sqrt(runs) - c) / Math.LN10;
      const atLimit = missed(mostRuns, critical);
      let fixed = 2;
      while (missed(fixed, studentTQuantile((1 + confidence) / 2, fixed - 1)) > atLimit) fixed++;
      rows.push([name, `${confidence * 100} %`, `10^${atLimit.toFixed(0)}`, fixed]);
    }
  }
  console.log(`\nPower at the limit of ${mostRuns} runs (normal approximation).\n`);
  printTable(['noise', 'level', 'at most missed', 'fixed design that misses as rarely'], rows);
}

/** What a run adds to the one before it. */
const correlated = (random) => {
  let last = random.normal();
  return () => (last = 0.5 * last + Math.sqrt(0.75) * random.normal());
};
const independent = (draw) => (random) => () => draw(random);
const changeOf = (change) => independent((random) => Math.log1p(change) + 0.01 * Math.SQRT2 * random.normal());

function printCandidates(duets) {
  const ratios = [
    'normal',
    'skewed ratio: exponential',
    'skewed ratio: log-normal (0.5)',
    'bimodal ratio: 70 : 30, narrow',
  ];
  const independents = Object.fromEntries(ratios.map((name) => [name, independent(nulls[name])]));
  printTable(
    ...compareCandidates(duets, {
      changes: { '5 %': changeOf(0.05), '2 %': changeOf(0.02) },
      nulls: { ...independents, 'correlation of 0.5': correlated },
    }),
  );
}

/** `npm run bench -- sequential [duets]`, or `sequential candidates [duets]` and `sequential default [duets]`. */
export async function run([count = '2000', other = '500']) {
  if (count === 'candidates') return printCandidates(Number(other));
  if (count === 'default') return printTable(...compareDefaults(Number(other)));
  const duets = Number(count);
  console.log(
    `${duets} duets a row, up to ${mostRuns} runs, looked at after every run (traded cores: after every two).\n`,
  );
  const falseVerdicts = (draws, minRuns) =>
    Object.entries(draws).map(([name, draw]) => [
      name,
      ...levels.flatMap((confidence) =>
        [false, true].map((traded) =>
          rateWithin(simulate(duets, { seed: name, draw, confidence, traded, minRuns: minRuns(name) })),
        ),
      ),
    ]);
  printTable(
    ['false verdicts, no difference', ...levels.flatMap((level) => [`${level * 100} %`, `${level * 100} %, traded`])],
    [...falseVerdicts(nulls, () => 2), ...falseVerdicts(rare, (name) => (name.endsWith('48') ? 48 : 2))],
  );
  const powers = [0.8, 0.9, 0.95, 0.99, 0.9995];
  console.log(
    '\nA true change of 2 %. Median runs until a verdict, and for each power: the runs of a fixed design of that power (t test) with the median ' +
      'as a share of it, and the limit on the runs with which the sequential verdict has that power.\n',
  );
  const rows = [];
  for (const [name, deviation] of [
    ['1 % a side (1.41 % a ratio)', 0.01 * Math.SQRT2],
    ['1 % a ratio', 0.01],
    ['2 % a ratio', 0.02],
    ['4 % a ratio', 0.04],
  ]) {
    for (const confidence of levels) {
      for (const traded of [false, true]) {
        const draw = (random) => Math.log(1.02) + deviation * random.normal();
        const found = simulate(duets, { seed: `change ${deviation}`, draw, confidence, traded });
        const median = found[Math.floor(duets / 2)];
        const atPower = powers.map((power) => {
          const fixed = requiredRuns({ standardDeviation: deviation, ratio: 1.02, confidence, power });
          return `${fixed} (${((100 * median) / fixed).toFixed(0)} %), ${found[Math.ceil(power * duets) - 1]}`;
        });
        rows.push([name, `${confidence * 100} %`, traded ? 'traded' : 'runs', rate(found), median, ...atPower]);
      }
    }
  }
  printTable(['noise', 'level', 'looks', 'found', 'median', ...powers.map((power) => `power ${power}`)], rows);
  printCapPower();
  console.log('\nBy comparison: looks at t intervals, each at the same level, up to a limit fixed beforehand; 99 %.\n');
  const shapes = ['skewed, each side: exponential', 'skewed ratio: exponential', 'bimodal ratio: 70 : 30'];
  printTable(
    ...groupSequential(duets, {
      effects: {
        '1 % a side (1.41 % a ratio)': Math.log(1.02) / (0.01 * Math.SQRT2),
        '1 % a ratio': Math.log(1.02) / 0.01,
      },
      powers,
      shapes: Object.fromEntries(shapes.map((name) => [name, nulls[name]])),
    }),
  );
  console.log('\nGiven up before 100 runs, and how often run 100 would have decided (share of all).\n');
  printTable(
    [
      'true difference, in standard deviations',
      ...levels.flatMap((level) => [`given up, ${level * 100} %`, 'wrongly']),
    ],
    [0, 0.2, 0.3, 0.4].map((shift) => [
      shift,
      ...levels.flatMap((confidence) => givenUp(duets, { confidence, shift })),
    ]),
  );
}
