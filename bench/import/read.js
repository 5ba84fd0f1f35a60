// Reads one result file and tells what it took, as JSON.
import { statSync } from 'node:fs';
import { fileSource, importFile } from '@deadheat/readers';

const [path, options = '{}'] = process.argv.slice(2);
const begin = performance.now();
const { benchmarks } = await importFile(fileSource(path), JSON.parse(options));
const ms = performance.now() - begin;
const iterations = benchmarks.reduce(
  (sum, { runs }) => sum + runs.reduce((of, { iterations: list }) => of + list.length, 0),
  0,
);
const bytes = statSync(path).size;
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({
    ms,
    cpuMs: (user + system) / 1e3,
    bytes,
    iterations,
    peakBytes: process.resourceUsage().maxRSS * 1024,
  }),
);
