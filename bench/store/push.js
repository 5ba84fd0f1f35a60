// Pushes a recording; prints how long that took and the most memory it had. Usage: push.js RECORDING PLACE
import { openHistory } from '@deadheat/history';

const [, , directory, place] = process.argv;
const began = performance.now();
const history = await openHistory(place, { forWriting: true, variables: process.env });
const outcome = await history.put({ directory });
await history.close();
if (outcome !== 'added') throw new Error(`it was ${outcome}`);
const seconds = (performance.now() - began) / 1000;
console.log(JSON.stringify({ seconds, peakBytes: process.resourceUsage().maxRSS * 1024 }));
