// The gain of a duet over sequential runs under three neighbours, for the four workloads of ICPE'20 section 4.4.
import { getAffinity } from '@deadheat/sync';
import { workloadNames } from '@deadheat/workloads';
import {
  calibrateCommand,
  deadheat,
  percent,
  printMachine,
  printTable,
  quote,
  startNeighbour,
  times,
  widthPercent,
  workload,
} from '../lib/tools.js';

const runs = Number(process.env.DEADHEAT_BENCH_RUNS ?? 60);
const milliseconds = 50;
const neighbours = ['none', 'both', 'one'];

export async function run() {
  printMachine();
  const cpus = getAffinity().slice(0, 2);
  const rows = [];
  let seed = 1;
  for (const kind of workloadNames) {
    const execute = workload(kind);
    const command = quote(execute(calibrateCommand(execute, milliseconds)));
    for (const around of neighbours) {
      const own = seed++;
      const on = around === 'both' ? cpus : cpus.slice(0, 1);
      const running = around === 'none' ? null : await startNeighbour({ cpus: on, seed: own });
      try {
        const run = async (...options) => {
          const args = ['--runs', String(runs), '--confidence', '0.99', ...options, command, command];
          const { report } = await deadheat(args);
          const [comparison] = report.comparisons;
          const widths = { auto: widthPercent(comparison.ratio), autoMetric: comparison.metric };
          widths[comparison.metric] = widthPercent(comparison.ratio);
          for (const { metric, ratio } of comparison.otherMetrics) widths[metric] = widthPercent(ratio);
          return widths;
        };
        const sequential = await run('--method', 'sequential');
        const fixed = await run('--swap', 'never');
        const traded = await run('--swap', 'pair');
        rows.push([
          kind,
          around,
          percent(sequential.time),
          percent(fixed.time),
          percent(traded.time),
          percent(fixed.cpu),
          percent(traded.cpu),
          `${percent(traded.auto)} (${traded.autoMetric})`,
          times(sequential.time / traded.auto),
        ]);
      } finally {
        await running?.stop();
      }
    }
  }
  printTable(
    ['workload', 'neighbour', 'sequential', 'duet', 'traded', 'duet, CPU', 'traded, CPU', 'default', 'gain'],
    rows,
  );
  console.log(`\n${runs} pairs each; widths of the 99 % interval of the ratio; gain = sequential wall time / default.`);
}
