// Pairs two sides of 100 000 iterations by their overlaps; prints how long that took, in milliseconds.
import { overlaps } from '@deadheat/analysis';
import { createRandom } from '@deadheat/stats';

const random = createRandom('pairing bench');
const side = () => {
  let s = random.int(20_000);
  return Array.from({ length: 100_000 }, () => {
    const span = { s, e: s + Math.round(20_000 * Math.exp(0.1 * random.normal())) };
    s = span.e + 100;
    return span;
  });
};
const [a, b] = [side(), side()];
const began = performance.now();
overlaps(a, b, { minimumRate: 0.4 });
console.log(performance.now() - began);
