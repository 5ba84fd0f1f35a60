// Laaber et al., "Dynamically reconfiguring software microbenchmarks" (FSE'20): replayed on the published steady-state series of 40 JMH
// benchmarks, whose iterations of 100 ms make iterations of 1 s. Their invocations are not published, only the means of iterations.
import {
  percent,
  publishedSeries,
  readArguments,
  rowsOf,
  study,
  tableOf,
  writeComparison,
} from './lib/reproduction.js';

const { output, quick } = readArguments('fse20');
const chosen = publishedSeries({ quick });
const files = chosen.map(({ path }) => path);
const readings = ['paper', 'jmh-reconfigure'];
const tables = Object.fromEntries(
  readings.map((like) => [
    like,
    study(like, { output, args: ['lab', 'study', 'stopping', ...files, '--like', like, '--seed', 'fse20'] }),
  ]),
);

/** A column of the row of each criterion, in both readings: `paper / jmh-reconfigure`. */
const cellsOf = (title, column, format) =>
  ['cv', 'rciw', 'kld']
    .map((criterion) =>
      readings
        .map((like) => {
          const row = rowsOf(tableOf(tables[like], title)).find((one) => one.criterion === criterion);
          return format(row?.[column] ?? null);
        })
        .join(' / '),
    )
    .join(', ');
const savedOf = (criterion) =>
  readings
    .map((like) => {
      const total = rowsOf(tableOf(tables[like], 'Time saved')).find(({ project }) => project === 'Total');
      return percent(total?.[`${criterion} saved`] ?? null);
    })
    .join(' / ');
const number = (value) => (value === null ? '-' : value.toFixed(1));
const means = 'means of iterations instead of invocations; other benchmarks';
const quality = 'Result quality';
const places = 'Where it stopped';
writeComparison(output, {
  title: "FSE'20: stopping when results are stable",
  data: `Data: ${chosen.length} benchmarks of 10 forks (Traini et al., EMSE 28:13). Here: criteria as the paper prints them / as the authors' extension of JMH computes them; CV, RCIW, KLD.`,
  rows: [
    [
      'Table 2: A/A tests not different',
      '78.8 %, 87.6 %, 79.6 %',
      cellsOf(quality, 'A/A not different', percent),
      means,
    ],
    ['Table 2: mean change', '3.1 %, 1.4 %, 2.4 %', cellsOf(quality, 'mean change', percent), means],
    ['Table 2: changed by less than 1 %', '57.4 %, 73.2 %, 62.3 %', cellsOf(quality, 'changed < 1 %', percent), means],
    ['Table 2: changed by less than 2 %', '72.4 %, 87.0 %, 78.2 %', cellsOf(quality, 'changed < 2 %', percent), means],
    ['Table 2: changed by less than 3 %', '79.6 %, 91.9 %, 84.6 %', cellsOf(quality, 'changed < 3 %', percent), means],
    [
      'Table 3: time saved in total',
      '82.0 %, 66.2 %, 79.5 %',
      ['cv', 'rciw', 'kld'].map((criterion) => savedOf(criterion)).join(', '),
      `${means}; deciding is charged as it was measured here`,
    ],
    [
      'warm-up iterations',
      'KLD 17.3',
      cellsOf(places, 'warm-up iterations', number),
      'of the text of the paper KLD is seldom stable',
    ],
    ['forks', '-', cellsOf(places, 'forks', number), 'for comparison'],
  ],
  steps: readings,
});
