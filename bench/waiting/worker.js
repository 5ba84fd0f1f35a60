// PAGE BARRIERS: works after each barrier; prints the CPU time of each piece of work, ns.
import { Barrier, openCpuClocks, openPage } from '@deadheat/sync';

const [path, barriers] = process.argv.slice(2);
const barrier = new Barrier(openPage(path), 1);
const { threadNs } = openCpuClocks();
// In the first cache, so that it shows what the other side throws out of it.
const numbers = Int32Array.from({ length: 6000 }, (_, i) => (i * 7919) | 0);
const passes = 600;
let kept = 0;

function work() {
  let hash = 0;
  for (let pass = 0; pass < passes; pass++) for (const number of numbers) hash = (hash * 31 + number) | 0;
  kept ^= hash;
}

const times = [];
for (let i = 0; i < Number(barriers); i++) {
  barrier.arrive({ wait: 'yield', deadlineMs: 60_000 });
  const start = threadNs();
  work();
  times.push(threadNs() - start);
}
barrier.arrive({ wait: 'yield', deadlineMs: 60_000 });
if (kept === 1) console.error(kept);
console.log(JSON.stringify(times));
