// Laaber et al., "Dynamically reconfiguring software microbenchmarks" (FSE'20): replayed on the published steady-state series of 40 JMH
// benchmarks, whose iterations of 100 ms make iterations of 1 s. Their invocations are not published, only the means of iterations.
import { quoted } from './lib/paper-tables.js';
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
const printedQuality = (row) => quoted('fse20', 'Table 2', row);
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
const suite = rowsOf(tableOf(tables.paper, 'Time of the suite')).find(({ project }) => project === 'Total');
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
      printedQuality('A/A tests not different'),
      cellsOf(quality, 'A/A not different', percent),
      means,
    ],
    ['Table 2: mean change', printedQuality('Mean change rate'), cellsOf(quality, 'mean change', percent), means],
    [
      'Table 2: changed by less than 1 %',
      printedQuality('# benches < 1%'),
      cellsOf(quality, 'changed < 1 %', percent),
      means,
    ],
    [
      'Table 2: changed by less than 2 %',
      printedQuality('# benches < 2%'),
      cellsOf(quality, 'changed < 2 %', percent),
      means,
    ],
    [
      'Table 2: changed by less than 3 %',
      printedQuality('# benches < 3%'),
      cellsOf(quality, 'changed < 3 %', percent),
      means,
    ],
    [
      'Table 3: time saved in total',
      quoted('fse20', 'Table 3', 'Total'),
      ['cv', 'rciw', 'kld'].map((criterion) => savedOf(criterion)).join(', '),
      `${means}; deciding is charged as it was measured here`,
    ],
    [
      'section 5.4: warm-up iterations',
      '18.5 ± 9.4, 34.6 ± 16.6, 14.1 ± 6.9',
      cellsOf(places, 'warm-up iterations', number),
      `${means}; of those KLD is seldom stable`,
    ],
    [
      'Figure 2b: benchmarks that take less time than by the defaults of JMH, a fifth, a tenth of it, and more',
      '34 %, 28 %, 18 %, 2 %',
      ['shorter than JMH 1.21', '5 times', '10 times', 'longer'].map((name) => percent(suite?.[name])).join(', '),
      'the published series were recorded with 10 forks of 300 s, whatever their projects configure',
    ],
    ['section 5.4: forks', '3.1 ± 1.2, 3.3 ± 1.4, 4.1 ± 1.2', cellsOf(places, 'forks', number), means],
  ],
  steps: readings,
});
