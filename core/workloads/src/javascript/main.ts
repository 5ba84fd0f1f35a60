import { benchWorkload } from './bench-workload.ts';
import { workloadNames } from './workloads.ts';

/** `main.js NAME AMOUNT ITERATIONS [KIB]`: the counterpart of c/workload.c. */
const [name, amount, iterations, kib] = process.argv.slice(2);
const workload = workloadNames.find((known) => known === name);
if (workload === undefined) {
  process.stderr.write(`usage: main.js ${workloadNames.join('|')} AMOUNT ITERATIONS [KIB]\n`);
  process.exitCode = 2;
} else {
  const result = await benchWorkload({
    workload,
    amount: Number(amount),
    iterations: Number(iterations),
    ...(kib === undefined ? {} : { workingSetBytes: Number(kib) * 1024 }),
  });
  process.stdout.write(`${result}\n`);
}
