// How right ratios are: of a known amount more work, and of programs that share a core's caches in a tandem: npm run bench -- ratio
// [known] [caches] [async] [appetites] [pairs]. With 40 pairs the known ratios take 10 minutes, the caches 5. The appetites take an hour on
// a quiet machine: 14 pairs of programs, 10 experiments of each by the defaults.
import { signedRankShift } from '@deadheat/stats';
import { makeRealPrograms } from '../lib/programs.js';
import { takeTurns } from '../lib/turns.js';
import {
  calibrateCommand,
  countsOf,
  cpuMs,
  deadheat,
  printMachine,
  printTable,
  quote,
  readArguments,
  workload,
} from '../lib/tools.js';

const milliseconds = 200;
const pairsOfTurn = 10;
const startPairs = 20;
const methods = ['tandem', 'sync-duet', 'sequential'];
const factors = [1.03, 2];
const kib = 1024;
const mib = 1024 * kib;

/** Walks line by line of so many bytes. */
const linear = (workingSetBytes) => workload('cache', { workingSetBytes });
/** Walks by loads that each name the next. */
const chained = (workingSetBytes) => workload('memory', { workingSetBytes });

export async function run(given) {
  const parts = { known, caches, async: asynchronous, appetites };
  const { asked, number: pairs } = readArguments(given, { bench: 'ratio', known: Object.keys(parts), count: 40 });
  printMachine();
  for (const name of asked.length > 0 ? asked : Object.keys(parts)) await parts[name](pairs);
}

/** The expected ratio counts the start of a program, measured as a tandem; node compiles what runs longer, so alone is the truth. */
async function known(pairs) {
  const programs = makeRealPrograms();
  const cases = [
    { name: 'integer', execute: workload('integer'), isKnown: true },
    { name: 'walk of 4 MiB', execute: workload('cache'), isKnown: true },
    { name: 'random walk of 64 MiB', execute: workload('memory'), isKnown: true },
    { name: 'gzip', execute: programs.commands.gzip, isKnown: true },
    { name: 'node -e', execute: programs.commands['node -e'], isKnown: false },
  ];
  const rows = [];
  try {
    for (const { name, execute, isKnown } of cases) {
      const amount = calibrateCommand(execute, milliseconds);
      const whole = isKnown ? await wholeOverStart(execute, amount) : null;
      for (const factor of factors) {
        const commands = [execute(amount), execute(Math.round(amount * factor))].map(quote);
        const found = await compareWays(commands, { pairs, seed: `ratio-${name}-${factor}` });
        const truth = whole === null ? found.sequential.estimate : factor + (1 - factor) / whole;
        rows.push([name, factor, whole === null ? 'alone' : truth.toFixed(4), ...cells(found, { truth, isKnown })]);
        console.log(rows.at(-1).join(', '));
      }
    }
  } finally {
    programs.remove();
  }
  console.log(
    `\n${pairs} pairs of executions of ${milliseconds} ms by every method, in turns; CPU time, 99 % intervals. Expected: the start of the ` +
      'program counted. Error: of the estimate, with the half-width of its interval. Goals for tandem: 0.3 % at 1.03, 1 % at 2.\n',
  );
  printTable(['program', 'work', 'expected', ...heads], rows);
}

/** The sides have other working sets; what each takes alone is the truth. */
async function caches(pairs) {
  const small = linear(32 * kib);
  const amount = calibrateCommand(small, milliseconds);
  const walks = (bytes) => [small(amount), linear(bytes)(amount)];
  const cases = [
    { a: 'walk of 32 KiB', b: '1 MiB', commands: walks(mib) },
    { a: 'walk of 32 KiB', b: '4 MiB', commands: walks(4 * mib) },
    { a: 'walk of 32 KiB', b: '64 MiB', commands: walks(64 * mib) },
    {
      a: 'random walk of 256 KiB',
      b: 'walk of 64 MiB, as long',
      commands: [chained(256 * kib), linear(64 * mib)].map((walk) => walk(calibrateCommand(walk, milliseconds))),
    },
  ];
  const rows = [];
  for (const { a, b, commands } of cases) {
    const found = await compareWays(commands.map(quote), { pairs, seed: `caches-${a}-${b}` });
    rows.push([a, b, ...cells(found, { truth: found.sequential.estimate, isKnown: false })]);
    console.log(rows.at(-1).join(', '));
  }
  console.log(
    `\nThe same amount of work over working sets of other sizes; ${pairs} pairs by every method, in turns; CPU time, 99 % intervals. Error: ` +
      'against sequential, where each side has the caches to itself.\n',
  );
  printTable(['A', 'B', ...heads], rows);
}

async function asynchronous() {
  const execute = workload('integer');
  const amount = calibrateCommand(execute, milliseconds);
  const commands = [execute(amount), execute(2 * amount)].map(quote);
  const { report } = await deadheat(['--method', 'async-duet', '--runs', '6', '--iterations', '5', ...commands]);
  const [{ interval, verdict }] = report.comparisons;
  console.log(`\nasync-duet, integer, twice the work: ${shown(interval)}, ${verdict}`);
}

async function wholeOverStart(execute, amount) {
  const commands = [execute(0), execute(amount)].map(quote);
  const { report } = await deadheat(['--method', 'tandem', '--runs', String(startPairs), ...commands]);
  return report.comparisons[0].interval.estimate;
}

/**
 * Pairs of programs that need different amounts of cache, and pairs of one program, with what a stranger types. Each program alone, in turns
 * with the other in between the experiments, is the truth.
 */
async function appetites() {
  const programs = makeRealPrograms();
  const rows = [];
  const all = [];
  try {
    for (const { a, b, as, bs, more } of appetitePairs(programs.commands)) {
      const amount = calibrateCommand(as, shortMilliseconds);
      const A = as(amount);
      const B = bs(Math.round((as === bs ? amount : calibrateCommand(bs, shortMilliseconds)) * (1 + more)));
      const alone = [turnsAlone(A, B)];
      const comparisons = [];
      for (let number = 0; number < experiments; number++) {
        const seed = `appetites-${a}-${b}-${number}`.replaceAll(/\W+/g, '-');
        const { report } = await deadheat(['--confidence', String(confidence), '--seed', seed, quote(A), quote(B)]);
        comparisons.push(report.comparisons[0]);
        alone.push(turnsAlone(A, B));
      }
      const truth = aloneTruth(alone.flat());
      const judged = comparisons.map((comparison, number) => {
        const near = aloneTruth([...alone[number], ...alone[number + 1]]);
        return { ...againstTruth(comparison, { truth, near }), comparison };
      });
      all.push(...judged);
      const count = (what) => judged.filter((one) => one[what]).length;
      rows.push([
        a,
        b,
        shown(truth),
        countsOf(comparisons.map(({ verdict }) => verdict)),
        count('wrong'),
        count('holds'),
        count('warned'),
        [...new Set(comparisons.map(({ method }) => method))].join(', '),
      ]);
      console.log(rows.at(-1).join(' | '));
      for (const one of judged)
        if (!one.holds)
          console.log(`  ${one.comparison.verdict} ${shown(one.comparison.interval)}, near it ${shown(one.near)}`);
    }
  } finally {
    programs.remove();
  }
  const share = (what) => `${all.filter((one) => one[what]).length} of ${all.length}`;
  console.log(
    `\nWhat a stranger types, 99 %, ${experiments} experiments of each pair; alone: ${alonePairs} pairs of executions before and after each, the ` +
      `ratio of CPU times with its interval of 99 %.\nWrong sign: ${share('wrong')}. The interval holds a ratio that those alone do not exclude: ` +
      `${share('holds')}; or nothing was claimed and it was warned: ${share('warned')} more.\n`,
  );
  printTable(['A', 'B', 'alone', 'verdicts', 'wrong sign', 'holds', 'else warned', 'method'], rows);
}

const shortMilliseconds = 80;
const experiments = 10;
const confidence = 0.99;
/** Before and after each experiment. */
const alonePairs = 20;

function appetitePairs(commands) {
  const pair = (a, as, b, bs, more = 0) => ({ a, as, b, bs, more });
  const one = (name, as, more) => pair(name, as, `with ${100 * more} % more`, as, more);
  return [
    pair('random walk of 1 MiB', chained(mib), 'walk of 64 MiB', linear(64 * mib), 0.05),
    pair('walk of 32 KiB', linear(32 * kib), 'walk of 1 MiB', linear(mib)),
    pair('walk of 32 KiB', linear(32 * kib), 'walk of 64 MiB', linear(64 * mib), 0.1),
    pair('random walk of 256 KiB', chained(256 * kib), 'walk of 64 MiB', linear(64 * mib), 0.03),
    pair('integer', workload('integer'), 'random walk of 1 MiB', chained(mib), 0.03),
    pair('random walk of 4 MiB', chained(4 * mib), 'random walk of 64 MiB', chained(64 * mib), 0.05),
    pair('gzip', commands.gzip, 'random walk of 64 MiB', chained(64 * mib)),
    pair('node -e', commands['node -e'], 'python3 -c', commands['python3 -c'], 0.05),
    pair('sort', commands.sort, 'awk', commands.awk ?? commands.gzip, 0.03),
    pair('gzip', commands.gzip, 'integer', workload('integer')),
    one('random walk of 64 MiB', chained(64 * mib), 0.05),
    one('gzip', commands.gzip, 0.03),
    one('node -e', commands['node -e'], 0.1),
    one('sort', commands.sort, 0),
  ];
}

/** Logs of the ratios of pairs of executions alone, in ABBA order. */
function turnsAlone(A, B) {
  return Array.from({ length: alonePairs }, (_, turn) => logRatioAlone(A, B, turn % 2 === 1));
}

/** Log of the ratio of CPU times of one execution each. */
function logRatioAlone(A, B, isFirstB) {
  const first = cpuMs(isFirstB ? B : A);
  const second = cpuMs(isFirstB ? A : B);
  return isFirstB ? Math.log(first / second) : Math.log(second / first);
}

function aloneTruth(logRatios) {
  const shift = signedRankShift(logRatios);
  const { low, high } = shift.interval(confidence);
  return { estimate: Math.exp(shift.estimate), low: Math.exp(low), high: Math.exp(high) };
}

/**
 * A wrong sign: the verdict has a direction that the executions alone exclude, those before and after the experiment and all of them. An
 * interval misses where those before and after it exclude it: what else runs changes what caches are worth.
 */
function againstTruth({ verdict, interval, warnings }, { truth, near }) {
  const wrong =
    (verdict === 'slower' && Math.max(truth.high, near.high) < 1) ||
    (verdict === 'faster' && Math.min(truth.low, near.low) > 1);
  const holds = interval !== null && interval.low <= near.high && interval.high >= near.low;
  return { wrong, holds, warned: !holds && verdict === 'undecided' && warnings.length > 0, near };
}

/** The ratio by each method. */
async function compareWays([a, b], { pairs, seed }) {
  const program = { A: { command: a }, B: { command: b } };
  const benchmarks = Object.fromEntries(methods.map((method) => [method, { ...program, methods: [method] }]));
  const { comparisons } = await takeTurns(benchmarks, {
    settings: { runs: pairs, confidence: 0.99, metric: 'cpu' },
    turns: Math.max(1, Math.round(pairs / pairsOfTurn)),
    seed: seed.replaceAll(/\W+/g, '-'),
  });
  return Object.fromEntries(comparisons.map(({ benchmark, interval }) => [benchmark, interval]));
}

const heads = methods.flatMap((method) => [method, 'error']);

const cells = (found, { truth, isKnown }) =>
  methods.flatMap((method) => [
    shown(found[method]),
    !isKnown && method === 'sequential' ? '' : errorOf(found[method], truth),
  ]);

const shown = ({ estimate, low, high }) => `${estimate.toFixed(4)} [${low.toFixed(4)}, ${high.toFixed(4)}]`;

function errorOf({ estimate, low, high }, truth) {
  const share = (100 * (estimate - truth)) / truth;
  return `${share < 0 ? '' : '+'}${share.toFixed(2)} ± ${((50 * (high - low)) / truth).toFixed(2)} %`;
}
