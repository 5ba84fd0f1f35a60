// Two containers of one image against each other: is 1 in the interval? And what a command costs in a container.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadheat, printMachine, printTable } from '../lib/tools.js';

const runs = 30;
/** Both experiments together take at most five minutes; what is not run by then is missing evenly. */
const most = { 'in-containers': '240s', 'on-the-machine': '40s' };
const image = 'localhost/deadheat-bench:1';
/** A loop of the shell alone, some tens of milliseconds long, and nothing at all. */
const commands = { work: 'i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done', nothing: ':' };

export async function run() {
  printMachine();
  const why = makeImage();
  if (why !== null) {
    console.log(`skipped: ${why}`);
    return;
  }
  const directory = mkdtempSync(join(tmpdir(), 'deadheat-bench-containers-'));
  const measure = async (name, keys) => {
    const file = join(directory, `${name}.yaml`);
    const benchmarks = Object.entries(commands).map(([title, command]) => `  ${title}: { command: '${command}' }`);
    const settings = `seed: containers\nruns: ${runs}\nmax-time: none\nschedule: randomized-interleaving`;
    writeFileSync(
      file,
      `name: ${name}\n${settings}\ntimeouts: { experiment: ${most[name]} }\nmethods: [sync-duet, async-duet, sequential]\n` +
        `shell: /bin/busybox sh\n${keys}benchmarks:\n${benchmarks.join('\n')}\n`,
    );
    return deadheat(['run', file]);
  };
  try {
    const inside = await measure('in-containers', `image: '${image}'\n`);
    const outside = await measure('on-the-machine', '');
    const rows = inside.report.comparisons.map(({ benchmark, method, metric, interval, runs: made, sides }) => {
      const { low, high, level } = interval;
      const other = outside.report.comparisons.find((one) => one.benchmark === benchmark && one.method === method);
      const median = (of) => (of === undefined ? '-' : `${(of.sides.A.median * 1e3).toFixed(3)} ms`);
      return [
        benchmark,
        method,
        made,
        `[${low.toFixed(4)}, ${high.toFixed(4)}] at ${level * 100} % (${metric})`,
        low <= 1 && high >= 1 ? 'inside' : 'OUTSIDE',
        median({ sides }),
        median(other),
      ];
    });
    printTable(['command', 'method', 'runs', 'A/A ratio', '1 is', 'median in containers', 'on the machine'], rows);
    const each = inside.wallMs / inside.report.comparisons.reduce((sum, comparison) => sum + comparison.runs, 0);
    console.log(
      `\nA run in containers takes ${(each / 1000).toFixed(2)} s, nearly all of it outside of what is timed.`,
    );
  } finally {
    rmSync(directory, { recursive: true });
    spawnSync('podman', ['rmi', '--force', image]);
  }
}

/** Imports an image of busybox; tells why it cannot be, or `null`. */
function makeImage() {
  if (spawnSync('podman', ['version']).status !== 0) return 'there is no podman here that works';
  if (spawnSync('busybox', ['true']).status !== 0) return 'there is no busybox here (package busybox-static)';
  const root = mkdtempSync(join(tmpdir(), 'deadheat-bench-image-'));
  try {
    for (const folder of ['bin', 'tmp', 'proc', 'sys', 'dev']) mkdirSync(join(root, folder));
    cpSync(execFileSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).trim(), join(root, 'bin/busybox'));
    symlinkSync('busybox', join(root, 'bin/sh'));
    const archive = execFileSync('tar', ['-C', root, '-cf', '-', '.'], { maxBuffer: 2 ** 26 });
    const { status, stderr } = spawnSync('podman', ['import', '-', image], { input: archive, encoding: 'utf8' });
    return status === 0 ? null : stderr.trim();
  } finally {
    rmSync(root, { recursive: true });
  }
}
