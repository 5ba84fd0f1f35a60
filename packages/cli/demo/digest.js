// The demo's workload: the SHA-256 digest of a megabyte of text, again and again. Usage: digest.js TURNS
import { createHash } from 'node:crypto';

const turns = Number(process.argv[2]);
const text = Buffer.alloc(1 << 20, 'the quick brown fox jumps over the lazy dog; ');
const digest = createHash('sha256');
for (let turn = 0; turn < turns; turn++) digest.update(text);
process.stdout.write(`${digest.digest('hex')}\n`);
