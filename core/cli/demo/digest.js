// The demo's workload: the SHA-256 digest of a megabyte of text, again and again. Usage: digest.js TURNS
// digest.js TURNS cost: prints what the start of the program and all of its turns cost instead, in microseconds of CPU time.
import { createHash } from 'node:crypto';

const [turns, printed] = [Number(process.argv[2]), process.argv[3]];
const text = Buffer.alloc(1 << 20, 'the quick brown fox jumps over the lazy dog; ');
const digest = createHash('sha256');
const start = process.cpuUsage();
for (let turn = 0; turn < turns; turn++) digest.update(text);
const { user, system } = process.cpuUsage(start);
const result = digest.digest('hex');
process.stdout.write(`${printed === 'cost' ? `${start.user + start.system} ${user + system}` : result}\n`);
