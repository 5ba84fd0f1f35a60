// How long it takes to judge a recording of 1 000 pairs with 10 000 replicates, in a process of its own each time.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median, printMachine, printTable } from '../lib/tools.js';

const rounds = 7;
const judge = fileURLToPath(new URL('./judge.js', import.meta.url));

export async function run() {
  printMachine();
  const rows = ['pair', 'never'].map((swap) => {
    const times = Array.from({ length: rounds }, () => JSON.parse(execFileSync(process.execPath, [judge, swap])));
    return [
      swap === 'pair' ? '500 traded blocks (default)' : '1 000 runs (--swap never)',
      `${median(times.map(({ first }) => first)).toFixed(0)} ms`,
      `${median(times.map(({ second }) => second)).toFixed(0)} ms`,
      '300 ms',
    ];
  });
  printTable(['1 000 pairs, 10 000 replicates', 'first time in a process', 'second time', 'goal'], rows);
}
