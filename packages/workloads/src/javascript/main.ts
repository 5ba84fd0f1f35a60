import { benchWorkload } from './bench-workload.ts';
import { workloadNames } from './workloads.ts';

/** `main.js NAME AMOUNT ITERATIONS`: what c/workload.c is in C. */
const [name, amount, iterations] = process.argv.slice(2);
const workload = workloadNames.find((known) => known === name);
if (workload === undefined) {
  process.stderr.write(`usage: main.js ${workloadNames.join('|')} AMOUNT ITERATIONS\n`);
  process.exitCode = 2;
} else {
  const result = await benchWorkload({ workload, amount: Number(amount), iterations: Number(iterations) });
  process.stdout.write(`${result}\n`);
}
