// Experiments whose processes are killed, stopped and interrupted at random moments, and what is left of them in the end.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createRandom } from '@deadheat/stats';
import { processesBelow, sharedMemoryDirectory } from '@deadheat/sync';

const bin = fileURLToPath(new URL('../../core/cli/bin/deadheat.js', import.meta.url));

/** An engine that has not ended so long after the last signal hangs, ms. */
const hangMs = 45_000;
/** An engine ends within this time of Ctrl-C, ms. */
const interruptMs = 2000;
const runs = 6;
/** Until then an experiment has begun its runs, ms. */
const longestStartMs = 2500;
const killers = ['SIGKILL', 'SIGTERM'];

/** What is done to an experiment, by name: signals to its processes and pauses (ms), in order. */
export const kinds = {
  'kill engine': ({ engine }) => [[engine, 'SIGKILL']],
  'interrupt engine': ({ engine }) => [[engine, 'SIGINT']],
  'terminate engine': ({ engine }) => [[engine, 'SIGTERM']],
  'hang up engine': ({ engine }) => [[engine, 'SIGHUP']],
  'stop engine, go on': ({ engine }) => [[engine, 'SIGSTOP'], 300, [engine, 'SIGCONT']],
  'kill launcher': ({ launchers }, random) => [[pick(launchers, random), pick(killers, random)]],
  'kill both launchers': ({ launchers }) => launchers.map((pid) => [pid, 'SIGKILL']),
  'stop launcher': ({ launchers }, random) => [[pick(launchers, random), 'SIGSTOP']],
  'stop launcher, go on': ({ launchers }, random) => {
    const pid = pick(launchers, random);
    return [[pid, 'SIGSTOP'], 300, [pid, 'SIGCONT']];
  },
  'stop launcher, interrupt': ({ engine, launchers }, random) => [
    [pick(launchers, random), 'SIGSTOP'],
    100,
    [engine, 'SIGINT'],
  ],
  'stop launcher, kill engine': ({ engine, launchers }, random) => [
    [pick(launchers, random), 'SIGSTOP'],
    [engine, 'SIGKILL'],
  ],
  'kill child': ({ children }, random) => [[pick(children, random), pick(killers, random)]],
  'stop child': ({ children }, random) => [[pick(children, random), 'SIGSTOP']],
  'stop child, interrupt': ({ engine, children }, random) => [
    [pick(children, random), 'SIGSTOP'],
    100,
    [engine, 'SIGINT'],
  ],
  'kill guardian': ({ guardian }, random) => [[guardian, pick(['SIGKILL', 'SIGTERM', 'SIGINT'], random)]],
  'stop guardian': ({ guardian }) => [[guardian, 'SIGSTOP']],
  'stop guardian, interrupt': ({ engine, guardian }) => [
    [guardian, 'SIGSTOP'],
    [engine, 'SIGINT'],
  ],
  'kill engine and guardian': ({ engine, guardian }) => [
    [guardian, 'SIGKILL'],
    [engine, 'SIGKILL'],
  ],
  'kill engine and launchers': ({ engine, launchers }) => [engine, ...launchers].map((pid) => [pid, 'SIGKILL']),
  'kill all but programs': ({ engine, guardian, launchers }) =>
    [guardian, ...launchers, engine].map((pid) => [pid, 'SIGKILL']),
  'stop guardian, kill engine': ({ engine, guardian }) => [
    [guardian, 'SIGSTOP'],
    [engine, 'SIGKILL'],
  ],
};

/** These are done at any moment of an experiment, from the start of its process on, to whatever there is of it. */
const atAnyMoment = {
  'kill engine at any moment': ({ engine }) => [[engine, 'SIGKILL']],
  'kill all at any moment': ({ all }) => all.map((pid) => [pid, 'SIGKILL']),
  'interrupt twice at any moment': ({ engine }) => [
    [engine, 'SIGINT'],
    [engine, 'SIGINT'],
  ],
};
Object.assign(kinds, atAnyMoment);

/** What is measured: name, and the arguments that say it. */
const workloads = {
  commands: () => ['--method', 'sync-duet', 'sleep 0.02; true', 'sleep 0.021; true'],
  'slow commands': () => ['--method', 'sync-duet', 'sleep 0.3; true', 'sleep 0.31; true'],
  tandem: () => ['--method', 'tandem', 'sleep 0.02; true', 'sleep 0.021; true'],
  scratch: (folder) => {
    const data = join(folder, 'data');
    mkdirSync(data);
    for (let number = 0; number < 300; number++) writeFileSync(join(data, `${number}`), 'x'.repeat(2000));
    return ['--method', 'sequential', '--scratch', data, 'sleep 0.02; true', 'sleep 0.021; true'];
  },
  sequential: () => ['--method', 'sequential', 'sleep 0.02; true', 'sleep 0.021; true'],
  harness: (folder) => {
    const file = join(folder, 'bench.mjs');
    writeFileSync(
      file,
      `import { bench } from ${JSON.stringify(import.meta.resolve('@deadheat/harness'))};\n` +
        `bench('wait', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5), { iterationTime: 5 });\n`,
    );
    return ['--harness', '--method', 'sync-duet', '--iterations', '20', `${process.execPath} ${file}`];
  },
};

/**
 * Makes one experiment, does to it what its kind says, and finishes it by `--resume`.
 *
 * @param kind one of `kinds`
 * @param workload one of `workloadNames`
 * @param command what starts deadheat
 * @returns what was found: `exact` = it was completed with exactly the planned runs, each once; `late` = it ended later than two seconds
 *   after Ctrl-C; `log` = what the command said
 */
export async function killExperiment({ kind, workload, seed, command = [process.execPath, bin] }) {
  const random = createRandom(`${seed} ${kind} ${workload}`);
  const mark = `chaos-${process.pid}-${random.int(1e9).toString(36)}`;
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-kills-'));
  const pages = mkdtempSync(join(sharedMemoryDirectory() ?? folder, 'chaos-'));
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const watched = [pages, temporary];
  const recording = join(folder, 'recording');
  const [file, ...before] = command;
  function start(args) {
    const child = spawn(file, [...before, ...args], {
      cwd: folder,
      env: { ...process.env, DEADHEAT_SHM: pages, TMPDIR: temporary, DEADHEAT_KILLED: mark, GITHUB_STEP_SUMMARY: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const one = { child, log: '', status: undefined };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (one.log += text));
    // Not `close`: a process that is left behind may hold the pipes.
    one.ended = new Promise((resolve) =>
      child.once('exit', (status, signal) => resolve((one.status = status ?? signal))),
    );
    return one;
  }
  try {
    const engine = start(
      ['--runs', runs, '--seed', 's', '--output', recording, ...workloads[workload](folder)].map(String),
    );
    if (kind in atAnyMoment) await sleep(random.int(longestStartMs));
    else {
      const at = random.int(runs - 2);
      while (linesOf(recording) < at && engine.status === undefined) await sleep(2);
      await sleep(random.int(workload === 'slow commands' ? 300 : 60));
    }
    const found = kind in atAnyMoment ? { engine: engine.child.pid, all: processesOf(mark) } : await membersOf(engine);
    let signalled = 0;
    if (found !== null) {
      for (const step of kinds[kind](found, random)) {
        if (typeof step === 'number') await sleep(step);
        else if (send(...step)) signalled++;
      }
    }
    const beganMs = performance.now();
    const status = await Promise.race([engine.ended, sleep(hangMs, 'hang', { ref: false })]);
    const endedMs = performance.now() - beganMs;
    const hang = status === 'hang';
    const left = hang ? [] : await lookForRest({ mark, watched, cleansUp: !isBeyondHelp.has(kind) });
    if (hang) for (const pid of processesOf(mark)) send(pid, 'SIGKILL');
    const neverBegan = !existsSync(join(recording, 'experiment.json'));
    const resumed = start(neverBegan ? nextStart : ['--resume', recording]);
    const resumedStatus = await Promise.race([resumed.ended, sleep(hangMs, 'hang', { ref: false })]);
    const rest = await lookForRest({ mark, watched, cleansUp: true });
    const complete = isExact(recording);
    return {
      kind,
      workload,
      seed,
      /** Whether there was an experiment left to do it to. */
      hit: signalled > 0,
      status,
      endedMs,
      hang: hang || resumedStatus === 'hang',
      late: !hang && kind.includes('interrupt') && endedMs > interruptMs,
      exact: neverBegan || (complete && resumedStatus === 0),
      files: [...left, ...rest].filter((one) => typeof one === 'string'),
      processes: [...left, ...rest].filter((one) => typeof one !== 'string'),
      log: `${engine.log}\n--resume: ${resumedStatus}\n${resumed.log}`,
    };
  } finally {
    for (const pid of processesOf(mark)) send(pid, 'SIGKILL');
    for (const path of [folder, pages]) rmSync(path, { recursive: true, force: true });
  }
}

/** Nothing of ours that could clean up is left by these: the next start does. */
const isBeyondHelp = new Set([
  'kill all but programs',
  'kill engine and guardian',
  'stop guardian, kill engine',
  ...Object.keys(atAnyMoment),
]);
/** An experiment that begins and ends, after one of which there is nothing to be resumed. */
const nextStart = ['--method', 'sequential', '--runs', '1', 'true', 'true'];

/** A process, such as a guardian, may take a moment; what is still there then is left. */
export async function lookForRest({ mark, watched, cleansUp = true }) {
  if (!cleansUp) return [];
  for (let looks = 0; ; looks++) {
    const rest = [
      ...watched.flatMap((path) => readdirSync(path)),
      ...processesOf(mark).map((pid) => ({ pid, command: commandOf(pid) })),
    ];
    if (rest.length === 0 || looks === 200) return rest;
    await sleep(50);
  }
}

/** The processes of an experiment once all of them are there; `null` when it ended before. */
async function membersOf(engine) {
  while (engine.status === undefined) {
    // Not a search of all processes: that would keep a core busy which the experiment wants.
    const all = [engine.child.pid, ...processesBelow(engine.child.pid)].map((pid) => ({
      pid,
      command: commandOf(pid),
    }));
    const launchers = all.filter(({ command }) => command.includes('launcher/main.js')).map(({ pid }) => pid);
    const guardian = all.find(({ command }) => command.includes('guardian/main.js'))?.pid;
    const others = new Set([engine.child.pid, guardian, ...launchers]);
    const children = all.filter(({ pid }) => !others.has(pid)).map(({ pid }) => pid);
    if (launchers.length === 2 && guardian !== undefined && children.length > 0) {
      return { engine: engine.child.pid, guardian, launchers, children };
    }
    await sleep(1);
  }
  return null;
}

function isExact(recording) {
  try {
    const lines = readFileSync(join(recording, 'trials.jsonl'), 'utf8').trimEnd().split('\n');
    const measured = lines
      .map((line) => JSON.parse(line))
      .filter(({ phase, failures }) => phase === 'measure' && failures.length === 0);
    const made = measured.map(({ run }) => run).sort((a, b) => a - b);
    return (
      made.length === runs && made.every((run, index) => run === index) && existsSync(join(recording, 'report.json'))
    );
  } catch {
    return false;
  }
}

function linesOf(recording) {
  try {
    return readFileSync(join(recording, 'trials.jsonl'), 'utf8').split('\n').length - 1;
  } catch {
    return 0;
  }
}

/** Processes that have inherited a mark and have not ended. */
export function processesOf(mark) {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && readOrEmpty(`/proc/${pid}/environ`).includes(`DEADHEAT_KILLED=${mark}`));
}

function commandOf(pid) {
  return readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
}

function readOrEmpty(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

export function send(pid, signal) {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

export function pick(items, random) {
  return items[random.int(items.length)];
}

export const workloadNames = Object.keys(workloads);

/**
 * Has a process resume a recording that a process of another PID namespace writes.
 *
 * @returns `null` where this user may not make a namespace; else whether it was refused, and the recording completed as planned
 */
export async function raceNamespaces({ seed }) {
  const random = createRandom(`${seed} namespaces`);
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-kills-'));
  const recording = join(folder, 'recording');
  const commands = ['--runs', `${runs}`, '--method', 'sequential', 'sleep 0.1', 'sleep 0.1'];
  function start(file, args) {
    const child = spawn(file, args, { cwd: folder, stdio: 'ignore' });
    return new Promise((resolve) => child.once('exit', resolve).once('error', () => resolve(null)));
  }
  try {
    const inside = [...namespaceArguments, process.execPath, bin, '--output', recording, ...commands];
    const first = { status: undefined };
    const ended = start('unshare', inside).then((code) => (first.status = code));
    while (linesOf(recording) === 0 && first.status === undefined) await sleep(2);
    if (first.status !== undefined) return null;
    await sleep(random.int(600));
    const second = await start(process.execPath, [bin, '--resume', recording]);
    const raced = first.status === undefined;
    await ended;
    return { raced, refused: !raced || second === refusedCode, exact: isExact(recording) && first.status === 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const namespaceArguments = ['--pid', '--fork', '--mount-proc', '--kill-child'];
/** Exit code of a usage that cannot be obeyed, such as a recording in use. */
const refusedCode = 2;
