// How often all three verdicts of `deadheat demo` are right, and how long it takes: npm run bench -- demo [repetitions] [neighbour], of
// itself 20 beside two busy loops, which take 15 minutes.
import { beside } from '../lib/neighbours.js';
import { deadheat, median, percent, printMachine, printTable } from '../lib/tools.js';

/** By benchmark: right verdicts, and the ratio that the work is chosen for. */
const truths = {
  'the same program twice': { verdicts: ['dead-heat'], ratio: 1 },
  '3 % more work': { verdicts: ['slower'], ratio: 1.03 },
  'twice the work': { verdicts: ['slower'], ratio: 2 },
};

export async function run([count = '20', neighbour = 'loops']) {
  printMachine();
  const told = Object.fromEntries(Object.keys(truths).map((name) => [name, []]));
  const seconds = [];
  let right = 0;
  for (let repetition = 1; repetition <= Number(count); repetition++) {
    const { report, wallMs } = await beside(neighbour, { seed: `demo-${repetition}` }, () =>
      deadheat(['demo'], { plain: true }),
    );
    const wrong = report.comparisons.filter(({ benchmark, verdict }) => !truths[benchmark].verdicts.includes(verdict));
    for (const comparison of report.comparisons) told[comparison.benchmark].push(comparison);
    seconds.push(wallMs / 1000);
    right += wrong.length === 0 ? 1 : 0;
    const ratios = report.comparisons.map(({ interval, method }) => `${interval.estimate.toFixed(3)} (${method})`);
    const verdict = wrong.length === 0 ? 'right' : `wrong: ${wrong.map(({ benchmark }) => benchmark).join(', ')}`;
    console.log(`${repetition}: ${ratios.join(', ')}; ${(wallMs / 1000).toFixed(1)} s; ${verdict}`);
  }
  console.log(
    `\nAll three verdicts right in ${right} of ${count} (goal: 19 of 20), neighbour: ${neighbour}; median ${median(seconds).toFixed(1)} s, ` +
      `longest ${Math.max(...seconds).toFixed(1)} s (goal: 60 s)\n`,
  );
  printTable(
    ['comparison', 'right', 'expected', 'median ratio', 'ratios', 'median width'],
    Object.entries(told).map(([name, comparisons]) => {
      const ratios = comparisons.map(({ interval }) => interval.estimate);
      return [
        name,
        comparisons.filter(({ verdict }) => truths[name].verdicts.includes(verdict)).length,
        truths[name].ratio,
        median(ratios).toFixed(4),
        `${Math.min(...ratios).toFixed(3)} … ${Math.max(...ratios).toFixed(3)}`,
        percent(100 * median(comparisons.map(({ interval: { low, high, estimate } }) => (high - low) / estimate))),
      ];
    }),
  );
}
