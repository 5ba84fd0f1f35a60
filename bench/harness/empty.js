// An empty function measured by three harnesses in one process; prints nanoseconds an invocation as JSON.
import { bench, run } from '@deadheat/harness';
import { measure } from 'mitata';
import { Bench } from 'tinybench';

const write = process.stdout.write.bind(process.stdout);
// The harness prints its table: not here.
process.stdout.write = () => true;
const mitata = (await measure(() => {})).p50;
bench('empty', () => {});
const [outcome] = await run();
const sorted = outcome.times.toSorted((a, b) => a - b);
const harness = sorted[sorted.length >> 1];
const tiny = new Bench();
tiny.add('empty', () => {});
await tiny.run();
process.stdout.write = write;
write(JSON.stringify({ harness, mitata, tinybench: tiny.tasks[0].result.latency.p50 * 1e6 }));
