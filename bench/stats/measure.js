// Runs one case in this process: prints {ms, maxRssBytes, note}. Started by index.js, so that each case has its own memory.
import { cases } from './cases.js';

const { repeat, prepare } = cases[process.argv[2]];
const { run, note, close } = await prepare();
const durations = [];
let result = repeat > 1 ? await run() : undefined;
for (let i = 0; i < repeat; i++) {
  const start = performance.now();
  result = await run();
  durations.push(performance.now() - start);
}
await close?.();
durations.sort((a, b) => a - b);
const maxRssBytes = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ ms: durations[Math.floor(repeat / 2)], maxRssBytes, note: note?.(result) }));
