// Drives a loop of attempts: three edits that make `table.mjs` faster, ten that change nothing, and five that make it slower or its output wrong, in a drawn
// order. Usage: node drive.mjs [SEED] [HARMLESS]; HARMLESS is the number of edits without an effect, DEADHEAT the command (default: npx deadheat).
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [seed = '1', harmless = '10'] = process.argv.slice(2);
const command = (process.env.DEADHEAT ?? 'npx deadheat').split(' ');
const folder = mkdtempSync(join(tmpdir(), 'deadheat-attempt-'));
const file = join(folder, 'table.mjs');

const replace = (from, to) => (text) => {
  if (!text.includes(from)) throw new Error(`the program lacks ${from}`);
  return text.replace(from, to);
};

/** Each edit with its truth: `better`, `same`, `worse` or `wrong`. */
/** @type {[string, string, (text: string) => string][]} */
const edits = [
  [
    'better',
    'keys are made once',
    replace('table.sort(', 'const keys = new Map(table.map((row) => [row, keyOf(row)]));\ntable.sort('),
  ],
  [
    'better',
    'texts are made once',
    replace("const text = Object.values(row).join(';');", "const text = (row.text ??= Object.values(row).join(';'));"),
  ],
  [
    'better',
    'kinds are counted once',
    replace(
      'for (const row of table) {\n  const same = table',
      'for (const row of new Map(table.map((one) => [one.kind, one])).values()) {\n  const same = table',
    ),
  ],
  [
    'worse',
    'every text is parsed again',
    replace('    for (let k = 0', '    JSON.parse(JSON.stringify(row));\n    for (let k = 0'),
  ],
  [
    'worse',
    'rows are made three times',
    replace('table.push(rowOf(n));', 'table.push((rowOf(n), structuredClone(rowOf(n))));'),
  ],
  [
    'worse',
    'a search without use',
    replace(
      'console.log(',
      'let idle = 0;\nfor (let n = 0; n < 5e7; n++) idle = (idle * 31 + n) | 0;\nif (idle === 0.5) console.log(idle);\nconsole.log(',
    ),
  ],
  ['wrong', 'fewer rounds', replace('round < 40', 'round < 20')],
  ['wrong', 'fewer rows', replace('rows = 3000', 'rows = 2000')],
  ...Array.from({ length: Number(harmless) }, (_, n) => ['same', `a comment, ${n}`, (text) => `${text}// ${n}\n`]),
];
// The comparison uses the keys that the first edit makes.
edits[0][2] = (
  (first) => (text) =>
    first(text)
      .replace(/keyOf\(a\)/g, 'keys.get(a)')
      .replace(/keyOf\(b\)/g, 'keys.get(b)')
)(edits[0][2]);

/** Draws by a linear congruence, so that a seed names an order. */
let state = Number(seed) * 2654435761;
const draw = (below) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state % below;
};
for (let k = edits.length - 1; k > 0; k--) {
  const other = draw(k + 1);
  [edits[k], edits[other]] = [edits[other], edits[k]];
}

function deadheat(...args) {
  const [program, ...rest] = command;
  const { status, stdout, stderr } = spawnSync(program, [...rest, 'attempt', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (![0, 1, 6].includes(status)) throw new Error(stderr);
  return { status, stdout };
}

try {
  cpSync(new URL('table.mjs', import.meta.url), file);
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: folder });
  git('init', '--quiet');
  git('add', 'table.mjs');
  git('commit', '--quiet', '-m', 'the program as it is');
  const original = readFileSync(file, 'utf8');
  deadheat('start', '--max-time', '5m', '--', process.execPath, 'table.mjs');
  const score = {};
  for (const [truth, message, edit] of edits) {
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, edit(before));
    const { stdout } = deadheat('--apply', '--json', '--message', message);
    const { entry } = JSON.parse(stdout);
    const { interval, runs } = entry.first;
    const ratio = interval === null ? 'not measured' : `${interval.estimate.toFixed(3)}, ${runs} runs`;
    console.log(`${truth.padEnd(6)}  ${entry.answer.padEnd(7)}  ${ratio.padEnd(16)}  ${message}`);
    const key = `${truth}: ${entry.answer}`;
    score[key] = (score[key] ?? 0) + 1;
    // Not yet is neither kept nor put back by deadheat.
    if (entry.answer === 'not-yet') writeFileSync(file, before);
  }
  console.log(score);
  console.log(deadheat('end').stdout);
  if (original === readFileSync(file, 'utf8')) console.log('nothing was kept');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
