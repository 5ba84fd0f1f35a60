// The shape of the source: how many files and lines there are, what hangs together, and what starting the command costs.
// npm run bench -- shape: the counts and the times. npm run bench -- shape readers: files that one other file imports, too.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { median, printMachine, printTable, quote, root } from '../lib/tools.js';

const packages = join(root, 'packages');
const command = join(packages, 'deadheat/bin/deadheat.js');
/** A file of fewer lines is short, one of more lines holds more than one idea. */
const shortLines = 25;
const longLines = 400;
const starts = 9;

export async function run([wish] = []) {
  const files = readdirSync(packages)
    .flatMap((name) => filesBelow(join(packages, name, 'src')))
    .map(readSource);
  const lines = sum(files.map((file) => file.lines));
  const below = (name) => files.filter(({ path }) => path.startsWith(join(packages, name, 'src/')));
  const importers = importersOf(files);
  const [single, circles] = [files.filter(({ path }) => importers.get(path)?.length === 1), circularFolders(files)];
  const lists = listsOfSubcommands(files);
  const sizes = files.map((file) => file.lines);

  printTable(
    ['what', 'now', 'at most'],
    [
      ['files under packages/*/src', files.length, 800],
      ['lines of them', lines, 68_000],
      ['median lines of a file', median(sizes), ''],
      [`files of fewer than ${shortLines} lines`, sizes.filter((size) => size < shortLines).length, ''],
      [`files of more than ${longLines} lines`, sizes.filter((size) => size > longLines).length, ''],
      ['files that one other file imports', single.length, ''],
      ['lines of core/cli/src', sum(below('cli').map((file) => file.lines)), 9000],
      ['files in the root of core/engine/src', rootFiles('engine'), 8],
      ['names that the engine exports', namesOf(join(packages, 'engine/src/index.ts')).size, 80],
      ['circles of folders', circles.length, 0],
      ['files that list the subcommands', lists.length, 1],
    ],
  );
  for (const circle of circles) console.log(`\ncircle of folders: ${circle.join(', ')}`);
  for (const path of lists) console.log(`\nlists the subcommands: ${relative(root, path)}`);
  if (wish === 'readers') {
    console.log('');
    printTable(
      ['file', 'lines', 'imported by'],
      single.map(({ path, lines: own }) => [
        relative(packages, path),
        own,
        relative(packages, importers.get(path)?.[0] ?? ''),
      ]),
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

function rootFiles(name) {
  const entries = readdirSync(join(packages, name, 'src'), { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

/** The names that a module exports, those of `export *` included. */
function namesOf(path) {
  const names = new Set();
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) {
      if (statement.exportClause !== undefined) {
        for (const { name } of statement.exportClause.elements ?? []) names.add(name.text);
      } else {
        for (const name of namesOf(resolve(dirname(path), statement.moduleSpecifier.text))) names.add(name);
      }
    } else if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) {
      const declared = statement.declarationList?.declarations ?? [statement];
      for (const { name } of declared) names.add(name.text);
    }
  }
  return names;
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
  return [...circles.values()].map((circle) => circle.map((folder) => relative(packages, folder)));
}

/** The two folders with the same parent in which two files lie; none where one file lies above the other. */
function siblingFolders(one, other) {
  const [left, right] = [one, other].map((path) => relative(packages, dirname(path)).split('/'));
  const common = left.findIndex((part, index) => part !== right[index]);
  if (common === -1 || common >= right.length || left[0] !== right[0]) return null;
  return [left, right].map((parts) => join(packages, ...parts.slice(0, common + 1)));
}

/** Files that know at least half of the subcommands, by importing their rooms or by naming them. */
function listsOfSubcommands(files) {
  const rooms = join(packages, 'cli/src/commands');
  if (!existsSync(rooms)) return [];
  const names = readdirSync(rooms)
    .map((name) => name.replace(/\.ts$/, ''))
    .filter((name) => !['registry', 'subcommand'].includes(name));
  const sources = [...files, ...filesOfScripts()];
  return sources
    .filter(({ text, imports }) => {
      const imported = names.filter((name) =>
        imports.some((path) => path === join(rooms, `${name}.ts`) || path.startsWith(join(rooms, name, '/'))),
      );
      const named = names.filter((name) => new RegExp(`(['"\`])${name}\\1`).test(text));
      return Math.max(imported.length, named.length) >= names.length / 2;
    })
    .map(({ path }) => path);
}

function filesOfScripts() {
  const folder = join(root, 'scripts');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readSource(join(folder, name)));
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
