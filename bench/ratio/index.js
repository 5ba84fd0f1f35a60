// How right ratios are: of a known amount more work, and of programs that share a core's caches in a tandem: npm run bench -- ratio
// [known] [caches] [async] [pairs]. With 40 pairs the known ratios take 10 minutes, the caches 5.
import { makeRealPrograms } from '../lib/programs.js';
import { takeTurns } from '../lib/turns.js';
import { calibrateCommand, deadheat, printMachine, printTable, quote, readArguments, workload } from '../lib/tools.js';

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
  const parts = { known, caches, async: asynchronous };
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
