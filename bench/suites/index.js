// Suites of benchmarks as people have them, each in a repository with 5 % more work in one benchmark: does deadheat git main -- COMMAND
// name it? npm run bench -- suites [experiments a suite, 1 when absent] [suite ...]. An experiment takes a minute, and the builds before it.
// DEADHEAT_JMH is a jar of JMH with the packages that it needs.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { printMachine, printTable, readArguments, root } from '../lib/tools.js';
import { names, suites } from './suites.js';

const bin = join(root, 'core/cli/bin/deadheat.js');
const rounds = 20;

export async function run(given) {
  const { asked, number } = readArguments(given, { bench: 'suites', known: Object.keys(suites), count: 1 });
  printMachine();
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-suites-'));
  const rows = [];
  try {
    for (const name of asked.length > 0 ? asked : Object.keys(suites)) {
      const tools = join(folder, name.replaceAll(/\W+/g, '-'), 'tools');
      mkdirSync(tools, { recursive: true });
      if (!suites[name].ready(tools)) {
        console.log(`${name}: skipped, its tools are not installed`);
        continue;
      }
      for (let k = 0; k < number; k++) rows.push(experiment(name, { folder: join(dirname(tools), String(k)), tools }));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const right = rows.filter((row) => row.at(-1) === 'yes').length;
  console.log(`\n${right} of ${rows.length} named the one benchmark with 5 % more work and no other.\n`);
  printTable(
    ['suite', 'typed after deadheat git main', 'planted', 'called', 'runs', 'measuring', 'in all', 'load', 'right'],
    rows,
  );
}

/** @returns a row of the table */
function experiment(name, { folder, tools }) {
  const { files, planted, command, build, link, environment = {} } = suites[name];
  const repository = join(folder, 'suite');
  const variables = { ...process.env, ...environment, DEADHEAT_CACHE: join(folder, 'cache') };
  if (link?.from === null) variables.PATH = `${join(tools, 'node_modules/node/bin')}:${variables.PATH}`;
  mkdirSync(repository, { recursive: true });
  commit(repository, 'main', files(Object.fromEntries(names.map((one) => [one, rounds]))));
  if (link !== undefined) symlinkSync(link.from ?? join(tools, 'node_modules'), join(repository, link.to));
  const more = Object.fromEntries(names.map((one) => [one, one === planted ? rounds * 1.05 : rounds]));
  write(repository, files(more));
  const typed = [
    'git',
    'main',
    '--confidence',
    '95%',
    ...(build === undefined ? [] : ['--build', build]),
    '--',
    command,
  ];
  const [load] = loadavg();
  const began = performance.now();
  const { stdout, stderr } = spawnSync(process.execPath, [bin, ...typed], {
    cwd: repository,
    encoding: 'utf8',
    env: variables,
  });
  const seconds = (performance.now() - began) / 1000;
  console.log(`\n## ${name}: deadheat git main -- ${command}\n\n${stdout}${stderr}`);
  const calls = callsOf(stdout, planted);
  const isRight = calls.length === 1 && calls[0].toLowerCase().includes(planted) && calls[0].endsWith('SLOWER');
  const [, taken = '-'] = [...stderr.matchAll(/measured in (.+)/g)].at(-1) ?? [];
  return [
    name,
    command.replace(/\S+\.jar/, 'jmh.jar'),
    planted,
    calls.join(', ') || (stdout === '' ? 'refused' : 'none'),
    / (\d+) runs/.exec(stdout)?.[1] ?? '-',
    taken,
    `${seconds.toFixed(0)} s`,
    load.toFixed(1),
    isRight ? 'yes' : 'no',
  ];
}

/** Benchmarks that are called slower or faster: what counts among so many. */
function callsOf(stdout, planted) {
  const [, one] = /^B (?:is|vs) .*\b(SLOWER|FASTER)$/m.exec(stdout) ?? [];
  if (one !== undefined) return [`${planted} ${one}`];
  const rows = stdout.split('\n').map((line) => /^(\S+) .*\] +(SLOWER|FASTER)$/.exec(line));
  return rows.filter((row) => row !== null).map(([, called, verdict]) => `${called} ${verdict}`);
}

function write(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function commit(folder, branch, files) {
  const who = { GIT_AUTHOR_NAME: 'bench', GIT_AUTHOR_EMAIL: 'bench@localhost' };
  const env = { ...process.env, ...who, GIT_COMMITTER_NAME: 'bench', GIT_COMMITTER_EMAIL: 'bench@localhost' };
  write(folder, files);
  for (const args of [
    ['init', '--quiet', `--initial-branch=${branch}`],
    ['add', '--all'],
    ['commit', '--quiet', '-m', 'first'],
  ]) {
    execFileSync('git', args, { cwd: folder, env });
  }
}
