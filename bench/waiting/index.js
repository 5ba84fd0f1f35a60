// Two programs on one core: what a side that waits at the barrier costs the side that works, by how it waits; and how
// much two processes with the same functions differ, on a core each and on one core.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readWorkloadRecord } from '@deadheat/recording';
import { createPage, getAffinity, removePage, setAffinity, sharedMemoryDirectory } from '@deadheat/sync';
import { median, printMachine, printTable } from '../lib/tools.js';

const waits = 300;
const runs = 12;
const iterations = 40;
const warmup = 20;
const pathOf = (name) => fileURLToPath(new URL(`./${name}.js`, import.meta.url));
const execute = promisify(execFile);

export async function run() {
  printMachine();
  if (getAffinity().length < 2 || sharedMemoryDirectory() === null)
    return console.log('skipped: a duet needs two CPUs and shared memory');
  const rows = [];
  for (const apart of [false, true]) rows.push(...(await measureWaiting(apart)));
  printTable(['a side that waits', 'sessions', 'adds to the CPU time of the other'], rows);
  console.log('');
  await measureFunctions();
}

/** Starts a Node program on one CPU, with all its threads. */
function startOn(cpu, args, { apart = false, ...options } = {}) {
  const [program, ...rest] = [...(apart ? ['setsid'] : []), process.execPath, ...args];
  const own = getAffinity();
  setAffinity([cpu]);
  try {
    return execute(program, rest, options);
  } finally {
    setAffinity(own);
  }
}

/** @param apart true = each side has a session of its own, as deadheat's have */
async function measureWaiting(apart) {
  const [cpu] = getAffinity();
  const page = createPage(sharedMemoryDirectory());
  try {
    const [waiter, worker] = await Promise.all(
      ['waiter', 'worker'].map((name) => startOn(cpu, [pathOf(name), page.path, String(waits)], { apart })),
    );
    const policies = JSON.parse(waiter.stdout);
    const times = JSON.parse(worker.stdout);
    const of = (policy) => median(times.filter((_, i) => i >= 10 && policies[i] === policy));
    const row = (policy) => [policy, apart ? 'two' : 'one', `${((of(policy) / of('asleep') - 1) * 100).toFixed(1)} %`];
    return ['waits at the barrier', 'sleeps 50 us at a time'].map(row);
  } finally {
    removePage(page.path);
  }
}

async function measureFunctions() {
  const [x, y] = getAffinity();
  const modes = [
    { cpus: [x, y], environment: {} },
    { cpus: [x, x], environment: { DEADHEAT_WAIT: 'yield' } },
  ];
  const ratios = new Map();
  for (let number = 0; number < runs; number++) {
    for (const mode of number % 2 === 0 ? modes : modes.toReversed()) {
      for (const [name, ratio] of await ratiosOfRun(mode, number)) {
        const both = ratios.get(name) ?? modes.map(() => []);
        both[modes.indexOf(mode)].push(ratio);
        ratios.set(name, both);
      }
    }
  }
  printTable(
    ['function', 'a core each', 'one core, yielding', `sd of ln(B/A) over ${runs} runs`],
    Array.from(ratios, ([name, both]) => {
      const [apart, together] = both.map(deviation);
      return [name, apart.toFixed(3), together.toFixed(3), `${(apart / together).toFixed(1)}x`];
    }),
  );
}

/** For each function the logarithm of B's mean CPU time over A's. */
async function ratiosOfRun({ cpus, environment }, number) {
  const page = createPage(sharedMemoryDirectory());
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-bench-'));
  const sides = ['A', 'B'];
  try {
    await Promise.all(
      sides.map((side, party) =>
        startOn(cpus[(party + number) % 2], [pathOf('functions')], {
          env: {
            ...process.env,
            DEADHEAT_SIDE: side,
            DEADHEAT_PAGE: page.path,
            DEADHEAT_RECORD: join(folder, side),
            DEADHEAT_ITERATIONS: String(iterations),
            DEADHEAT_WARMUP: String(warmup),
            ...environment,
          },
        }),
      ),
    );
    const [a, b] = await Promise.all(sides.map((side) => readWorkloadRecord(join(folder, side))));
    return a.benchmarks.map(({ benchmark, iterations: ofA }, i) => {
      const [usedByA, usedByB] = [ofA, b.benchmarks[i].iterations].map((of) => sum(of.metric('c').slice(warmup)));
      return [benchmark, Math.log(usedByB / usedByA)];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    removePage(page.path);
  }
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

function deviation(values) {
  const mean = sum(values) / values.length;
  return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1));
}
