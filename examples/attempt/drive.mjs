// Drives a loop of attempts with the edits of `edits.mjs`, in a drawn order: five that make `table.mjs` faster, and fifteen that change nothing, make it slower
// or its output wrong. At its end it measures the total by itself. Usage: node drive.mjs [SEED]; DEADHEAT is the command (default: npx deadheat).
// Exit code 1: an edit that does harm was kept, or fewer than four that help.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edits } from './edits.mjs';

const [seed = '1'] = process.argv.slice(2);
const command = (process.env.DEADHEAT ?? 'npx deadheat').split(' ');
const folder = mkdtempSync(join(tmpdir(), 'deadheat-attempt-'));
const file = join(folder, 'table.mjs');
/** Measurements of an edit at most, while the answer is not yet. */
const mostTries = 3;
const leastKept = 4;
/** Pairs of runs of the first and the final state, by which the script measures the total. */
const pairs = 60;

/** Draws by a linear congruence, so that a seed names an order; the low bits of such a state repeat soon. */
let state = Math.imul(Number(seed), 2654435761) >>> 0;
function draw(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

function shuffled(items) {
  const left = [...items];
  return items.map(() => left.splice(draw(left.length), 1)[0]);
}

function deadheat(...args) {
  const [program, ...rest] = command;
  const { status, stdout, stderr } = spawnSync(program, [...rest, 'attempt', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (![0, 1, 6].includes(status)) throw new Error(stderr);
  return stdout;
}

/** Makes an edit, asks for the answer, and takes the edit back where it was not kept. */
function attempt({ truth, message, edit }) {
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, edit(before));
  let entry = null;
  for (let tries = 0; tries < mostTries && (entry === null || entry.answer === 'not-yet'); tries++) {
    ({ entry } = JSON.parse(deadheat('--apply', '--json', '--message', message)));
    const { interval, runs } = entry.first;
    const ratio = interval === null ? 'not measured' : `${interval.estimate.toFixed(3)}, ${runs} runs`;
    console.log(`${truth.padEnd(6)}  ${entry.answer.padEnd(7)}  ${ratio.padEnd(16)}  ${message}`);
  }
  // Not yet is neither kept nor put back by deadheat.
  if (entry.answer === 'not-yet') writeFileSync(file, before);
  return { truth, isKept: entry.answer === 'keep' };
}

/** User and system time of one execution, ms. */
function cpuMs(path) {
  const script = `TIMEFORMAT='%3U %3S'; { time "$@" > /dev/null 2>&3; } 3>&2`;
  const { stderr } = spawnSync('bash', ['--norc', '-c', script, 'bash', process.execPath, path], { encoding: 'utf8' });
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return (user + system) * 1000;
}

/** The ratio of CPU times of two programs that run in turns: the median of the pairs, and an interval by their ranks at 95 %. */
function measured(first, final) {
  const ratios = Array.from({ length: pairs }, (_, pair) => {
    const order = pair % 2 === 0 ? [first, final] : [final, first];
    const times = new Map(order.map((path) => [path, cpuMs(path)]));
    return times.get(final) / times.get(first);
  }).sort((a, b) => a - b);
  const rank = Math.floor(pairs / 2 - 0.98 * Math.sqrt(pairs));
  const estimate = (ratios[pairs / 2 - 1] + ratios[pairs / 2]) / 2;
  return { estimate, low: ratios[rank - 1], high: ratios[pairs - rank] };
}

const change = (ratio) => `${ratio < 1 ? '' : '+'}${(100 * (ratio - 1)).toFixed(1)} %`;
const shown = ({ estimate, low, high }) => `${change(estimate)} [${change(low)} … ${change(high)}]`;

try {
  cpSync(new URL('table.mjs', import.meta.url), file);
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: folder });
  git('init', '--quiet');
  git('add', 'table.mjs');
  git('commit', '--quiet', '-m', 'the program as it is');
  // CPU time, since the script can measure that simply; five minutes, since a busy machine needs them.
  deadheat('start', '--metric', 'cpu', '--max-time', '5m', '--', process.execPath, 'table.mjs');
  const tried = shuffled(edits).map(attempt);
  const kept = (truth) => tried.filter((one) => one.isKept && one.truth === truth).length;
  const result = join(folder, 'end.json');
  console.log(`\n${deadheat('end', '--export', `json:${result}`)}`);

  const harmful = kept('worse') + kept('wrong');
  const { total } = JSON.parse(readFileSync(result, 'utf8')).end;
  const interval = total?.[0].interval ?? { estimate: 1, low: 1, high: 1 };
  const first = join(folder, 'first.mjs');
  cpSync(new URL('table.mjs', import.meta.url), first);
  const truth = total === null ? interval : measured(first, file);
  const holds = interval.low <= truth.high && truth.low <= interval.high;
  console.log(
    `harmful kept ${harmful}, neutral kept ${kept('same')}, improvements kept ${kept('better')} of ${edits.filter((one) => one.truth === 'better').length}; ` +
      `total ${shown(interval)}, measured by this script ${shown(truth)}: ${holds ? 'they agree' : 'they DIFFER'}`,
  );
  if (harmful > 0 || kept('better') < leastKept) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
