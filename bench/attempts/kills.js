// Attempts whose processes are killed at random moments, and what is left of ledger and working tree: npm run bench -- attempts kills [kills] [seed].
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createRandom } from '@deadheat/stats';
import { sharedMemoryDirectory } from '@deadheat/sync';
import { lookForRest, pick, processesOf, send } from '../lib/kills.js';
import { printMachine, printTable } from '../lib/tools.js';

const bin = fileURLToPath(new URL('../../core/cli/bin/deadheat.js', import.meta.url));
const work = (count) => `i=0; while [ $i -lt ${count} ]; do i=$((i+1)); done; echo done\n`;
const usual = 4000;
const files = 60;
/** A command that has not ended by then hangs, ms. */
const hangMs = 300_000;
/** The files of an attempt are put back within this time, mostly within a quarter of it, ms. */
const putBackMs = 500;

/** What an attempt is, and the answers that it can get: the programs differ by a factor. */
const attempts = {
  'slower, --apply': { count: 3 * usual, args: ['--apply'], answers: [1] },
  slower: { count: 3 * usual, args: [], answers: [1] },
  faster: { count: usual / 4, args: [], answers: [0, 6] },
};
/** The processes that are killed, and the signal. */
const kinds = {
  'kill engine': ['SIGKILL', (engine) => [engine]],
  'kill all': ['SIGKILL', (engine, all) => [engine, ...all]],
  'interrupt engine': ['SIGINT', (engine) => [engine]],
};
/** Moments: any of the whole attempt; one about when its answer is written; the first ones after a file was put back. */
const moments = ['any', 'end', 'put back'];
const putBackFirst = '0';

/** A repository of its own, with all places into which deadheat writes. */
class Ground {
  base = mkdtempSync(join(tmpdir(), 'deadheat-attempt-kills-'));
  pages = mkdtempSync(join(sharedMemoryDirectory() ?? this.base, 'kills-'));
  mark = `attempt-kills-${process.pid}`;
  folder = join(this.base, 'repo');

  constructor() {
    for (const name of ['repo', 'repo/below', 'temporary']) mkdirSync(join(this.base, name));
    this.git('init', '--quiet', '--initial-branch=main');
    this.#write({ count: 2 * usual, text: 'first', executable: false });
    writeFileSync(join(this.folder, '.gitignore'), '.deadheat\n');
    writeFileSync(join(this.folder, 'gone'), 'gone\n');
    this.git('add', '--all');
    this.git('commit', '--quiet', '-m', 'first');
  }

  get watched() {
    return [this.pages, join(this.base, 'temporary')];
  }

  git(...args) {
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
    return execFileSync('git', [...identity, ...args], { cwd: this.folder, encoding: 'utf8' });
  }

  #write({ count, text, executable }) {
    for (let n = 0; n < files; n++)
      writeFileSync(join(this.folder, n % 2 === 0 ? `${n}` : `below/${n}`), `${n} ${text}\n`);
    chmodSync(join(this.folder, '0'), executable ? 0o755 : 0o644);
    writeFileSync(join(this.folder, 'work.sh'), work(count));
  }

  /** Changes every file, makes one, removes one, and lets one be executed. */
  change({ count, text }) {
    this.#write({ count, text, executable: true });
    mkdirSync(join(this.folder, 'new'), { recursive: true });
    writeFileSync(join(this.folder, 'new/file'), text);
    rmSync(join(this.folder, 'gone'), { force: true });
  }

  /** The files as of the last commit. */
  reset() {
    this.git('reset', '--quiet', '--hard');
    this.git('clean', '--quiet', '--force', '-d');
  }

  /** Names, modes and contents of all files, and HEAD, index and stash. */
  state() {
    const index = join(this.folder, '.git/kills-index');
    const env = { ...process.env, GIT_INDEX_FILE: index };
    rmSync(index, { force: true });
    execFileSync('git', ['add', '--all'], { cwd: this.folder, env });
    const tree = execFileSync('git', ['write-tree'], { cwd: this.folder, env, encoding: 'utf8' });
    rmSync(index, { force: true });
    return [
      tree,
      this.git('rev-parse', 'HEAD'),
      this.git('diff', '--cached', '--name-only'),
      this.git('stash', 'list'),
    ].join();
  }

  start(...args) {
    const [, temporary] = this.watched;
    const own = { DEADHEAT_SHM: this.pages, TMPDIR: temporary, DEADHEAT_CACHE: join(this.base, 'cache') };
    const child = spawn(process.execPath, [bin, 'attempt', ...args], {
      cwd: this.folder,
      env: { ...process.env, ...own, DEADHEAT_KILLED: this.mark, GITHUB_STEP_SUMMARY: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const one = { child, log: '', status: undefined };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (one.log += text));
    const exited = new Promise((resolve) =>
      child.once('exit', (status, signal) => resolve((one.status = status ?? signal))),
    );
    one.ended = Promise.race([exited, sleep(hangMs, 'hang', { ref: false })]);
    return one;
  }

  remove() {
    for (const pid of processesOf(this.mark)) send(pid, 'SIGKILL');
    for (const path of [this.base, this.pages]) rmSync(path, { recursive: true, force: true });
  }
}

/** Whole lines of a ledger; `null` = one of them is damaged. */
function linesOf(path) {
  const text = readFileSync(path, 'utf8');
  try {
    return text.endsWith('\n')
      ? text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      : null;
  } catch {
    return null;
  }
}

/** Asks the kernel, since events of the process wait for a turn. */
function processIsThere({ child }) {
  return /^State:\s+[^Z]/m.test(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
}

/** Files that a loop without an interrupted process may have. */
const ownFiles = /^(?:ledger\.jsonl|\d{3}(?:-again)?|lock|lock\..*)$/;

/** Kills one attempt, and looks at what it leaves and whether the next one works. */
async function killAttempt(ground, { number, random, usualMs }) {
  const kind = pick(Object.keys(kinds), random);
  const what = pick(Object.keys(attempts), random);
  const moment = pick(moments, random);
  const name = `loop-${number}`;
  const { count, args, answers } = attempts[what];
  const wrong = [];
  const expect = (holds, text) => {
    if (!holds) wrong.push(text);
  };
  ground.reset();
  const best = ground.state();
  const begun = ground.start(
    'start',
    name,
    '--metric',
    'cpu',
    '--margin',
    '20%',
    '--max-time',
    '2m',
    '--',
    'sh',
    'work.sh',
  );
  expect((await begun.ended) === 0, `start: ${begun.log}`);
  ground.change({ count, text: `attempt ${number}` });
  const before = ground.state();
  const loop = join(ground.folder, '.deadheat/attempts', name);
  const ledger = join(loop, 'ledger.jsonl');
  const pending = join(loop, 'apply.json');
  const [startLine] = linesOf(ledger);

  const beganMs = performance.now();
  const run = ground.start(...args, '--loop', name);
  const delayMs = moment === 'any' ? random.next() * usualMs[what] : random.next() ** 2 * putBackMs;
  const isAtEnd = () => (args.includes('--apply') ? existsSync(pending) : linesOf(ledger)?.length !== 1);
  const firstFile = readFileSync(join(ground.folder, putBackFirst), 'utf8');
  const isPutBack = () => readFileSync(join(ground.folder, putBackFirst), 'utf8') !== firstFile;
  if (moment !== 'any') while (!isAtEnd() && run.status === undefined) await sleep(1);
  if (moment === 'put back' && args.includes('--apply')) {
    // No timer: all files are put back in a few milliseconds.
    while (!isPutBack() && processIsThere(run)) continue;
  } else await sleep(delayMs);
  const [signal, chosen] = kinds[kind];
  const hit = chosen(run.child.pid, kind === 'kill all' ? processesOf(ground.mark) : [])
    .map((pid) => run.status === undefined && send(pid, signal))
    .includes(true);
  const status = await run.ended;
  expect(status !== 'hang', 'it hangs');
  if (!hit) usualMs[what] = (usualMs[what] + performance.now() - beganMs) / 2;
  // What restores the files is a process of git: it must not go on behind our back.
  await sleep(50);

  const lines = linesOf(ledger);
  expect(lines !== null, 'the ledger is damaged');
  expect(JSON.stringify(lines?.[0]) === JSON.stringify(startLine) && lines.length <= 2, 'lines of the ledger changed');
  const isIn = lines?.length === 2;
  const state = ground.state();
  let found = isIn ? 'after' : 'before';
  if (isIn && args.includes('--apply') && existsSync(pending)) {
    // A part of its files may be put back: the next call finishes that, and nothing else is done before.
    found = state === best ? 'after' : state === before ? 'to be put back' : 'partly put back';
    const refused = ground.start('--loop', name);
    expect((await refused.ended) === 2 && refused.log.includes('was being reverted'), `not refused: ${refused.log}`);
    expect(ground.state() === state, 'a call without --apply changed the tree');
    const finished = ground.start('--apply', '--loop', name);
    expect((await finished.ended) === 1, `not finished: ${finished.log}`);
    expect(ground.state() === best, 'the files were not put back');
  } else
    expect(state === (isIn && args.includes('--apply') ? best : before), 'the tree is neither as before nor as after');

  // Another attempt, measured where it is not known: from what was left.
  ground.change({ count, text: `attempt ${number}` });
  const next = ground.start(...args, '--loop', name);
  const nextStatus = await next.ended;
  // What was kept is the best state, and no attempt.
  const expected = isIn && lines[1].answer === 'keep' ? [2] : answers;
  expect(expected.includes(nextStatus), `the next attempt ended with ${nextStatus}: ${next.log}`);
  const isReverted = nextStatus === 1 && args.includes('--apply');
  expect(ground.state() === (isReverted ? best : before), 'the next attempt left another tree');
  expect(linesOf(ledger) !== null, 'the next attempt damaged the ledger');
  const others = readdirSync(loop).filter((one) => !ownFiles.test(one));
  expect(others.length === 0, `left in the loop: ${others.join(', ')}`);
  const rest = await lookForRest({ mark: ground.mark, watched: ground.watched });
  expect(rest.length === 0, `left: ${rest.map((one) => one.command ?? one).join(', ')}`);
  expect(ground.git('worktree', 'list').trimEnd().split('\n').length === 1, 'a worktree is left');
  return { kind, what, moment, hit, found, wrong, log: run.log };
}

export async function kills([most = '200', seed = 'kills']) {
  printMachine();
  const ground = new Ground();
  const all = [];
  try {
    const usualMs = Object.fromEntries(Object.keys(attempts).map((what) => [what, 4000]));
    for (let number = 0; number < Number(most); number++) {
      const random = createRandom(`${seed}-${number}`);
      const one = await killAttempt(ground, { number, random, usualMs });
      all.push(one);
      const { kind, what, moment, wrong, log } = one;
      if (wrong.length > 0) console.log(`${seed}-${number} ${kind}, ${what}, ${moment}: ${wrong.join('; ')}\n${log}`);
    }
  } finally {
    ground.remove();
  }
  const states = ['before', 'after', 'to be put back', 'partly put back'];
  const rowOf = (name, some) => [
    name,
    some.length,
    some.filter(({ hit }) => hit).length,
    ...states.map((state) => some.filter(({ found }) => found === state).length),
    some.filter(({ wrong }) => wrong.length > 0).length,
  ];
  console.log('');
  printTable(
    ['kind', 'attempts', 'hit', ...states, 'wrong'],
    [
      ...Object.keys(kinds).map((kind) =>
        rowOf(
          kind,
          all.filter((one) => one.kind === kind),
        ),
      ),
      rowOf('all', all),
    ],
  );
  if (all.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1;
}
