// What the scripts of this folder share: steps that are made once, and a page that sets what came out beside what was printed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const command = fileURLToPath(new URL('../../../core/deadheat/bin/deadheat.js', import.meta.url));

/** Folder and size of a reproduction: `--output DIR`, and `--quick` for an attempt of about a minute. */
export function readArguments(paper) {
  const { values } = parseArgs({
    options: {
      output: { type: 'string', default: join('reproduced', paper) },
      quick: { type: 'boolean', default: false },
    },
  });
  mkdirSync(values.output, { recursive: true });
  return values;
}

/**
 * Makes a study unless an earlier start of the script has made it, and gives its tables. Its page and figures are in the folder of the
 * step, which has its name only once all of it is there. A simulation keeps what is finished beside it, and goes on with that.
 */
export function study(name, { output, args }) {
  const folder = join(output, name);
  const exported = join(folder, 'study.json');
  if (!existsSync(exported)) {
    const unfinished = `${folder}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    tell(name, args);
    const journal = args[1] === 'simulate' ? ['--output', `${folder}.jsonl`] : [];
    const exports = ['--figures', unfinished, '--export', `json:${join(unfinished, 'study.json')}`, '--style', 'none'];
    runStep([...args, ...journal, ...exports], unfinished);
    renameSync(unfinished, folder);
  }
  return JSON.parse(readFileSync(exported, 'utf8')).tables;
}

/**
 * Recordings of artificial workloads, a folder beside each neighbour, idle and disturbed: each is measured unless an earlier start of the
 * script has done so.
 */
export function measureBoth(name, { output, args }) {
  return ['none', 'both'].map((neighbour) =>
    join(measure(`${name}-${neighbour}`, { output, args: [...args, '--neighbour', neighbour] }), neighbour),
  );
}

/** Makes recordings unless they are there: the tables of a study that measures come from `study`, as often as wanted. */
function measure(name, { output, args }) {
  const folder = join(output, name);
  const done = join(folder, 'done');
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true });
    tell(name, args);
    runStep([...args, '--output', folder, '--style', 'none'], folder);
    writeFileSync(done, '');
  }
  return folder;
}

/** Tells what is begun; of many files the first and the number. */
function tell(name, args) {
  const files = args.filter((word) => word.startsWith('/'));
  const words = args.filter((word) => !files.slice(1).includes(word));
  const more = files.length > 1 ? ` (and ${files.length - 1} more)` : '';
  console.error(`${name}: deadheat ${words.map((word) => (word === files[0] ? `${word}${more}` : word)).join(' ')}`);
}

/** CPU time of all programs that this one has started and that have ended, s; `null` where Linux does not tell. */
function startedSeconds() {
  if (!existsSync('/proc/self/stat')) return null;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // User and system time of children, in hundredths.
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** Runs deadheat, and keeps in the folder of the step how much CPU time that took, s. */
function runStep(args, folder) {
  const before = startedSeconds();
  run(args);
  if (before !== null) writeFileSync(join(folder, 'cpu-seconds'), `${(startedSeconds() - before).toFixed(1)}\n`);
}

function run(args) {
  const { status, error } = spawnSync(process.execPath, [command, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`deadheat ${args.join(' ')} ended with ${status}`);
}

/** The table of a study whose title begins so. */
export function tableOf(tables, title) {
  const found = tables.find((table) => table.title.startsWith(title));
  if (found === undefined) throw new Error(`no table '${title}'`);
  return found;
}

/** Rows of a table as objects by the names of its columns; of columns with one name the first. */
export function rowsOf({ columns, rows }) {
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, place) => [name, row[place]]).toReversed()));
}

export function meanOf(values) {
  const known = values.filter((value) => typeof value === 'number' && Number.isFinite(value));
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

export function percent(share) {
  return share === null || share === undefined ? '-' : `${(100 * share).toPrecision(3)} %`;
}

/**
 * Writes `README.md` of a reproduction: what was printed beside what came out here, why they differ, and where figures are.
 *
 * @param rows [what, printed, here, why they differ]
 */
export function writeComparison(output, { title, data, rows, steps }) {
  const lines = [
    `# ${title}`,
    '',
    data,
    '',
    '| what | printed | here | difference |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
    ...steps.map((step) => `- [${step}](${step}/study.html): tables and figures, each with its data as CSV`),
    '',
  ];
  const costs = costsOf(output);
  const total = costs.reduce((sum, { seconds }) => sum + seconds, 0);
  const told = costs.map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`);
  if (costs.length > 0) lines.push(`CPU time: ${total.toFixed(0)} s (${told.join(', ')})`, '');
  const path = join(output, 'README.md');
  writeFileSync(path, lines.join('\n'));
  console.log(`${lines.join('\n')}\nwritten: ${path}`);
}

/** CPU time of the steps whose folders are there; of an interrupted simulation only what its last start took. */
function costsOf(output) {
  return readdirSync(output).flatMap((name) => {
    const path = join(output, name, 'cpu-seconds');
    return existsSync(path) ? [{ name, seconds: Number(readFileSync(path, 'utf8')) }] : [];
  });
}

/**
 * The published steady-state series as their index tells them, each with its `path`; one of ten where it is to be quick. They are in
 * `DEADHEAT_DATA`, or in `shared/data` beside a folder above this one.
 */
export function publishedSeries({ quick }) {
  const asked = process.env.DEADHEAT_DATA;
  const folders = asked === undefined ? [] : [asked];
  for (let folder = dirname(fileURLToPath(import.meta.url)); dirname(folder) !== folder; folder = dirname(folder)) {
    folders.push(join(folder, 'shared', 'data'));
  }
  const found = folders
    .map((folder) => join(folder, 'steady-state'))
    .find((folder) => existsSync(join(folder, 'index.json')));
  if (found !== undefined) {
    const { benchmarks } = JSON.parse(readFileSync(join(found, 'index.json'), 'utf8'));
    const chosen = benchmarks.filter((_, place) => place % (quick ? 10 : 1) === 0);
    return chosen.map((one) => ({ ...one, path: join(found, one.file) }));
  }
  throw new Error(
    'The published steady-state series are needed (Traini et al., doi:10.1007/s10664-022-10247-x, a JSON file a benchmark and index.json): ' +
      'name the folder above steady-state in DEADHEAT_DATA.',
  );
}
