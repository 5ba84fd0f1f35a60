// Bulej et al., "Duet benchmarking" (ICPE'20): own short experiments with artificial workloads, on the idle machine and beside bursts on
// both cores, which stand in for ScalaBench and SPEC CPU in clouds.
import { columnOf } from './lib/paper-tables.js';
import {
  meanOf,
  percent,
  readArguments,
  rowsOf,
  measureBoth,
  study,
  tableOf,
  writeComparison,
} from './lib/reproduction.js';

const { output, quick } = readArguments('icpe20');
const size = [
  '--runs',
  quick ? '4' : '10',
  '--iterations',
  quick ? '16' : '40',
  '--duration',
  '20ms',
  '--seed',
  'icpe20',
];
const workloads = quick ? ['--workload', 'integer,memory'] : [];
const recordings = measureBoth('recordings', {
  output,
  args: ['lab', 'study', 'accuracy', '--run', ...workloads, ...size],
});
const doubled = measureBoth('doubled', { output, args: ['lab', 'study', 'ratio', '--run', ...workloads, ...size] });
const accuracy = study('accuracy', { output, args: ['lab', 'study', 'accuracy', ...recordings] });
const asymmetry = study('asymmetry', { output, args: ['lab', 'study', 'asymmetry', ...recordings] });
const ratio = study('ratio', { output, args: ['lab', 'study', 'ratio', ...doubled] });

const reduced = rowsOf(tableOf(accuracy, 'How many times narrower'));
const times = (neighbour, column, metric = 'wall') => {
  const row = reduced.find((one) => one.neighbour === neighbour && one.metric === metric);
  return row?.[column] === null || row === undefined ? '-' : `${row[column].toFixed(2)}x`;
};
const widths = rowsOf(tableOf(accuracy, 'Relative width'));
const pairOf = (rows) =>
  ['duet', 'shuffled'].map((column) => percent(meanOf(rows.map((row) => row[column])))).join(' : ');
const widthsOf = (neighbour) => {
  const own = widths.filter((row) => row.neighbour === neighbour && row.metric === 'wall');
  return `${pairOf(own)}; ${own.map((row) => `${row.benchmark} ${pairOf([row])}`).join(', ')}`;
};
const concurrency = rowsOf(tableOf(asymmetry, 'Time beside a copy')).filter((row) => row.metric === 'wall');
const slowdownOf = (neighbour) =>
  concurrency
    .filter((row) => row.neighbour === neighbour)
    .map((row) => `${row.benchmark} ${row.slowdown.toFixed(2)}`)
    .join(', ');
const ratios = rowsOf(tableOf(ratio, 'B / A that is known')).filter((row) => row.metric === 'wall');
const ratiosOf = (neighbour, method = 'sync-duet') =>
  ratios
    .filter((row) => row.neighbour === neighbour && row.method === method)
    .map((row) => `${row.benchmark.split(' ')[0]} ${row.measured.toFixed(2)}`)
    .join(', ');
/** Smallest and largest factor over platforms that the paper prints. */
const printedRange = (column) => {
  const factors = columnOf('icpe20', 'Table 1', column).slice(0, -1);
  return `${Math.min(...factors)}x to ${Math.max(...factors)}x`;
};
const workload = `${quick ? 'two' : 'four'} artificial workloads in place of two suites, one machine in place of six clouds, minutes in place of days`;
writeComparison(output, {
  title: "ICPE'20: duet benchmarking",
  data: 'Data: artificial workloads against themselves, measured here; idle, and beside bursts that hit both cores at the same moments.',
  rows: [
    [
      'Table 1: standard over duet width, geometric mean',
      `ScalaBench ${printedRange(1)}, SPEC CPU ${printedRange(2)}`,
      `idle ${times('none', 'duet')}, disturbed ${times('both', 'duet')}`,
      workload,
    ],
    [
      'section 4.2: standard over shuffled duet width',
      '1.02x and 1.03x',
      `idle ${times('none', 'shuffled')}, disturbed ${times('both', 'shuffled')}`,
      workload,
    ],
    [
      'Figure 5, idle: mean width of duet : shuffled',
      'shuffling "has almost no effect"',
      widthsOf('none'),
      'a machine that is used by others is not idle',
    ],
    [
      'Figure 5, disturbed: mean width of duet : shuffled',
      'shuffling changes them "significantly"',
      widthsOf('both'),
      '`cache` and `memory` differ from process to process, which no pairing takes away',
    ],
    [
      'Figure 6: measured ratio of a true one of 2, idle',
      'very close to 2.0',
      ratiosOf('none'),
      'B ends its iterations alone, where caches and cores are shared',
    ],
    ['the same, disturbed', 'slightly less, by `memory` most', ratiosOf('both'), 'for comparison'],
    [
      'the same alone, one after the other, idle',
      '-',
      ratiosOf('none', 'sequential'),
      'what B takes without A beside it: twice the work is not always twice the time',
    ],
    [
      'Figure 7: time beside a copy over time alone, idle',
      'close to 1.0 on GitLab CI, larger on other clouds; 3 "would be an extreme case"',
      slowdownOf('none'),
      'caches and cores of this machine',
    ],
    ['the same, disturbed', '-', slowdownOf('both'), 'for comparison'],
  ],
  steps: ['accuracy', 'ratio', 'asymmetry'],
});
