import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { descendants, observeTasks, observeWrites, processesBelow, type TaskObservation } from '@deadheat/sync';
import { kill } from '../src/processes.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { noPages, until } from './support.ts';

const busy = 'while :; do :; done';
/** So much CPU time is many turns of each of several programs. */
const leastSeenNs = 200e6;
const firstCore = ['taskset', '-c', '0'] as const;
const short = 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done';

describe.skipIf(noPages !== null)('the observation of tasks', () => {
  let parent: ChildProcess | null = null;

  afterEach(() => {
    const pid = parent?.pid;
    parent = null;
    if (pid === undefined) return;
    for (const one of [...descendants(pid), pid]) kill(one);
  });

  /** Starts a shell that waits for what it started, and is not looked at itself; looks at what is below it, often. */
  async function observe(
    script: string,
    { processes = 1, leastNs = 0, on = [] }: { processes?: number; leastNs?: number; on?: readonly string[] } = {},
  ): Promise<TaskObservation> {
    const [file, ...words] = [...on, '/bin/sh', '-c', `${script} wait`];
    parent = spawn(file, words, { stdio: 'ignore' });
    const pid = parent.pid ?? 0;
    await until(() => processesBelow(pid).length >= processes);
    return look(() => processesBelow(pid), leastNs);
  }

  /** Of programs that take as much each: on a machine that has much else to do one may have had fewer turns while they were looked at. */
  async function observeEqual(script: string): Promise<TaskObservation> {
    await observe(script, { processes: 3 });
    const pid = parent?.pid ?? 0;
    for (;;) {
      const seen = await look(() => processesBelow(pid), leastSeenNs);
      if (seen.tasks > 1.5) return seen;
    }
  }

  async function look(processes: () => readonly number[], leastSeenNs = 0): Promise<TaskObservation> {
    for (let ms = 300; ; ms *= 2) {
      const observation = observeTasks(processes);
      await pause(ms);
      const seen = observation.stop();
      // On a machine that has much else to do there may be few looks, and unequal turns.
      if (seen.samples >= 10 && seen.seenNs >= leastSeenNs) return seen;
    }
  }

  it('sees that a program computes all the time', async () => {
    const { runnable, tasks } = await observe(`{ ${busy}; } &`);
    // Whether it has a core or waits for one.
    expect(runnable).toBeGreaterThan(0.8);
    expect(tasks).toBeGreaterThan(0.9);
    expect(tasks).toBeLessThan(1.2);
  });

  it('has one late look stand for all the time since the one before', async () => {
    parent = spawn('/bin/sh', ['-c', `{ ${busy}; } & wait`], { stdio: 'ignore' });
    const pid = parent.pid ?? 0;
    await until(() => processesBelow(pid).length > 0);
    const observation = observeTasks(() => processesBelow(pid));
    // A busy machine keeps this process from its looks.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    await pause(10);
    const { samples, runnable } = observation.stop();
    expect(samples).toBeGreaterThanOrEqual(50);
    expect(runnable).toBeGreaterThan(0.9);
  });

  it('does not count the time before a program began that a late look is the first of', async () => {
    const started: number[] = [];
    const observation = observeTasks(() => started);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
    parent = spawn('/bin/sleep', ['1000'], { stdio: 'ignore' });
    started.push(parent.pid ?? 0);
    await pause(50);
    const { samples } = observation.stop();
    expect(samples).toBeGreaterThan(0);
    expect(samples).toBeLessThan(1500);
  });

  it.skipIf(spawnSync('python3', ['-V']).status !== 0)(
    'sees the threads of a program whose first one has ended, in its only look, too',
    async () => {
      const program = `
import ctypes, threading
def work():
    while True: pass
threading.Thread(target=work).start()
ctypes.CDLL(None).pthread_exit(None)`;
      parent = spawn('python3', ['-c', program], { stdio: 'ignore' });
      const pid = parent.pid ?? 0;
      await until(() => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1')));
      let looks = 0;
      const observation = observeTasks(() => (looks++ === 0 ? [] : [pid]));
      await until(() => looks > 1);
      const { tasks, samples } = observation.stop();
      expect(samples).toBeGreaterThan(0);
      expect(tasks).toBeCloseTo(1, 0);
    },
  );

  it('sees that a program sleeps', async () => {
    parent = spawn('/bin/sleep', ['1000'], { stdio: 'ignore' });
    const pid = parent.pid ?? 0;
    // Its start is over: one look on a machine that has much else to do stands for a long time.
    await until(() => /^\d+ \(sleep\) S /.test(readFileSync(`/proc/${pid}/stat`, 'latin1')));
    const { runnable } = await look(() => [pid]);
    expect(runnable).toBeLessThan(0.1);
  });

  it('counts the programs that compute at the same time, also beside one that sleeps', async () => {
    const { runnable, tasks } = await observeEqual(`{ ${busy}; } & { ${busy}; } & sleep 1000 &`);
    expect(runnable).toBeGreaterThan(0.9);
    expect(tasks).toBeLessThan(2.3);
  });

  it('counts one where programs compute one after the other', async () => {
    const { runnable, tasks } = await observe(`{ while :; do /bin/sh -c '${short}'; done; } &`, {
      leastNs: leastSeenNs,
    });
    expect(runnable).toBeGreaterThan(0.3);
    expect(tasks).toBeLessThan(1.5);
  });

  it('counts one where they do so on a core that others want, too, with helpers that wait for their turn', async () => {
    const [file, ...words] = [...firstCore, '/bin/sh', '-c', busy] as const;
    const other = spawn(file, words, { stdio: 'ignore' });
    try {
      const all = `{ while :; do /bin/sh -c '${short}' | cat; done; } &`;
      const { tasks } = await observe(all, { processes: 3, leastNs: leastSeenNs, on: firstCore });
      expect(tasks).toBeLessThan(1.5);
    } finally {
      kill(other.pid ?? 0);
    }
  });

  it('counts one beside helpers that have little to do, on a core that others want', async () => {
    const turn = 'i=0; while [ $i -lt 200 ]; do i=$((i+1)); done; echo';
    // They work as it goes on: by the clock they would have as much to do as a program that hardly has its turn.
    const helper = `while read _; do ${turn}; done`;
    const all = `{ while :; do ${short}; echo; done; } | { ${helper}; } | { ${helper}; } > /dev/null &`;
    const { runnable, tasks } = await observe(all, { processes: 3, leastNs: leastSeenNs, on: firstCore });
    expect(runnable).toBeGreaterThan(0.9);
    expect(tasks).toBeLessThan(1.5);
  });

  it('counts one beside four helpers that take most of its time together, as those of an engine do', async () => {
    const spin =
      'function spin(rounds) { let s = 0; for (let i = 0; i < rounds * 1e5; i++) s = (s * 31 + i) | 0; return s; }';
    // They compute beside the thread that they help, so that both are slower where two share a core, and are compiled before.
    const helper = `${spin} const { parentPort, workerData: turn } = require('node:worker_threads');
      for (let i = 0; i < 20; i++) spin(6);
      parentPort.postMessage('compiled');
      for (let done = 0; ; done++) { Atomics.wait(turn, 0, done); spin(6); Atomics.add(turn, 1, 1); Atomics.notify(turn, 1); }`;
    const program = `${spin} const { Worker } = require('node:worker_threads');
      const turn = new Int32Array(new SharedArrayBuffer(8));
      const helpers = [1, 2, 3, 4].map(() => new Worker(${JSON.stringify(helper)}, { eval: true, workerData: turn }));
      let compiled = 0;
      function work() {
        for (let all = 4; ; all += 4) {
          Atomics.add(turn, 0, 1);
          Atomics.notify(turn, 0);
          spin(40);
          for (let done = turn[1]; done < all; done = Atomics.load(turn, 1)) Atomics.wait(turn, 1, done);
        }
      }
      for (const one of helpers) one.once('message', () => ++compiled === 4 && (spin(100), console.log('all'), setTimeout(work, 10)));`;
    const started = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] });
    parent = started;
    await once(started.stdout, 'data');
    const { tasks } = await look(() => [started.pid ?? 0], leastSeenNs);
    expect(tasks).toBeLessThan(1.5);
  });

  it('counts what its children start', async () => {
    const { tasks } = await observeEqual(`{ { ${busy}; } & { ${busy}; } & wait; } &`);
    expect(tasks).toBeLessThan(2.3);
  });

  it('counts the threads of a program', async () => {
    const program = `
      const { Worker } = require('node:worker_threads');
      const workers = [0, 1].map(() => new Worker("require('node:worker_threads').parentPort.postMessage(0); for (;;) {}", { eval: true }));
      let computing = 0;
      for (const worker of workers) worker.once('message', () => ++computing === 2 && console.log('both'));
    `;
    const started = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] });
    parent = started;
    await once(started.stdout, 'data');
    let seen: TaskObservation;
    // On a machine that has much else to do a thread may not have had its turn between two looks.
    do seen = await look(() => [started.pid ?? 0]);
    while (seen.tasks <= 1.5);
    const { runnable, tasks } = seen;
    expect(runnable).toBeGreaterThan(0.9);
    // Threads of the engine may help for a moment.
    expect(tasks).toBeLessThan(3);
  });

  it('has no sample where there is nothing to look at', async () => {
    parent = spawn('/bin/sleep', ['1000'], { stdio: 'ignore' });
    const pid = parent.pid ?? 0;
    const observation = observeTasks(() => processesBelow(pid));
    await pause(100);
    expect(observation.stop()).toEqual({ samples: 0, runnable: 0, tasks: 0, seenNs: 0 });
  });

  it('leaves out what has ended and was not waited for', async () => {
    // The shell makes way for a program that does not know of its child.
    parent = spawn('/bin/sh', ['-c', 'true & exec sleep 1000'], { stdio: 'ignore' });
    const pid = parent.pid ?? 0;

    function states(): readonly number[] {
      return processesBelow(pid);
    }

    await until(() => states().length === 1);
    let seen: TaskObservation;
    do {
      const observation = observeTasks(states);
      await pause(100);
      seen = observation.stop();
    } while (seen.samples > 0);
    expect(states()).toHaveLength(1);
  });
});

describe.skipIf(noPages !== null)('the observation of writes', () => {
  it('sees what is open for writing, and neither what is only read, even if it might be written, nor added to, nor no file, nor what this process has open', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'observe-writes-test-'));
    function at(name: string): string {
      return join(folder, name);
    }
    for (const name of ['read', 'queried', 'changed']) writeFileSync(at(name), '');
    // A database opens its file like this for a query, too.
    utimesSync(at('queried'), 1e9, 1e9);
    const files = `3> ${at('written')} 4< ${at('read')} 5>> ${at('added')} 6<> ${at('changed')} 7<> ${at('queried')} > /dev/null`;
    const log = openSync(at('log'), 'w');
    const child = spawn('/bin/sh', ['-c', `exec sleep 1000 ${files}`], { stdio: ['ignore', 'ignore', log] });
    const pid = child.pid ?? 0;
    try {
      await until(() => existsSync(at('written')));
      let seen: readonly string[];
      do {
        const observation = observeWrites(() => [pid]);
        await pause(20);
        writeFileSync(at('changed'), 'x');
        seen = observation.stop();
      } while (seen.length < 2);
      expect(seen.toSorted()).toEqual([at('changed'), at('written')]);
    } finally {
      kill(pid);
      closeSync(log);
      rmSync(folder, { recursive: true });
    }
  });
});
