// A side of a duet: iterations of 1 000 invocations that always do the same, whose times it records. AMOUNT is the work of one.
import { appendFileSync } from 'node:fs';
import { Barrier, decision, openPage, sideState, word } from '@deadheat/sync';

const { AMOUNT, DEADHEAT_SIDE, DEADHEAT_PAGE, DEADHEAT_RECORD, DEADHEAT_ITERATIONS } = process.env;
const party = DEADHEAT_SIDE === 'A' ? 0 : 1;
const page = openPage(DEADHEAT_PAGE);
const barrier = new Barrier(page, party);
const amount = Number(AMOUNT);
const times = new Float64Array(1000);
let x = 1;

function invoke() {
  for (let k = amount; k > 0; k--) x = (Math.imul(x, 1_103_515_245) + 12_345) | 0;
}

function iterate() {
  let before = process.hrtime.bigint();
  const start = before;
  for (let k = 0; k < times.length; k++) {
    invoke();
    const now = process.hrtime.bigint();
    times[k] = Number(now - before);
    before = now;
  }
  return { s: Number(start), e: Number(before) };
}

Atomics.store(page.words, word.pid(party), process.pid);
Atomics.store(page.words, word.state(party), sideState.running);
// What the compilers do is no part of it.
for (let k = 0; k < 5; k++) iterate();
barrier.beginBenchmark();
appendFileSync(DEADHEAT_RECORD, `${JSON.stringify({ deadheat: 1, benchmark: 'loop' })}\n`);
for (let i = 0; i < Number(DEADHEAT_ITERATIONS); i++) {
  const kind = barrier.arrive({ wait: 'spin', deadlineMs: 30_000 });
  if (kind === decision.stop) break;
  const { s, e } = iterate();
  const p = kind === decision.warmup ? 'warmup' : 'measure';
  Atomics.store(page.words, word.workDone(party), i + 1);
  appendFileSync(DEADHEAT_RECORD, `${JSON.stringify({ i, s, e, n: times.length, p, d: Array.from(times) })}\n`);
}
Atomics.store(page.words, word.state(party), sideState.finished);
Atomics.store(page.words, word.pid(party), 0);
if (x === 0.5) console.log(x);
