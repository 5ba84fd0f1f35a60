// Layouts as a level of variance: A/A comparisons of one program with eight builds a side and with one, a real change of 2 % found with eight, and
// what LAYOUT_SUSPECTED says: npm run bench -- layouts [same] [change] [experiments of each kind]. What was measured is kept in bench/out/layouts, so that a
// later call goes on; an experiment takes about three minutes.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deadheat, out, percent, printMachine, printTable, readArguments } from '../lib/tools.js';
import { makeRepository } from './program.js';

const folder = join(out, 'layouts');
const kept = join(folder, 'results.jsonl');
const repository = join(folder, 'repository');
const environment = { DEADHEAT_CACHE: join(folder, 'cache') };
const layouts = 8;
const runs = '80';
const rounds = 100;
const share = 0.02;

export async function run(given) {
  const { asked, number } = readArguments(given, { bench: 'layouts', known: Object.keys(parts), count: 28 });
  const chosen = asked.length > 0 ? asked : Object.keys(parts);
  printMachine();
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(repository, '.git'))) makeRepository(repository, { rounds, share });
  for (let experiment = 0; experiment < number; experiment++) await measure(experiment, chosen);
  const results = readKept();
  const isConfident = ({ verdict }) => verdict === 'slower' || verdict === 'faster';
  const of = (kind) => results.filter((one) => one.kind === kind);
  const count = (kind, isOne) => of(kind).filter(isOne).length;
  const isFound = ({ verdict }) => verdict === 'slower';
  const isSuspected = ({ suspected }) => suspected;
  const made = of('one').filter(isConfident);
  printTable(
    ['experiments', 'number', 'what', 'times'],
    [
      [`A/A, ${layouts} layouts a side`, of('many').length, 'confident verdict', count('many', isConfident)],
      ['A/A, one layout a side', of('one').length, 'confident verdict', made.length],
      [
        `+${percent(100 * share)}, ${layouts} layouts a side`,
        of('more').length,
        'found slower',
        count('more', isFound),
      ],
      ['A/A, one layout a side, confident', made.length, 'LAYOUT_SUSPECTED', made.filter(isSuspected).length],
      [
        `+${percent(100 * share)}, one layout a side`,
        of('real').length,
        'LAYOUT_SUSPECTED',
        count('real', isSuspected),
      ],
    ],
  );
  const spreads = of('many').map(({ between }) => between ** 2);
  const pooled = Math.sqrt(spreads.reduce((sum, one) => sum + one, 0) / spreads.length);
  const widths = of('many').map(({ high, low }) => (high - low) / 2);
  console.log(
    `\ntwo builds differ by ${percent(100 * pooled)} (standard deviation of the ratio, ${(layouts - 1) * spreads.length} degrees of freedom);`,
  );
  console.log(
    `the interval over ${layouts} layouts reaches ${percent(100 * widths.toSorted((a, b) => a - b)[widths.length >> 1])} (median)`,
  );
}

function readKept() {
  if (!existsSync(kept)) return [];
  return readFileSync(kept, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** What a part of an experiment compares with the program: itself or the change, with all builds and with one of each side. */
const parts = {
  same: { head: 'base', many: 'many', one: 'one' },
  change: { head: 'more', many: 'more', one: 'real' },
};

/** The comparisons of an experiment, all of builds with the same seed. */
async function measure(experiment, chosen) {
  const done = new Set(readKept().flatMap((one) => (one.experiment === experiment ? [one.kind] : [])));
  const how = ['--runs', runs, '--method', 'tandem', '--seed', `layouts ${experiment}`];
  const build = ['--build', 'make --silent', '--layouts', String(layouts)];
  for (const { head, many, one } of chosen.map((part) => parts[part])) {
    if (done.has(many) && done.has(one)) continue;
    // The builds are asked for in any case: they may be kept no longer.
    const few = done.has(many) ? ['--runs', '4', ...how.slice(2)] : how;
    const output = join(folder, `${many}-${experiment}-${process.pid}`);
    const { report } = await deadheat(['git', `base..${head}`, '--exact', ...build, ...few], {
      command: ['--', './program'],
      environment,
      output,
      cwd: repository,
    });
    if (!done.has(many)) keep({ kind: many, experiment, report });
    const { config } = JSON.parse(readFileSync(join(output, 'experiment.json'), 'utf8'));
    rmSync(output, { recursive: true });
    if (done.has(one)) continue;
    const { A, B } = config.benchmarks[0].layouts;
    // The folder of a build that is not in use.
    const [a, b] = [A, B].map(([{ root }]) => join(dirname(root), 'parked/program'));
    const single = await deadheat([...how, '--also', 'instructions', a, b], { environment });
    keep({ kind: one, experiment, report: single.report });
  }
}

function keep({ kind, experiment, report }) {
  const [{ verdict, interval, otherMetrics, warnings, layouts: effects }] = report.comparisons;
  const line = {
    kind,
    experiment,
    verdict,
    ratio: interval.estimate,
    low: interval.low,
    high: interval.high,
    ...(effects === undefined ? {} : { between: effects.between, within: effects.within }),
    instructions: otherMetrics.find(({ metric }) => metric === 'instructions')?.interval.estimate,
    suspected: warnings.some(({ code }) => code === 'LAYOUT_SUSPECTED'),
  };
  appendFileSync(kept, `${JSON.stringify(line)}\n`);
  console.log(`${kind} ${experiment + 1}: ${verdict}, ${percent(100 * (interval.estimate - 1))}`);
}
