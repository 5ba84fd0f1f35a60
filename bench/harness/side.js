// One side of a duet whose iterations take next to no time: CPU. Prints, sorted, the ns from the end of each iteration
// to the start of the next: record, barrier and everything else that the harness does.
import { readFileSync } from 'node:fs';
import { bench, run } from '@deadheat/harness';
import { setAffinity } from '@deadheat/sync';

setAffinity([Number(process.argv[2])]);
bench('empty', () => {}, { invocations: 1 });
await run();
const [, ...lines] = readFileSync(process.env.DEADHEAT_RECORD, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const gaps = lines.slice(1).map(({ s }, k) => s - lines[k].e);
process.stdout.write(JSON.stringify(gaps.slice(1000).toSorted((a, b) => a - b)));
