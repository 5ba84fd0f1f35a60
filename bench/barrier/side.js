// One side of the barrier bench: PAGE PARTY CPU BARRIERS. Prints the clock right after each release.
import { Barrier, monotonicNowNs, openPage, setAffinity } from '@deadheat/sync';

const [path, party, cpu, barriers] = process.argv.slice(2);
setAffinity([Number(cpu)]);
const barrier = new Barrier(openPage(path), Number(party));
const stamps = new Float64Array(Number(barriers));
for (let i = 0; i < stamps.length; i++) {
  barrier.arrive({ wait: 'spin', deadlineMs: 60_000 });
  stamps[i] = monotonicNowNs();
  // Work of random length, so that now one and now the other side is last to arrive.
  const until = stamps[i] + 20_000 + ((i * (party === '0' ? 7919 : 104_729)) % 30_000);
  while (monotonicNowNs() < until);
}
process.stdout.write(Buffer.from(stamps.buffer));
