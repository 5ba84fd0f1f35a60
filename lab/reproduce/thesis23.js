// Drozdik, "Asynchronous duet benchmarking" (thesis, 2023): own short experiments with artificial workloads in place of the suites.
import {
  meanOf,
  measureBoth,
  percent,
  readArguments,
  rowsOf,
  study,
  tableOf,
  writeComparison,
} from './lib/reproduction.js';

const { output, quick } = readArguments('thesis23');
const size = [
  '--runs',
  quick ? '4' : '10',
  '--iterations',
  quick ? '20' : '60',
  '--duration',
  '10ms',
  '--seed',
  'thesis23',
];
const workloads = quick ? ['--workload', 'integer,memory'] : [];
// Both studies measure by the same methods; the tables of this one take less time.
const recordings = measureBoth('recordings', {
  output,
  args: ['lab', 'study', 'overlap', '--run', ...workloads, ...size],
});
const overlap = study('overlap', { output, args: ['lab', 'study', 'overlap', ...recordings] });
const mds = study('mds', { output, args: ['lab', 'study', 'mds', ...recordings] });

const neighbours = ['none', 'both'];
const methods = ['sync-duet', 'async-duet', 'sequential'];
const by = (rows, neighbour, method, test) =>
  rows.filter(
    (row) => row.neighbour === neighbour && row.method === method && (test === undefined || row.test === test),
  );
/** A figure by method, idle : disturbed. */
const perMethod = (cellOf) =>
  methods
    .map((method) => `${method} ${neighbours.map((neighbour) => cellOf(neighbour, method)).join(' : ')}`)
    .join(', ');
const unchanged = rowsOf(tableOf(mds, 'Share of benchmarks in which no change'));
const smallest = rowsOf(tableOf(mds, 'Smallest slowdown'));
const spread = rowsOf(tableOf(mds, 'Variation and width'));
const savings = rowsOf(tableOf(overlap, 'What running both sides'));
const overlapping = rowsOf(tableOf(overlap, 'Relative overlap time'));
const detection = rowsOf(tableOf(overlap, 'A/A runs in which'));
const suites = `${quick ? 'two' : 'four'} artificial workloads in place of suites; ${quick ? 'four' : 'ten'} runs of seconds`;
writeComparison(output, {
  title: 'Thesis (2023): asynchronous duets',
  data: 'Data: artificial workloads against themselves, measured here; idle : beside bursts that hit both cores at the same moments.',
  rows: [
    [
      'Figure 5.1: speedup of running both sides at once',
      'none to almost 2, "even slower for some benchmarks" with 2 vCPUs',
      neighbours
        .map((neighbour) => meanOf(by(savings, neighbour, 'async-duet').map((row) => row.speedup))?.toFixed(2) ?? '-')
        .join(' : '),
      suites,
    ],
    [
      'Figure 5.2: relative overlap time above a rate of 0.3, 0.5, 0.9',
      'above 80 %, above 60 %, below 20 %',
      ['above 0.3', 'above 0.5', 'above 0.9']
        .map((rate) => percent(meanOf(overlapping.map((row) => row[rate]))))
        .join(', '),
      'how alike the times of both sides are: those of a machine that others use differ more, idle ones keep in step for longer',
    ],
    [
      'Figure 5.3: coefficient of variation',
      'sequential usually smaller, "no significant difference between methods or environments"',
      perMethod((neighbour, method) => percent(meanOf(by(spread, neighbour, method).map((row) => row.CV)))),
      suites,
    ],
    [
      'Figure 5.4: A/A runs without a reported change, rate 0.4 of asynchronous duets',
      '"reasonably good", with "steep rises or declines" by the rate',
      percent(meanOf(detection.map((row) => row['above 0.4']))),
      suites,
    ],
    [
      'Figure 5.5: relative width of the interval (equation 4.2)',
      'by suite and environment, in a figure',
      perMethod((neighbour, method) =>
        percent(meanOf(by(spread, neighbour, method).map((row) => row['relative width']))),
      ),
      suites,
    ],
    [
      'Figure 5.6: A/A runs without a reported change, interval test',
      '"straddles 80%", best in the cloud',
      perMethod((neighbour, method) => percent(by(unchanged, neighbour, method, 'interval')[0]?.['0 %'])),
      suites,
    ],
    [
      'Figure 5.7: the same, u-test',
      '"much worse", "in the bare-metal environment in particular"',
      perMethod((neighbour, method) => percent(by(unchanged, neighbour, method, 'Mann-Whitney')[0]?.['0 %'])),
      `${suites}; iterations of a run resemble each other, which the u-test does not know`,
    ],
    [
      'Figure 5.8: detectable slowdown, interval test',
      '5 % for almost all benchmarks by duets in bare metal and cloud, 1 % for SPEC CPU',
      perMethod((neighbour, method) =>
        percent(meanOf(by(smallest, neighbour, method, 'interval').map((row) => row['detectable slowdown']))),
      ),
      `${suites}; mean of those that have one up to 15 % (-: none has), power 80 %`,
    ],
  ],
  steps: ['overlap', 'mds'],
});
