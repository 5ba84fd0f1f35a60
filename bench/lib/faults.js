// Experiments of which one call of the C library fails, or all from one on (faults.c), and what the next start makes of them.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sharedMemoryDirectory } from '@deadheat/sync';

const root = fileURLToPath(new URL('../..', import.meta.url));
const published = join(root, 'core/deadheat/bin/deadheat.js');
/** As faults.c has them. */
const calls =
  'open read write sync truncate link rename unlink mkdir close stat list lock map memfd spawn fork pipe affinity'.split(
    ' ',
  );
const runs = 3;
const hangMs = 120_000;
const helpers = 'deadheat.js:command.js:launcher/main.js:guardian/main.js:bench.mjs';

/** The library of faults.c; `null` where nothing compiles it. */
export function buildFaults(folder) {
  const library = join(folder, 'faults.so');
  try {
    const source = fileURLToPath(new URL('faults.c', import.meta.url));
    execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], { stdio: 'pipe' });
    return library;
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

const resumed = (folder) =>
  existsSync(join(folder, 'recording/experiment.json')) ? ['--resume', join(folder, 'recording')] : null;
const experiment = (...args) => ({
  prepare: () => {},
  args: (folder) => ['--runs', runs, '--seed', 's', '--output', join(folder, 'recording'), ...args],
  below: (folder) => join(folder, 'recording'),
  next: resumed,
  state: (folder) => recordingState(join(folder, 'recording')),
});

/**
 * Works: what is made before, by a command without faults; its arguments; the folder below which calls fail; the next start, `null` for the same command; and
 * what has to be equal to an undisturbed work.
 */
const works = {
  duet: experiment('--method', 'sync-duet', 'true', 'true'),
  turns: experiment('--method', 'sequential', 'true', 'true'),
  tandem: experiment('--method', 'tandem', 'true', 'true'),
  harness: {
    ...experiment(),
    prepare: (folder) =>
      writeFileSync(
        join(folder, 'bench.mjs'),
        `import { bench } from ${JSON.stringify(import.meta.resolve('@deadheat/harness'))};\n` +
          "bench('count', () => { for (let i = 0, s = 0; i < 1000; i++) s += i; }, { iterationTime: 1 });\n",
      ),
    args: (folder) => [
      ...experiment('--harness', '--method', 'sync-duet', '--iterations', 5).args(folder),
      `${process.execPath} ${join(folder, 'bench.mjs')}`,
    ],
  },
  export: {
    prepare: recordOnce,
    args: (folder) => [
      'export',
      '--format',
      'parquet',
      '--file',
      join(folder, 'out.parquet'),
      join(folder, 'recording'),
    ],
    below: (folder) => folder,
    next: () => null,
    state: (folder) => filesState(join(folder, 'out.parquet')),
  },
  push: {
    prepare: recordOnce,
    args: (folder) => [
      'history',
      'push',
      join(folder, 'recording'),
      '--to',
      join(folder, 'history'),
      '--commit',
      `A=${'a'.repeat(40)},B=${'b'.repeat(40)}`,
    ],
    below: (folder) => join(folder, 'history'),
    next: () => null,
    state: (folder) => recordingsState(join(folder, 'history')),
  },
  watch: {
    prepare: (folder) => {
      const repository = join(folder, 'repository');
      mkdirSync(repository);
      const sides = "{ A: { command: 'true' }, B: { command: 'true' } }";
      writeFileSync(
        join(folder, 'b.yaml'),
        `name: watched\nruns: ${runs}\nmethods: [sequential]\nbenchmarks:\n  one: ${sides}\n`,
      );
      writeFileSync(join(repository, 'x'), '1');
      const git = (...args) =>
        execFileSync('git', ['-C', repository, '-c', 'user.name=n', '-c', 'user.email=n@example.org', ...args], {
          stdio: 'pipe',
        });
      git('init', '-q', '-b', 'main');
      for (const text of ['1', '2']) {
        writeFileSync(join(repository, 'x'), text);
        git('add', '.');
        git('commit', '-q', '-m', text);
      }
    },
    args: (folder) => [
      'history',
      'watch',
      join(folder, 'repository'),
      '--benchmarks',
      join(folder, 'b.yaml'),
      '--canary',
      'none',
      '--once',
      '--store',
      join(folder, 'store/history'),
      '--directory',
      join(folder, 'store/own'),
    ],
    below: (folder) => join(folder, 'store'),
    next: () => null,
    state: (folder) => recordingsState(join(folder, 'store/history')),
  },
  loading: {
    ...experiment('--method', 'sequential', 'true', 'true'),
    below: () => root,
  },
};
export const workNames = Object.keys(works);

/** A finished recording, the same for all. */
let recorded;
async function recordOnce(folder, { start }) {
  if (recorded === undefined) {
    recorded = mkdtempSync(join(tmpdir(), 'deadheat-faulty-'));
    process.once('exit', () => rmSync(recorded, { recursive: true, force: true }));
    await start(experiment('--method', 'sequential', 'true', 'true').args(recorded)).ended;
  }
  cpSync(recorded, folder, { recursive: true });
}

/** Order, cores and padding of the runs that count: all that was drawn, and nothing that was measured. */
function recordingState(recording) {
  const trials = readFileSync(join(recording, 'trials.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ phase, status }) => phase === 'measure' && status === 'ok');
  const sideOf = ({ cpu, padBytes, iterations, record }) => [cpu, padBytes, iterations.length, record !== null];
  return JSON.stringify([
    existsSync(join(recording, 'report.json')),
    existsSync(join(recording, 'iterations.parquet')),
    ...trials
      .sort((a, b) => a.run - b.run)
      .map(({ run, order, method, sides: { A, B } }) => [run, order, method, sideOf(A), sideOf(B)]),
  ]);
}

function filesBelow(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function recordingsState(path) {
  const found = filesBelow(path).filter((file) => file.endsWith('trials.jsonl'));
  const shapes = found.map((file) => {
    const trials = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    return [trials.length, existsSync(join(file, '../report.json')), trials.map(({ run, status }) => [run, status])];
  });
  // The index of a history is made again where it is missing.
  const rest = filesBelow(path)
    .map((file) => relative(path, file).replaceAll(/\d{8}T\d{6}Z|[0-9a-f]{8,}/g, '*'))
    .filter((name) => !name.startsWith('index-'))
    .sort();
  return JSON.stringify([shapes, rest]);
}

function filesState(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** A sweep: one class of calls of one work that fails in one way. */
export class Sweep {
  /** @readonly */
  #name;
  /** @readonly */
  #work;
  /** @readonly */
  #options;
  /**
   * A lack of permission is a mistake of the user's.
   *
   * @readonly
   */
  #allowed;

  /**
   * @param work one of `workNames`
   * @param call class of calls (faults.c)
   * @param error name of an error of the system, or `SHORT`: half of the bytes
   * @param isOn all later calls fail, too
   * @param library of `buildFaults`
   */
  constructor({ work, call, error, isOn, library, command = [process.execPath, published] }) {
    this.#work = works[work];
    this.#name = `${work}, ${call}, ${error}${isOn ? ' from then on' : ''}`;
    this.#options = { call, error, isOn, library, command };
    this.#allowed = error === 'EACCES' ? [0, 2, 4, 5] : [0, 4, 5];
  }

  get name() {
    return this.#name;
  }

  /** Calls of each class in an undisturbed work, and its state. */
  static async count(work, { library, command = [process.execPath, published] }) {
    const sweep = new Sweep({ work, call: 'all', error: 'EIO', isOn: false, library, command });
    return sweep.#execute(0);
  }

  /**
   * Has call number `at` fail, starts again without faults, and compares.
   *
   * @returns `wrong`: what is not as it should be, in words; empty where all is well
   */
  async fault(at, expected) {
    const found = await this.#execute(at, expected);
    const { status, log, next, state } = found;
    const sentence = /^deadheat: \S+ .*/m.test(log) && !/unexpected error|^ {4}at /m.test(log);
    const wrong = [
      ...(this.#allowed.includes(status) ? [] : [`ended with ${status}`]),
      ...(status === 0 || sentence ? [] : ['no sentence']),
      ...(status === 0 && found.stateBefore !== expected ? ['0 without all of it'] : []),
      ...(next === 0 ? [] : [`the next start ended with ${next}`]),
      ...(state === expected ? [] : [`not exact: ${state} instead of ${expected}`]),
      ...found.left,
    ];
    return { ...found, at, wrong };
  }

  async #execute(at, expected = null) {
    const { call, error, isOn, library, command } = this.#options;
    const folder = mkdtempSync(join(tmpdir(), 'deadheat-faults-'));
    const mark = folder;
    const pages = mkdtempSync(join(sharedMemoryDirectory() ?? folder, 'faults-'));
    const temporary = mkdtempSync(join(tmpdir(), 'deadheat-faulty-'));
    const counter = join(temporary, '..', `${folder.split('/').at(-1)}.counter`);
    const [file, ...before] = command;
    const work = this.#work;
    const start = (args, more = {}) => {
      const child = spawn(file, [...before, ...args.map(String)], {
        cwd: folder,
        env: {
          ...process.env,
          DEADHEAT_SHM: pages,
          TMPDIR: temporary,
          HOME: folder,
          GITHUB_STEP_SUMMARY: '',
          DEADHEAT_FAULTS: mark,
          ...more,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const one = { log: '' };
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (one.log += text));
      const exit = new Promise((resolve) => child.once('exit', (status, signal) => resolve(status ?? signal)));
      one.ended = Promise.race([exit, sleep(hangMs, 'hang', { ref: false })]);
      return one;
    };
    const safely = (of) => {
      try {
        return of();
      } catch (thrown) {
        return `no state: ${thrown.message}`;
      }
    };
    try {
      writeFileSync(counter, Buffer.alloc(512));
      await work.prepare(folder, { start });
      const one = start(work.args(folder), {
        LD_PRELOAD: library,
        UV_USE_IO_URING: '0',
        FAULT_COUNTER: counter,
        FAULT_CLASS: call,
        FAULT_ERRNO: String(error === 'SHORT' ? 0 : constants.errno[error]),
        FAULT_AT: String(at),
        FAULT_BELOW: work.below(folder),
        FAULT_IN: helpers,
        ...(isOn ? { FAULT_ON: '1' } : {}),
      });
      const status = await one.ended;
      const numbers = readFileSync(counter);
      const failed = numbers.readBigInt64LE(8);
      const counts = Object.fromEntries(
        calls.map((name, index) => [name, Number(numbers.readBigInt64LE(16 + 8 * index))]),
      );
      const stateBefore = safely(() => work.state(folder));
      if (at === 0) return { counts, state: stateBefore, status, log: one.log };
      // Where nothing is missing and nothing is left there is nothing that the next start could do.
      if (status === 0 && stateBefore === expected && (await leftovers(mark, [pages, temporary])).length === 0) {
        return {
          status,
          hits: Number(failed),
          log: one.log,
          next: 0,
          nextLog: '',
          stateBefore,
          state: stateBefore,
          left: [],
        };
      }
      const again = start(work.next(folder) ?? work.args(folder));
      const next = await again.ended;
      return {
        status,
        hits: Number(failed),
        log: one.log,
        next,
        nextLog: again.log,
        stateBefore,
        state: safely(() => work.state(folder)),
        left: await leftovers(mark, [pages, temporary]),
      };
    } finally {
      for (const pid of processesOf(mark)) process.kill(pid, 'SIGKILL');
      for (const path of [folder, pages, temporary, counter]) rmSync(path, { recursive: true, force: true });
    }
  }
}

/** What is there two seconds after the next start has ended. */
async function leftovers(mark, folders) {
  for (let looks = 0; ; looks++) {
    const left = [...folders.flatMap((path) => readdirSync(path)), ...processesOf(mark).map((pid) => `process ${pid}`)];
    if (left.length === 0 || looks === 100) return left.map((one) => `left ${one}`);
    await sleep(50);
  }
}

function processesOf(mark) {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return (
          Number.isInteger(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`DEADHEAT_FAULTS=${mark}`)
        );
      } catch {
        return false;
      }
    });
}
