// The gain of tandems over duets and over sequential runs beside four neighbours, for real programs and for the artificial workloads of
// ICPE'20 section 4.4: npm run bench -- interference [real | synthetic] [pairs] [neighbour ...]. With 60 pairs the real programs take
// 25 minutes, the artificial ones 15.
import { compareBenchmark } from '@deadheat/analysis';
import { measureRecorded } from '@deadheat/recording';
import { configOf } from '@deadheat/model';
import { workloadNames } from '@deadheat/workloads';
import { beside, neighbours } from '../lib/neighbours.js';
import { makeRealPrograms, realProgramNames } from '../lib/programs.js';
import { takeTurns } from '../lib/turns.js';
import {
  calibrateCommand,
  geometricMean,
  median,
  percent,
  printMachine,
  printTable,
  quote,
  readArguments,
  times,
  widthPercent,
  workload,
} from '../lib/tools.js';

const confidence = 0.99;
const milliseconds = { real: 100, synthetic: 50 };
const pairsOfTurn = 10;
/** One after the other in each turn; cores are traded by pairs that follow each other, as without turns. */
const ways = {
  sequential: { methods: ['sequential'], unpaired: true },
  fixed: { methods: ['sync-duet'], swap: 'never' },
  traded: { methods: ['sync-duet'], swap: 'pair' },
  tandem: { methods: ['tandem'] },
};

export async function run(given) {
  const known = [...Object.keys(milliseconds), ...Object.keys(neighbours)];
  const { asked, number: pairs } = readArguments(given, { bench: 'interference', known, count: 60 });
  const kinds = asked.filter((word) => word in milliseconds);
  const around = asked.filter((word) => word in neighbours);
  const turns = Math.max(1, Math.round(pairs / pairsOfTurn));
  printMachine();
  console.log(
    `Width of the ${confidence * 100} % interval of the ratio of a program to itself, ${pairs} pairs by every way, in ${turns} turns. A pair of a ` +
      'tandem takes one core for as long as both sides need, a pair of a duet two cores for as long as one side needs: the same core time.\n',
  );
  const programs = makeRealPrograms();
  const rows = [];
  try {
    const commands = {
      real: realProgramNames.map((name) => [name, programs.commands[name]]),
      synthetic: workloadNames.map((name) => [name, workload(name)]),
    };
    for (const kind of kinds.length > 0 ? kinds : Object.keys(milliseconds)) {
      for (const [name, execute] of commands[kind]) {
        const command = quote(execute(calibrateCommand(execute, milliseconds[kind])));
        for (const neighbour of around.length > 0 ? around : Object.keys(neighbours)) {
          const seed = `interference ${name} ${neighbour}`.replaceAll(/\W+/g, '-');
          const widths = await beside(neighbour, { seed }, () => measure(command, { pairs, turns, seed }));
          rows.push({ kind, name, neighbour, ...widths });
          console.log(
            `${name}, ${neighbour}: traded, CPU ${percent(widths.tradedCpu)}, tandem ${percent(widths.tandem)}`,
          );
        }
      }
    }
  } finally {
    programs.remove();
  }
  console.log();
  printWidths(rows);
  console.log('\nGeometric means:\n');
  printMeans(rows);
  const correlations = rows.flatMap(({ correlation }) => correlation ?? []).toSorted((a, b) => a - b);
  const shareOf = (cost) => geometricMean(rows.map((row) => row[cost].tandem / row[cost].traded)).toFixed(2);
  console.log(
    '\nSequential: judged as two independent samples; paired: the same runs as pairs. "traded, CPU / tandem" is the gain over the default ' +
      'before tandems (--method sync-duet), "sequential, CPU / tandem" that over sequential runs by the same metric; in "sequential, wall / ' +
      `tandem" is what the metric gains, too. A tandem used ${shareOf('cpuS')} of the CPU time of a duet and ${shareOf('coreNs')} of its time on ` +
      `cores (wall time, of a duet twice; others on the machine make it longer). Ratios of successive tandems correlate by ` +
      `${median(correlations).toFixed(2)} at the median (${correlations.map((one) => one.toFixed(2)).join(' ')}). Neighbours: ` +
      `${Object.entries(neighbours)
        .map(([name, what]) => `${name}, ${what}`)
        .join('; ')}.`,
  );
}

async function measure(command, { pairs, turns, seed }) {
  const benchmarks = Object.fromEntries(Object.entries(ways).map(([way, own]) => [way, { command, ...own }]));
  let paired = null;
  const report = await takeTurns(benchmarks, {
    settings: { runs: pairs, confidence },
    turns,
    seed,
    inspect: async (recording) => void (paired = await judgedAsPairs(recording)),
  });
  const of = (way) => report.comparisons.find(({ benchmark }) => benchmark === way);
  return {
    sequential: widthBy(of('sequential'), 'time'),
    sequentialCpu: widthBy(of('sequential'), 'cpu'),
    paired: widthBy(paired, 'time'),
    fixed: widthBy(of('fixed'), 'time'),
    traded: widthBy(of('traded'), 'time'),
    tradedCpu: widthBy(of('traded'), 'cpu'),
    tandem: widthBy(of('tandem'), 'cpu'),
    correlation: of('tandem').neighbourCorrelation,
    cpuS: { traded: cpuOf(of('traded')), tandem: cpuOf(of('tandem')) },
    coreNs: { traded: of('traded').time.machineNs, tandem: of('tandem').time.machineNs },
  };
}

/** The sequential runs of a recording, judged as pairs. */
async function judgedAsPairs(recording) {
  const { measured, experiment } = await measureRecorded(recording);
  const { benchmark, runs } = measured.find((entry) => entry.benchmark.name === 'sequential');
  return compareBenchmark({ runs, benchmark, config: { ...configOf(experiment.config, benchmark), unpaired: false } });
}

/** Mean CPU time of both sides, s. */
const cpuOf = ({ sides: { A, B } }) => A.user + A.system + B.user + B.system;

function widthBy({ metric, interval, otherMetrics }, wanted) {
  if (metric === wanted) return widthPercent(interval);
  return widthPercent(otherMetrics.find((other) => other.metric === wanted).interval);
}

const columns = ['sequential', 'sequentialCpu', 'paired', 'fixed', 'traded', 'tradedCpu', 'tandem'];
const heads = [
  'sequential, wall',
  'sequential, CPU',
  'paired, wall',
  'duet, wall',
  'traded, wall',
  'traded, CPU',
  'tandem',
  'traded, CPU / tandem',
  'sequential, CPU / tandem',
  'sequential, wall / tandem',
];
const cells = (row) => [
  ...columns.map((column) => percent(row[column])),
  times(row.tradedCpu / row.tandem),
  times(row.sequentialCpu / row.tandem),
  times(row.sequential / row.tandem),
];

function printWidths(rows) {
  printTable(
    ['program', 'neighbour', ...heads],
    rows.map((row) => [row.name, row.neighbour, ...cells(row)]),
  );
}

function printMeans(rows) {
  const groups = [];
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const own = rows.filter((row) => row.kind === kind);
    for (const neighbour of new Set(own.map((row) => row.neighbour)))
      groups.push([kind, neighbour, own.filter((row) => row.neighbour === neighbour)]);
    groups.push([kind, 'all', own]);
  }
  printTable(
    ['programs', 'neighbour', ...heads],
    groups.map(([kind, neighbour, own]) => {
      const means = Object.fromEntries(columns.map((column) => [column, geometricMean(own.map((row) => row[column]))]));
      return [kind, neighbour, ...cells(means)];
    }),
  );
}
