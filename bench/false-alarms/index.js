// How often A/A comparisons of a 20 ms loop say slower or faster at 95 %.
import { calibrateCommand, deadheat, printMachine, quote, workload } from '../lib/tools.js';

const comparisons = 40;

export async function run() {
  printMachine();
  const execute = workload('integer');
  const command = quote(execute(calibrateCommand(execute, 20)));
  const verdicts = { slower: 0, faster: 0, 'dead-heat': 0, undecided: 0 };
  const lines = [];
  for (let i = 0; i < comparisons; i++) {
    const { report } = await deadheat(['--runs', '30', '--confidence', '0.95', '--seed', `aa-${i}`, command, command]);
    const [{ verdict, interval, metric }] = report.comparisons;
    verdicts[verdict]++;
    lines.push(`${verdict} ${metric} [${interval.low.toFixed(4)}, ${interval.high.toFixed(4)}]`);
  }
  console.log(lines.join('\n'));
  const alarms = verdicts.slower + verdicts.faster;
  console.log(`\n${comparisons} A/A comparisons at 95 %, 30 pairs each: ${alarms} false alarms (at most 5 expected)`);
}
