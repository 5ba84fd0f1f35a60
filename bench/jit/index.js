// The gain of tandems over duets on fixed cores and over sequential runs for functions of JIT programs, beside four neighbours:
// npm run bench -- jit [runs] [neighbour ...] [traded]. With 16 runs a neighbour takes 4 minutes, with `traded`, for duets that trade
// cores, 7.
import { fileURLToPath } from 'node:url';
import { beside, neighbours } from '../lib/neighbours.js';
import { takeTurns } from '../lib/turns.js';
import {
  geometricMean,
  percent,
  printMachine,
  printTable,
  quote,
  readArguments,
  times,
  widthPercent,
} from '../lib/tools.js';

const iterations = 20;
const runsOfTurn = 4;
const command = quote([process.execPath, fileURLToPath(new URL('./functions.js', import.meta.url))]);
/** One after the other in each turn; `own` as in deadheat.yaml, `metric`: what is looked at. */
const ways = {
  sequential: { metric: 'time', own: { methods: ['sequential'], unpaired: true } },
  fixed: { metric: 'cpu', own: { methods: ['sync-duet'], swap: 'never' } },
  tandem: { metric: 'cpu', own: { methods: ['tandem'] } },
};
const tradedWays = {
  'traded at every run': { metric: 'cpu', own: { methods: ['sync-duet'], swap: 'pair' } },
  'traded every iteration': { metric: 'cpu', own: { methods: ['sync-duet'], swap: 'pair', 'trade-every': 1 } },
};

export async function run(given) {
  const known = [...Object.keys(neighbours), 'traded'];
  const { asked, number: runs } = readArguments(given, { bench: 'jit', known, count: 16 });
  const around = asked.filter((word) => word in neighbours);
  const used = asked.includes('traded') ? { ...ways, ...tradedWays } : ways;
  const turns = Math.max(1, Math.round(runs / runsOfTurn));
  printMachine();
  console.log(
    `Width of the 99 % interval of the ratio of a function to itself, ${runs} runs of ${iterations} iterations by every way, half of them ` +
      `warm-up, in ${turns} turns; sequential runs by wall time, the others by CPU time.\n`,
  );
  const rows = [];
  for (const neighbour of around.length > 0 ? around : Object.keys(neighbours)) {
    const seed = `jit-${neighbour}`;
    const own = await beside(neighbour, { seed }, () => measure(used, { runs, turns, seed }));
    rows.push(...own.map((row) => ({ neighbour, ...row })));
    console.log(own.map(({ name, widths }) => `${neighbour}, ${name}: tandem ${percent(widths.tandem)}`).join('\n'));
  }
  console.log();
  print(
    ['neighbour', 'function'],
    used,
    rows.map(({ neighbour, name, widths }) => [[neighbour, name], widths]),
  );
  console.log('\nGeometric means over the functions:\n');
  const groups = [...new Set(rows.map(({ neighbour }) => neighbour))].map((name) => [
    name,
    rows.filter(({ neighbour }) => neighbour === name),
  ]);
  print(
    ['neighbour'],
    used,
    [...groups, ['all', rows]].map(([name, own]) => [[name], meansOf(used, own)]),
  );
  console.log('\nGoals: fixed / tandem at least 4, sequential / tandem at least 10.');
}

async function measure(used, { runs, turns, seed }) {
  const program = { command, workload: 'harness', iterations };
  const benchmarks = Object.fromEntries(Object.entries(used).map(([way, { own }]) => [way, { ...program, ...own }]));
  const { comparisons } = await takeTurns(benchmarks, { settings: { runs, confidence: 0.99 }, turns, seed });
  const functions = new Set(comparisons.map(({ benchmark }) => benchmark.split('/')[1]));
  return [...functions].map((name) => ({
    name,
    widths: Object.fromEntries(
      Object.entries(used).map(([way, { metric }]) => {
        const found = comparisons.find(({ benchmark }) => benchmark === `${way}/${name}`);
        const { interval } = [found, ...found.otherMetrics].find((judged) => judged.metric === metric);
        return [way, widthPercent(interval)];
      }),
    ),
  }));
}

function meansOf(used, rows) {
  return Object.fromEntries(
    Object.keys(used).map((way) => [way, geometricMean(rows.map(({ widths }) => widths[way]))]),
  );
}

function print(heads, used, rows) {
  printTable(
    [...heads, ...Object.keys(used), 'fixed / tandem', 'sequential / tandem'],
    rows.map(([names, widths]) => [
      ...names,
      ...Object.keys(used).map((way) => percent(widths[way])),
      times(widths.fixed / widths.tandem),
      times(widths.sequential / widths.tandem),
    ]),
  );
}
