// Runs used and verdicts of `--until decided` on A/A, 1 %, 5 % and twice the work: npm run bench -- until [repetitions]. 20 repetitions take
// seven minutes or so: what is not decided takes --max-time or is given up before.
// npm run bench -- until gzip [repetitions]: gzip of 2 % more input, and twice as often of the same, beside two busy loops; 25 minutes.
import { deadheat, median, printMachine, printTable, quote, workload } from '../lib/tools.js';
import { runGzip } from './gzip.js';

/** @type {[string, number][]} */
const factors = [
  ['the same', 1],
  ['1 % more', 1.01],
  ['5 % more', 1.05],
  ['twice the work', 2],
];
/** @type {[string, string[]][]} Without a margin a dead heat is never safe: equal programs go on until that is clear. */
const ways = [
  ['--until decided', ['--until', 'decided']],
  ['--until decided --margin 1%', ['--until', 'decided', '--margin', '1%']],
  ['--quick', ['--quick']],
];
const maxTime = '5s';
/** Of the workload in C: some 20 ms here. Fixed, so that a busy moment at the start cannot make it shorter. */
const amount = 100_000;

export async function run([count = '20', gzipCount = '20']) {
  printMachine();
  if (count === 'gzip') await runGzip(Number(gzipCount));
  else await runInteger(Number(count));
}

async function runInteger(repetitions) {
  const execute = workload('integer');
  const rows = [];
  for (const [way, options] of ways) {
    for (const [name, factor] of factors) {
      const runs = [];
      const seconds = [];
      const executionsMs = [];
      const verdicts = new Map();
      for (let i = 0; i < repetitions; i++) {
        const [a, b] = [quote(execute(amount)), quote(execute(Math.round(amount * factor)))];
        const { report } = await deadheat([...options, '--max-time', maxTime, '--seed', `until-${name}-${i}`, a, b]);
        const [comparison] = report.comparisons;
        const answer = comparison.interim.reached ? comparison.verdict : `${comparison.verdict} (not decided)`;
        runs.push(comparison.runs);
        executionsMs.push(comparison.sides.A.user * 1000);
        seconds.push(comparison.time.wallNs / 1e9);
        verdicts.set(answer, (verdicts.get(answer) ?? 0) + 1);
      }
      const told = [...verdicts].map(([verdict, times]) => `${times} ${verdict}`).join(', ');
      const range = `${Math.min(...runs)} … ${Math.max(...runs)}`;
      rows.push([
        way,
        name,
        `${median(executionsMs).toFixed(1)} ms`,
        median(runs),
        range,
        `${median(seconds).toFixed(1)} s`,
        told,
      ]);
      console.log(`${way}, ${name}: ${told}`);
    }
  }
  console.log(`\n${repetitions} repetitions each, executions of ${amount} units of work, --max-time ${maxTime}\n`);
  printTable(['options', 'B', 'CPU time of A', 'median runs', 'runs', 'median time', 'verdicts'], rows);
}
