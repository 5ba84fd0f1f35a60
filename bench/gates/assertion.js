// One assertion in a process of its own, as in a test file: node assertion.js SHARE, of more work. Prints how it ended.
import { judgeFunctions } from '../../core/harness/dist/assert/assert.js';

const share = Number(process.argv[2]);
const work = (count) => () => {
  let sum = 0;
  for (let n = 0; n < count; n++) sum = (sum + n * (sum & 7)) % 1000003;
  return sum;
};
const base = 20_000;
const { outcome, sentence } = judgeFunctions([work(base * (1 + share)), work(base)], 'slower');
console.log(JSON.stringify({ outcome, sentence }));
