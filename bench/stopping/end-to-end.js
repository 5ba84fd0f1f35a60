// What deciding adds to a duet, end to end: runs of a fixed number of iterations beside runs that are followed by a criterion that
// nothing reaches, in turns. Of both sides' records the time from start to start is the wall time, and from start to end the work's own.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getAffinity, hasNativeCalls, sharedMemoryDirectory } from '@deadheat/sync';
import { mean, meanInterval } from '../lib/mean-interval.js';
import { deadheat, percent, printTable, quote } from '../lib/tools.js';

const side = fileURLToPath(new URL('./side.js', import.meta.url));
const iterations = 30;
/** Every iteration from here on ends in a full decision. */
const first = 7;
const runs = 2;
const goals = { cv: 'at most 0.2 %', rciw: 'at most 1 %', kld: 'at most 1 %' };
const fse20 = { cv: '0.88 %', rciw: '10.92 %', kld: '4.32 %' };
const variants = ['static', ...Object.keys(goals)];

/** Nothing is ever as stable as that. */
const never = 'thresholds: { cv: 1e-12, rciw: 1e-12, kld: 0.999999999999 }';

export async function measureEndToEnd({ rounds, iterationMs }) {
  if (!hasNativeCalls() || sharedMemoryDirectory() === null || getAffinity().length < 2) {
    console.log('\nskipped: a duet needs Linux, two CPUs and shared memory');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-bench-'));
  try {
    const amount = Math.round((iterationMs / 100) * 75_000);
    const measured = Object.fromEntries(variants.map((variant) => [variant, []]));
    for (let round = 0; round < rounds; round++) {
      const order = variants.map((_, k) => variants[(k + round) % variants.length]);
      for (const variant of order) measured[variant].push(await measure(variant, { folder, amount, round }));
    }
    const own = mean(measured.static.map(({ own }) => own));
    console.log(
      `\n${rounds} rounds of ${runs} runs of ${iterations} iterations of ${(own / 1e6).toFixed(0)} ms, 1 000 invocations each:`,
    );
    console.log(
      'what deciding adds to an iteration, and what that is of one of 1 s; how much longer the work itself takes.\n',
    );
    const rows = Object.keys(goals).map((criterion) => {
      const added = meanInterval(measured[criterion].map(({ wall }, k) => wall - measured.static[k].wall));
      const shift = meanInterval(measured[criterion].map(({ own }, k) => (own / measured.static[k].own - 1) * 100));
      const ms = (ns) => (ns / 1e6).toFixed(2);
      return [
        criterion,
        `${ms(added.mean)} ms [${ms(added.low)} … ${ms(added.high)}]`,
        percentOf(added.mean / 1e9),
        goals[criterion],
        fse20[criterion],
        `${shift.mean.toFixed(2)} % [${shift.low.toFixed(2)} … ${shift.high.toFixed(2)}]`,
      ];
    });
    printTable(['criterion', 'added, 95 % CI', 'share of 1 s', 'goal', "FSE'20", 'the work, 95 % CI'], rows);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Wall time of an iteration and the work's own, ns, means over the runs and sides of an experiment. */
async function measure(variant, { folder, amount, round }) {
  const file = join(folder, `${variant}.yaml`);
  const rule =
    variant === 'static'
      ? `iterations: ${iterations + 2}\nwarmup-iterations: none`
      : `stable: { criteria: [${variant}], min-warmup: 5, max-warmup: ${iterations}, measured: 1, ${never} }`;
  const command = quote([process.execPath, side]);
  writeFileSync(
    file,
    `workload: harness\nruns: ${runs}\nseed: ${round}\n${rule}\nenvironment: { AMOUNT: ${amount} }\nbenchmarks:\n  loop:\n    command: ${JSON.stringify(command)}\n`,
  );
  const output = join(folder, `${variant}-${round}`);
  await deadheat(['run', file], { output });
  const parts = [];
  for (let run = 0; run < runs; run++) {
    for (const party of ['A', 'B']) {
      const lines = readFileSync(join(output, 'iterations', `${run}-${party}.jsonl`), 'utf8')
        .trimEnd()
        .split('\n');
      const rows = lines.slice(1 + first, 1 + iterations).map((line) => JSON.parse(line));
      parts.push({
        wall: (rows.at(-1).s - rows[0].s) / (rows.length - 1),
        own: mean(rows.map(({ s, e }) => e - s)),
      });
    }
  }
  rmSync(output, { recursive: true });
  return { wall: mean(parts.map(({ wall }) => wall)), own: mean(parts.map(({ own }) => own)) };
}

function percentOf(share) {
  return share < 0 ? `-${percent(-share * 100)}` : percent(share * 100);
}
