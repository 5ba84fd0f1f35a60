// Types the commands of README and docs that need nothing but this machine, with few runs, in a folder that has the files that they
// name; a new folder for each page. A test has the parser take all of them: core/cli/test/docs-commands.test.ts.
//
//   npm run docs:type [-- PAGE ...]    such as docs/gate.md; all when absent
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentedCommands } from './lib/documented-commands.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const deadheat = join(root, 'core/deadheat/bin/deadheat.js');
const fixtures = join(root, 'core/readers/test/import/fixtures');
const timeoutMs = 120_000;

/** It needs another program, machine, file or service, or more time than there is. */
const needsMore =
  /--(?:harness|stable|layouts|fleet|engine|on|control|setup|apply|restore|part|run|open|bench-path)\b|postgres:|\/srv\/|java|vitest|deadheat |origin\/|\.yaml$|^(?:calibration|parse-large|\d{8}T.*|.*Z-gzip)$/;
/** A report, an analysis and a list of what is here take little time. */
const measuresNothing = new Set(['analyse', 'completions', 'export', 'report', 'history']);
const placeholders = new Map([
  ['FORMAT', 'go'],
  ['FORMAT:FILE', 'go:FILE'],
  ['A', './base'],
  ['B', './change'],
]);

const isServer = ([name, subcommand]) => name === 'history' && subcommand === 'serve';

/** What is typed instead of a command; `null` = nothing. */
function shortened([program, ...words]) {
  const args = words.map((word) => placeholders.get(word) ?? word);
  const [name, first = ''] = args;
  if (program !== 'deadheat' || args.some((word) => needsMore.test(word))) return null;
  if (isServer(args)) return args.includes('--port') ? args : [...args, '--port', '0'];
  if (measuresNothing.has(name)) return args.map((word) => (name === 'export' && word === 'duet' ? 'RECORDING' : word));
  if (name === 'doctor') return args.includes('--no-measure') ? args : null;
  if (name === 'lab') return first === 'study' && (args.includes('together') || args.includes('alone')) ? args : null;
  if (name === 'run') return args.length === 1 ? ['run', '--dry-run'] : null;
  if (name === 'git')
    return first.startsWith('main') && args.includes('--') ? ['git', '--runs', '2', ...args.slice(1)] : null;
  // A loop of attempts takes many steps.
  if (name === 'attempt') return null;
  // A comparison of programs that are there.
  if (!args.some((word) => /^(?:\.\/|gzip |sort |env \.)/.test(word)) || name === 'npm') return null;
  const ends = args.findIndex((word) => word === '--max-time');
  const timed = ends === -1 ? args : args.toSpliced(ends, 2);
  const isBySequence = timed.includes('--until') || timed.includes('--precision');
  return isBySequence ? ['--max-time', '5s', ...timed] : ['--runs', '2', ...timed];
}

/** The files that the examples name: two versions of a repository, programs, results of other tools, a recording. */
function prepare(folder, { page = '', recording = null } = {}) {
  const program = { mode: 0o755 };
  const hasFolders = page === 'docs/guides/go.md';
  const sides = hasFolders ? [] : ['old', 'new'];
  for (const name of [
    'base',
    'change',
    'bench',
    'run-bench',
    'words',
    'report',
    ...sides,
    'sort-1',
    'sort-2',
    'sort-3',
  ]) {
    writeFileSync(join(folder, name), '#!/bin/sh\nexit 0\n', program);
  }
  writeFileSync(join(folder, 'fast-sort'), '#!/bin/sh\nexec sort "$@"\n', program);
  if (hasFolders) {
    for (const side of ['old', 'new']) cpSync(join(fixtures, 'go-bench', `${side}.txt`), join(folder, side, '1.txt'));
  }
  const inputs = ['big.bin', 'big.txt', 'f', 'input', 'names.txt', 'numbers.txt', 'more.txt'];
  for (const name of inputs) writeFileSync(join(folder, name), 'b\na\n'.repeat(20_000));
  writeFileSync(join(folder, 'bench.js'), '');
  writeFileSync(join(folder, 'deadheat.yaml'), 'benchmarks:\n  nothing: { A: ./base, B: ./change }\n');
  for (const side of ['old', 'new']) {
    cpSync(join(fixtures, 'hyperfine', `${side}.json`), join(folder, `${side}.json`));
    cpSync(join(fixtures, 'csv', `${side}.csv`), join(folder, `${side}.csv`));
    cpSync(join(fixtures, 'pyperf', `${side}.json`), join(folder, `results-${side}/${side}.json`), { recursive: true });
  }
  cpSync(join(root, 'lab/lab/test/formats/fixtures/duet-csv/both.csv'), join(folder, 'both-sides.csv'));
  const git =
    'git init -q -b main && git config user.name x && git config user.email x@y && git add -A && git commit -qm one && git branch topic';
  spawnSync('sh', ['-c', `printf '.deadheat\\n' > .gitignore && ${git}`], { cwd: folder });
  if (recording === null) return;
  for (const place of ['.deadheat', '../history']) cpSync(recording, join(folder, place), { recursive: true });
  writeFileSync(join(folder, '../tokens'), `write ${'0f'.repeat(24)}  # me\n`, { mode: 0o600 });
  const name = readdirSync(join(folder, '.deadheat')).find((entry) => /^\d{8}T/.test(entry));
  symlinkSync(join('.deadheat', name), join(folder, 'RECORDING'));
}

/** Types a command and waits for its end. A server is asked to end when it has printed the address at which it listens. */
async function type(args, folder) {
  const begin = performance.now();
  const child = spawn(process.execPath, [deadheat, ...args], {
    cwd: folder,
    timeout: timeoutMs,
    env: { ...process.env, GITHUB_STEP_SUMMARY: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
      if (isServer(args) && /^http:\S+\n/m.test(output)) child.kill('SIGTERM');
    });
  }
  const [status] = await once(child, 'close');
  return { status, output, seconds: (performance.now() - begin) / 1000 };
}

/** Exit codes of a command that did what it says: a comparison may be slower or undecided. */
const fine = new Set([0, 1, 6]);

const pages = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'deadheat-docs-'));
let failures = 0;
let typed = 0;
let parsed = 0;
try {
  const first = mkdtempSync(join(scratch, 'first-'));
  prepare(first);
  await type(['--runs', '2', '--also', 'rss', './base', './change'], first);
  const all = documentedCommands(root).filter(
    ({ page, kind }) => kind === 'block' && (pages.length === 0 || pages.includes(page)),
  );
  for (const page of new Set(all.map((command) => command.page))) {
    const folder = join(mkdtempSync(join(scratch, 'page-')), 'project');
    mkdirSync(folder);
    prepare(folder, { page, recording: join(first, '.deadheat') });
    for (const { line, words } of all.filter((command) => command.page === page)) {
      const args = shortened(words);
      if (args === null) {
        parsed += 1;
        continue;
      }
      const { status, output, seconds } = await type(args, folder);
      typed += 1;
      const isFine = fine.has(status);
      if (!isFine) failures += 1;
      console.log(
        `${isFine ? 'ok' : `EXIT CODE ${status}`} ${page}:${line} deadheat ${args.join(' ')} (${seconds.toFixed(1)} s)`,
      );
      if (!isFine) console.log(output.replaceAll(/^/gm, '    '));
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(
  `${typed} commands typed, ${failures} of them failed; ${parsed} others need more than this machine, or too long`,
);
process.exitCode = failures === 0 && typed > 0 ? 0 : 1;
