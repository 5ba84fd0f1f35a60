import { createInterface } from 'node:readline';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DeadheatError } from '@deadheat/model';
import { runProgram } from '@deadheat/engine';
import { RunCollector } from '../sampled-run.ts';
import type { Sampler } from './sampler.ts';

const remedy = "Debian's package linux-perf has it.";

/**
 * `perf stat` inside counts the CPU time of the program alone, without that of `perf record`, and executes it several times: to begin and to end
 * `perf record` takes much longer than a short program. A thread of it that collects programs of BPF would wait for a second at its end.
 */
const recordScript =
  'interval=$1; folder=$2; executions=$3; shift 3; exec perf record -q --no-bpf-event -g -e cpu-clock -c "$interval" -o "$folder/$$.data" -- ' +
  'perf stat -x, -e task-clock -r "$executions" -o "$folder/$$.stat" -- "$@"';

/** `perf` of Linux, by the clock of the CPU: it needs no counters of the processor. */
export const nativeSampler: Sampler = {
  runtime: 'native',
  name: 'perf',
  leastIntervalNs: 250_000,
  repeats: true,
  check: async (folder) => {
    const check = join(folder, 'check.data');
    const { status, tail } = await runProgram(['perf', 'record', '-q', '-e', 'cpu-clock', '-o', check, '--', 'true']);
    if (status === 'not-found') {
      throw new DeadheatError('SAMPLER_MISSING', `there is no perf here, which samples native programs. ${remedy}`);
    }
    if (status === 0) return;
    const level = readText('/proc/sys/kernel/perf_event_paranoid');
    throw new DeadheatError(
      'SAMPLER_REFUSED',
      `perf may not sample here (kernel.perf_event_paranoid is ${level}): ${tail.trim().split('\n')[0] ?? ''} ` +
        'As root, sysctl kernel.perf_event_paranoid=2 allows it.',
    );
  },
  launch: ({ argv, environment }, { folder, intervalNs, executions }) => ({
    argv: ['/bin/sh', '-c', recordScript, 'sh', `${intervalNs}`, folder, `${executions}`, ...argv],
    environment,
  }),
  read: async (folder) => {
    const run = new RunCollector();
    let cpuSeconds = 0;
    for (const name of readdirSync(folder)) {
      if (name.endsWith('.stat')) cpuSeconds += readStat(readFileSync(join(folder, name), 'utf8'), name);
      if (!name.endsWith('.data')) continue;
      const fields = ['--fields', 'comm,ip,sym,dso', '--no-inline', '--max-stack', '48'];
      const script = spawn('perf', ['script', '-i', join(folder, name), ...fields], {
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...process.env, DEBUGINFOD_URLS: '' },
      });
      const failed = new Promise<never>((_, reject) => script.once('error', reject));
      await Promise.race([readPerfScript(script.stdout, run), failed]);
    }
    run.cpuSeconds = cpuSeconds;
    return run.build();
  },
};

/** CPU time of an execution, their mean, in what `perf stat -x, -e task-clock` writes, s. @throws DeadheatError `PROFILE_MALFORMED` */
function readStat(text: string, name: string): number {
  const line = text.split('\n').find((one) => one.includes('task-clock')) ?? '';
  const milliseconds = Number(line.split(',')[0]);
  if (line !== '' && Number.isFinite(milliseconds)) return milliseconds / 1000;
  throw new DeadheatError('PROFILE_MALFORMED', `${name}: perf stat gave no CPU time: ${text.trim()}`);
}

/**
 * Adds the samples in what `perf script --fields comm,ip,sym,dso` prints: a line with the command, lines of frames from the innermost, an
 * empty line. Samples in perf itself, before the program began, do not count.
 */
export async function readPerfScript(text: Readable, run: RunCollector): Promise<void> {
  let command: string | null = null;
  let frames: number[] = [];
  function end(): void {
    if (command !== null && command !== 'perf' && frames.length > 0) run.add(frames.toReversed(), 1);
    command = null;
    frames = [];
  }
  for await (const line of createInterface({ input: text, crlfDelay: Infinity })) {
    if (line.trim() === '') end();
    else if (!line.startsWith('\t') && command === null) command = line.trim();
    else {
      const match = /^\s+[0-9a-f]+ (.+) \((.*)\)$/.exec(line);
      if (match === null) continue;
      const [, symbol = '', library = ''] = match;
      const isUnknown = symbol === '[unknown]';
      // Addresses without a name at the outer end come from code without frame pointers.
      if (isUnknown && frames.length > 0) continue;
      const file = library.replace(/^\[(kernel)\.kallsyms\]$/, '[$1]');
      const name = isUnknown ? `(unknown in ${file.split('/').at(-1)})` : symbol.replace(/\+0x[0-9a-f]+$/, '');
      frames.push(run.frame({ name, file, line: null }));
    }
  }
  end();
}

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : 'unknown';
}
