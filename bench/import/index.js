// What it takes to read large result files of other tools, in a process of its own each time.
//
//   npm run bench -- import [MB] [NAMES]  size of each file, below 512 MiB; 60 when absent; a pattern of the names of formats
//   npm run bench -- import fuzz [FILES]  reads mutated files instead; 100 000 when absent
//   npm run bench -- import loads ...     what is judged of files that other tools write beside busy loops: loads.js
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, printMachine, printTable } from '../lib/tools.js';
import { largeFiles } from './large-files.js';
import { runLoads } from './loads.js';

const rounds = 5;
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

export async function run([first, second, ...further] = []) {
  if (first === 'loads') return runLoads([second, ...further].filter((one) => one !== undefined));
  if (first === 'fuzz') {
    fuzz(Number(second ?? 100_000));
    return undefined;
  }
  const megabytes = Number(first ?? 60);
  const wanted = new RegExp(second ?? '', 'i');
  if (!(megabytes > 0)) throw new RangeError(`the size of the files must be a number of MB, not ${first}`);
  printMachine();
  const directory = mkdtempSync(join(tmpdir(), 'deadheat-import-'));
  try {
    const rows = [];
    for (const { name, file, write, options = {} } of largeFiles.filter((one) => wanted.test(one.name))) {
      const path = join(directory, file);
      await write(path, megabytes * 1e6);
      const results = Array.from({ length: rounds }, () =>
        JSON.parse(execFileSync(process.execPath, [here('read.js'), path, JSON.stringify(options)])),
      );
      const middle = (field) => median(results.map((result) => result[field]));
      // What else the machine does makes CPU time longer and never shorter.
      const leastCpuMs = Math.min(...results.map(({ cpuMs }) => cpuMs));
      rows.push([
        name,
        `${(results[0].bytes / 1e6).toFixed(0)} MB`,
        `${results[0].iterations}`,
        `${(results[0].bytes / 1e6 / (middle('ms') / 1e3)).toFixed(0)} MB/s`,
        `${(results[0].bytes / 1e6 / (leastCpuMs / 1e3)).toFixed(0)} MB/s`,
        `${(middle('peakBytes') / 1e6).toFixed(0)} MB`,
      ]);
      rmSync(path);
    }
    printTable(['file', 'size', 'iterations', 'speed', 'by CPU time of all threads', 'peak RSS'], rows);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The tests of mutated files with more of them. */
function fuzz(files) {
  const { status } = spawnSync(
    'npx',
    ['vitest', 'run', 'import/fixtures.test', 'formats/formats.test', '-t', 'mutated', '--testTimeout', '0'],
    {
      cwd: here('../..'),
      env: { ...process.env, DEADHEAT_FUZZ: String(files) },
      stdio: 'inherit',
    },
  );
  process.exitCode = status ?? 1;
}
