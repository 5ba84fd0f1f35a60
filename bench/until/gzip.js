// How soon `--until decided` tells that gzip has 2 % more input, and how often it errs when it has not, beside two busy loops.
import { beside } from '../lib/neighbours.js';
import { makeRealPrograms } from '../lib/programs.js';
import { calibrateCommand, countsOf, deadheat, median, printTable, quote } from '../lib/tools.js';

const milliseconds = 100;
const maxTime = '20s';
/** The default, and what was the default before tandems. */
const ways = { auto: [], 'sync-duet': ['--method', 'sync-duet'] };

/** The ways take turns; the same input is compared twice as often, by the default alone. */
export async function runGzip(repetitions) {
  const programs = makeRealPrograms();
  const found = [];
  try {
    const { gzip } = programs.commands;
    const amount = calibrateCommand(gzip, milliseconds);
    const compare = async (factor, { way, number }) => {
      const commands = [amount, Math.round(amount * factor)].map((size) => quote(gzip(size)));
      const seed = `until-gzip-${factor}-${number}`;
      const rule = ['--until', 'decided', '--confidence', '0.99', '--max-time', maxTime];
      const { report, wallMs } = await deadheat([...rule, ...ways[way], '--seed', seed, ...commands]);
      const [{ verdict, method, runs, interval, time }] = report.comparisons;
      found.push({ factor, way, method, verdict, runs, seconds: wallMs / 1000, pairSeconds: time.wallNs / 1e9 });
      const shown = `${interval.estimate.toFixed(4)} [${interval.low.toFixed(4)}, ${interval.high.toFixed(4)}]`;
      console.log(`${factor}, ${way}: ${verdict} ${shown}, ${runs} runs, ${(wallMs / 1000).toFixed(1)} s`);
    };
    await beside('loops', { seed: 'until-gzip' }, async () => {
      for (let number = 0; number < repetitions; number++) {
        for (const way of Object.keys(ways)) await compare(1.02, { way, number });
        for (const half of [0, 1]) await compare(1, { way: 'auto', number: 2 * number + half });
      }
    });
  } finally {
    programs.remove();
  }
  console.log(
    `\ngzip of ${milliseconds} ms beside two busy loops, --until decided --confidence 0.99 --max-time ${maxTime}\n`,
  );
  const groups = [
    ['2 % more input', 1.02, 'auto'],
    ['2 % more input', 1.02, 'sync-duet'],
    ['the same input', 1, 'auto'],
  ];
  printTable(
    ['B', 'method', 'verdicts', 'median runs', 'median time of the runs', 'median time of the command', 'goal'],
    groups.map(([name, factor, way]) => {
      const own = found.filter((one) => one.factor === factor && one.way === way);
      return [
        name,
        way === 'auto' ? `auto: ${countsOf(own.map(({ method }) => method))}` : way,
        countsOf(own.map(({ verdict }) => verdict)),
        median(own.map(({ runs }) => runs)),
        `${median(own.map(({ pairSeconds }) => pairSeconds)).toFixed(1)} s`,
        `${median(own.map(({ seconds }) => seconds)).toFixed(1)} s`,
        way !== 'auto' ? '' : factor === 1 ? 'none slower or faster' : 'slower in 6 s',
      ];
    }),
  );
}
