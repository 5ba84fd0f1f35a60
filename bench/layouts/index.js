// Layouts as a level of variance: A/A comparisons of one program with eight builds a side and with one, a real change of 2 % found with eight, and
// what LAYOUT_SUSPECTED says: npm run bench -- layouts [experiments of each kind]. What was measured is kept in bench/out/layouts, so that a
// later call goes on; an experiment takes about three minutes.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
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
  const { number } = readArguments(given, { bench: 'layouts', known: [], count: 28 });
  printMachine();
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(repository, '.git'))) makeRepository(repository, { rounds, share });
  for (let experiment = 0; experiment < number; experiment++) await measure(experiment);
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

/** The four comparisons of an experiment, all of builds with the same seed. */
async function measure(experiment) {
  const done = new Set(readKept().flatMap((one) => (one.experiment === experiment ? [one.kind] : [])));
  if (done.size === 4) return;
  const range = (head) => ['git', `base..${head}`, '--exact', '--build', 'make --silent', '--layouts', String(layouts)];
  const how = ['--runs', runs, '--method', 'tandem', '--seed', `layouts ${experiment}`];
  const counted = [...how, '--also', 'instructions'];
  const roots = {};
  for (const [kind, head] of [
    ['many', 'base'],
    ['more', 'more'],
  ]) {
    // The builds are asked for in any case: they may be kept no longer.
    const output = join(folder, `${kind}-${experiment}-${process.pid}`);
    const few = done.has(kind) ? ['--runs', '4', ...how.slice(2)] : how;
    const { report } = await deadheat([...range(head), ...few], {
      command: ['--', './program'],
      environment,
      output,
      cwd: repository,
    });
    const { config } = JSON.parse(readFileSync(join(output, 'experiment.json'), 'utf8'));
    const { A, B } = config.benchmarks[0].layouts;
    // The folder of a build that is not in use.
    const programOf = ({ root }) => join(dirname(root), 'parked/program');
    roots[kind] = { A: programOf(A[0]), B: programOf(B[0]) };
    if (!done.has(kind)) keep({ kind, experiment, report });
  }
  for (const [kind, { A, B }] of [
    ['one', roots.many],
    ['real', { A: roots.many.A, B: roots.more.B }],
  ]) {
    if (done.has(kind)) continue;
    const { report } = await deadheat([...counted, A, B], { environment });
    keep({ kind, experiment, report });
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
