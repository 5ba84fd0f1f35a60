// A workload of 2.0 times the work: what ratio is measured?
import { calibrateCommand, deadheat, printMachine, printTable, quote, workload } from '../lib/tools.js';

export async function run() {
  printMachine();
  const execute = workload('integer');
  const amount = calibrateCommand(execute, 100);
  const rows = [];
  for (const method of ['sync-duet', 'async-duet', 'sequential']) {
    const runs = method === 'async-duet' ? ['--runs', '6', '--iterations', '5'] : ['--runs', '30'];
    const { report } = await deadheat([
      ...runs,
      '--method',
      method,
      quote(execute(amount)),
      quote(execute(2 * amount)),
    ]);
    const [{ ratio, metric, verdict, otherMetrics }] = report.comparisons;
    const show = (r) => `${r.estimate.toFixed(4)} [${r.low.toFixed(4)}, ${r.high.toFixed(4)}]`;
    rows.push([
      method,
      metric,
      show(ratio),
      verdict,
      ...otherMetrics.map((other) => `${other.metric} ${show(other.ratio)}`),
    ]);
  }
  printTable(['method', 'metric', 'ratio (2.0 expected)', 'verdict', 'other metric'], rows);
}
