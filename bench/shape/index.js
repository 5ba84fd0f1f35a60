// The shape of the source: its budgets, how files hang together, and what starting the command costs.
// npm run bench -- shape: the counts and the times. npm run bench -- shape readers: files that one other file imports, too.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { readBudgets } from '../../scripts/budgets.js';
import { workspaces } from '../../scripts/lib/workspaces.js';
import { median, printMachine, printTable, quote, root } from '../lib/tools.js';

const command = join(root, 'core/deadheat/bin/deadheat.js');
/** A file of more lines holds more than one idea. */
const longLines = 400;
const starts = 9;

export async function run([wish] = []) {
  printTable(
    ['budget', 'now', 'at most', 'goal'],
    readBudgets().map(({ name, now, most, goal }) => [name, now, most, goal ?? '']),
  );
  const files = workspaces.flatMap(({ folder }) => filesBelow(join(folder, 'src'))).map(readSource);
  const importers = importersOf(files);
  const single = files.filter(({ path }) => importers.get(path)?.length === 1);
  const circles = circularFolders(files);
  const sizes = files.map((file) => file.lines);

  console.log('');
  printTable(
    ['package', 'files', 'lines'],
    workspaces.map(({ house, name, folder }) => {
      const own = files.filter(({ path }) => path.startsWith(join(folder, 'src/')));
      return [`${house}/${name}`, own.length, sum(own.map((file) => file.lines))];
    }),
  );
  console.log('');
  printTable(
    ['what', 'now'],
    [
      ['median lines of a file', median(sizes)],
      [`files of more than ${longLines} lines`, sizes.filter((size) => size > longLines).length],
      ['files that one other file imports', single.length],
      ['circles of folders', circles.length],
    ],
  );
  for (const circle of circles) console.log(`\ncircle of folders: ${circle.join(', ')}`);
  if (wish === 'readers') {
    console.log('');
    printTable(
      ['file', 'lines', 'imported by'],
      single.map(({ path, lines: own }) => [relative(root, path), own, relative(root, importers.get(path)?.[0] ?? '')]),
    );
  }

  console.log('');
  printMachine();
  printTable(
    ['start', 'median', 'at most'],
    [
      ['deadheat --version, CPU time', seconds(cpuSeconds([command, '--version'])), '0.25 s'],
      ['deadheat --help, CPU time', seconds(cpuSeconds([command, '--help'])), '0.25 s'],
      ['node, an empty program, CPU time', seconds(cpuSeconds(['-e', '0'])), ''],
      ['until the first run begins', seconds(secondsToFirstRun()), '0.5 s'],
    ],
  );
}

function seconds(value) {
  return `${value.toFixed(2)} s`;
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/** A file with its lines and the files that it imports by a relative path, types included. */
function readSource(path) {
  const text = readFileSync(path, 'utf8');
  const imports = ts
    .preProcessFile(text)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => resolve(dirname(path), name));
  return { path, text, lines: text.split('\n').length - 1, imports };
}

/** Which files import each file; a room's public face, `index.ts`, imports nothing of its own. */
function importersOf(files) {
  const importers = new Map(files.map(({ path }) => [path, []]));
  for (const { path, imports } of files) {
    for (const imported of new Set(imports)) importers.get(imported)?.push(path);
  }
  return importers;
}

/** Folders that lie beside each other and need each other, as lists of their paths. */
function circularFolders(files) {
  const edges = new Map();
  for (const { path, imports } of files) {
    for (const imported of imports) {
      const [from, to] = siblingFolders(path, imported) ?? [];
      if (from === undefined) continue;
      edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  const reach = (start) => {
    const reached = new Set();
    const open = [...(edges.get(start) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(...(edges.get(next) ?? []));
    }
    return reached;
  };
  const reached = new Map([...edges.keys()].map((folder) => [folder, reach(folder)]));
  const circles = new Map();
  for (const [folder, others] of reached) {
    if (!others.has(folder)) continue;
    const circle = [...others].filter((other) => reached.get(other)?.has(folder)).toSorted((a, b) => (a < b ? -1 : 1));
    circles.set(circle.join(), circle);
  }
  return [...circles.values()].map((circle) => circle.map((folder) => relative(root, folder)));
}

/** The two folders with the same parent in which two files lie; none where one file lies above the other. */
function siblingFolders(one, other) {
  const [left, right] = [one, other].map((path) => relative(root, dirname(path)).split('/'));
  const common = left.findIndex((part, index) => part !== right[index]);
  if (common < 2 || common >= right.length) return null;
  return [left, right].map((parts) => join(root, ...parts.slice(0, common + 1)));
}

/** User and system time of a program of Node, median of several starts. */
function cpuSeconds(args) {
  const times = Array.from({ length: starts }, () => {
    const line = `TIMEFORMAT='%U %S'; time ${quote([process.execPath, ...args])} > /dev/null 2>&1`;
    const { stderr } = spawnSync('bash', ['-c', line], { encoding: 'utf8' });
    return sum(stderr.trim().split(' ').map(Number));
  });
  return median(times);
}

/** Wall time from the start of the command to that of the first program that it measures. */
function secondsToFirstRun() {
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-shape-'));
  try {
    const times = Array.from({ length: starts }, (_, start) => {
      const file = join(folder, `begun-${start}`);
      const side = `sh -c 'date +%s%N >> ${file}'`;
      const began = Date.now();
      spawnSync(
        process.execPath,
        [command, '--runs', '2', '--output', join(folder, `recording-${start}`), '--style', 'none', side, side],
        { cwd: folder, stdio: 'ignore' },
      );
      const [first = ''] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
      return first === '' ? Number.NaN : Number(first) / 1e9 - began / 1e3;
    });
    return median(times);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
