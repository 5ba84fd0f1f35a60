// PAGE BARRIERS: waits for the worker after each barrier, each time in another way; prints the ways.
import { Barrier, openPage, word } from '@deadheat/sync';

const [path, barriers] = process.argv.slice(2);
const page = openPage(path);
const barrier = new Barrier(page, 0);
const nothing = new Int32Array(new SharedArrayBuffer(4));
const sleep = (ms) => Atomics.wait(nothing, 0, 0, ms);
const hasCome = () => Atomics.load(page.words, word.cursor(1)) > barrier.reached;
const ways = {
  'waits at the barrier': () => {},
  'sleeps 50 us at a time': () => {
    while (!hasCome()) sleep(0.05);
  },
  asleep: () => {
    // Longer than the work takes.
    do sleep(200);
    while (!hasCome());
  },
};

const names = Object.keys(ways);
const used = [];
for (let i = 0; i <= Number(barriers); i++) {
  barrier.arrive({ wait: 'yield', deadlineMs: 60_000 });
  if (i === Number(barriers)) break;
  const name = names[i % names.length];
  ways[name]();
  used.push(name);
}
console.log(JSON.stringify(used));
