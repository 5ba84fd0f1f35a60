// Antoch et al., "No steady performance" (OOPSLA'26): the published steady-state series of 40 JMH benchmarks stand in for the paper's
// Renaissance runs, which are not published with it.
import { columnOf } from './lib/paper-tables.js';
import {
  meanOf,
  percent,
  publishedSeries,
  readArguments,
  rowsOf,
  study,
  tableOf,
  writeComparison,
} from './lib/reproduction.js';

const { output, quick } = readArguments('oopsla26');
/** Mean of a printed column of shares of 1 / `parts`. */
const printedMean = (table, column, { parts = 100, digits = 1 } = {}) =>
  `${((meanOf(columnOf('oopsla26', table, column)) * 100) / parts).toFixed(digits)} %`;
/** Mean miss rates of the segment-aware and the segment-ignorant method. */
const printedMisses = (table) =>
  [1, 2].map((column) => printedMean(table, column, { parts: 1000, digits: 2 })).join(' : ');
const widths = [1, 3, 5].flatMap((column) => columnOf('oopsla26', 'Table 5', column));
const chosen = publishedSeries({ quick });
const files = chosen.map(({ path }) => path);
const replicates = quick ? '200' : '3300';
/** Every seventh benchmark: a simulated experiment of 8 h takes PELT a tenth of a second or more. */
const simulated = files.filter((_, place) => place % (quick ? 2 : 7) === 0);

const steady = study('classes', { output, args: ['lab', 'study', 'steady', ...files, '--seed', 'oopsla26'] });
const simulate = ['lab', 'simulate', ...simulated, '--seed', 'oopsla26', '--warmup-iterations', '500', '--raw-means'];
const mixed = study('mixed', {
  output,
  args: [...simulate, '--durations', '1h,8h', '--mix', '--experiments', quick ? '10' : '150'],
});
const known = study('known', {
  output,
  args: [
    ...simulate,
    '--boundaries',
    'known',
    '--durations',
    '1h,8h,24h',
    '--mix',
    '--experiments',
    quick ? '40' : '1000',
  ],
});
const resampled = study('resampled', {
  output,
  args: [
    ...simulate,
    '--boundaries',
    'known',
    '--dimensions',
    '10x300',
    '--replicates',
    replicates,
    '--experiments',
    quick ? '10' : '30',
  ],
});
/** Curves over the number of runs, of three benchmarks at most. */
const curved = simulated.slice(0, 3);
const curves = ['lab', 'simulate', ...curved, ...simulate.slice(2 + simulated.length), '--boundaries', 'known'];
const location = study('location', {
  output,
  args: [
    ...curves,
    '--runs',
    '5,10,20,40',
    '--iterations',
    '30',
    '--replicates',
    replicates,
    '--experiments',
    quick ? '10' : '40',
  ],
});
const runs = study('runs', {
  output,
  args: [
    ...curves,
    '--durations',
    quick ? '1h' : '8h',
    '--runs',
    quick ? '2,5,10' : '2,5,10,20,40,80',
    '--experiments',
    quick ? '40' : '400',
  ],
});

const classes = rowsOf(tableOf(steady, 'Which runs'));
const forks = rowsOf(tableOf(steady, 'Every run'));
const unsteady = forks.filter((run) => run.class === 'no steady state').length;
const published = chosen.reduce((sum, one) => sum + one.no_steady_state_forks, 0);
const agreeing = chosen.filter(({ benchmark, classification }) => {
  const open = forks.filter((run) => run.benchmark === benchmark && run.class === 'no steady state').length;
  return (open === 0) === (classification === 'steady state');
});

const tied = forks.filter((run) => run.or !== undefined && run.or !== null && run.or !== '').length;

const missesOf = (tables, title) => {
  const rows = rowsOf(tableOf(tables, title));
  const missed = (own) =>
    ['aware', 'ignorant'].map((kind) => percent(meanOf(own.map((row) => row[`${kind} missed`])))).join(' : ');
  const [worst] = rows.toSorted((one, other) => other['aware missed'] - one['aware missed']);
  return `${missed(rows)}; most by ${worst.benchmark.split('#')[0]}: ${missed([worst])}`;
};
/** Of the grand mean by the number of runs in the same time, mean over benchmarks. */
const spreads = rowsOf(tableOf(runs, 'Segment-aware widths')).filter((row) => row.interval === 'normal');
const spreadOf = (count) =>
  meanOf(spreads.filter((row) => row['runs x iterations'].startsWith(`${count} in `)).map((row) => row.spread));
const counts = [...new Set(spreads.map((row) => Number(row['runs x iterations'].split(' ')[0])))].toSorted(
  (a, b) => a - b,
);
const missesBy = (count) =>
  meanOf(
    rowsOf(tableOf(location, 'Misses and widths of intervals by resampling'))
      .filter((row) => row['runs x iterations'].startsWith(`${count}x`))
      .map((row) => row['aware missed']),
  );
const fewer = 'other benchmarks, and far fewer experiments than 250 000 a benchmark';
writeComparison(output, {
  title: "OOPSLA'26: segments of steady performance",
  data: `Data: ${chosen.length} benchmarks, ${forks.length} forks of 3000 iterations of 100 ms (Traini et al., EMSE 28:13).`,
  rows: [
    [
      'Table 1: runs that are not steady, mean over benchmarks',
      `${printedMean('Table 1', 7)} (25 Renaissance workloads)`,
      percent(meanOf(classes.map((row) => row['not steady']))),
      'microbenchmarks of 5 min; the paper has runs of 8.5 h',
    ],
    [
      'Table 1: runs that slow down',
      printedMean('Table 1', 6),
      percent(meanOf(classes.map((row) => row.slowdown))),
      'long runs have more time to slow down',
    ],
    [
      'forks without a steady state, as published by Traini et al.',
      `${published} of ${forks.length}`,
      `${unsteady} of ${forks.length}`,
      'close calls of the bootstrap; one of two segmentations of equal cost',
    ],
    [
      'benchmarks of the class that Traini et al. published',
      `${chosen.length}`,
      `${agreeing.length} of ${chosen.length}`,
      `one fork decides about inconsistent; ${tied} forks have another class by the other of two segmentations that cost the same`,
    ],
    [
      'Table 7: missed by aware : ignorant intervals, normal quantiles',
      printedMisses('Table 7'),
      missesOf(mixed, 'Misses and widths of intervals with normal'),
      `${fewer}; PELT joins neighbours of like level, and segments weigh alike, which shifts the mean: the next row is without that`,
    ],
    [
      'the same with known boundaries',
      'not printed; the improvements "tend to be smaller"',
      missesOf(known, 'Misses and widths of intervals with normal'),
      fewer,
    ],
    [
      "Table 8: the same, Student's t",
      printedMisses('Table 8'),
      missesOf(mixed, "Misses and widths of intervals with Student's t"),
      fewer,
    ],
    [
      'Table 9: the same by resampling',
      printedMisses('Table 9'),
      missesOf(resampled, 'Misses and widths of intervals by resampling'),
      `${fewer}; 10 runs of 300 iterations, ${replicates} replicates`,
    ],
    [
      'Table 5: width over the spread of the grand mean, by resampling; here by normal quantiles and t',
      `${Math.min(...widths)} to ${Math.max(...widths)}`,
      rowsOf(tableOf(known, 'Segment-aware widths'))
        .slice(0, 6)
        .map((row) => `${row['width / spread']?.toFixed(2)} (${row.interval})`)
        .join(', '),
      'the largest six at most; two runs by t quantiles are far wider than what they hold',
    ],
    [
      'Figure 8: where intervals lie, by number of runs',
      'in a figure; few runs of a bimodal workload are too narrow',
      `by resampling missed with 5 runs ${percent(missesBy(5))}, with 40 ${percent(missesBy(40))}`,
      `${curved.length} benchmarks, runs of 30 iterations`,
    ],
    [
      `Figure 11: spread of the grand mean by number of runs, in ${quick ? '1 h' : '8 h'}`,
      'in a figure; flat around the numbers that equation 4 recommends',
      counts.map((count) => `${count}: ${percent(spreadOf(count))}`).join(', '),
      `${curved.length} benchmarks, 24 h in the paper; mean over benchmarks`,
    ],
  ],
  steps: ['classes', 'mixed', 'known', 'resampled', 'location', 'runs'],
});
