// The demo's workload: folds a digest over a text again and again. Usage: digest.js TURNS
import { createHash } from 'node:crypto';

const turns = Number(process.argv[2]);
const text = Buffer.from('the quick brown fox jumps over the lazy dog; '.repeat(500));
let digest = Buffer.alloc(32);
for (let turn = 0; turn < turns; turn++) digest = createHash('sha256').update(text).update(digest).digest();
process.stdout.write(`${digest.toString('hex')}\n`);
