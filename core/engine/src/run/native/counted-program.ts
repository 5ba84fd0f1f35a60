import { accessSync, constants, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  isCount,
  isCounter,
  resourcesOf,
  sides,
  type Benchmark,
  type Command,
  type Count,
  type ExperimentConfig,
} from '@deadheat/model';
import { counterObstacles, hasNativeCalls, makeTemporaryFolder, removeRegistered } from '@deadheat/sync';
import { runtimeOf, type Runtime } from './runtime-of.ts';

/** A tool of valgrind that counts. */
interface Tool {
  readonly options: readonly string[];
  /** Variables that make a program count as it should. */
  readonly variables: Readonly<Record<string, string>>;
  /** The line with the count, its digits in groups, in the log of each process. */
  readonly line: RegExp;
}

/** With a random hash seed, CPython looks its names up in another order in each process. */
const sameHashes = { PYTHONHASHSEED: '0' };

const tools: Readonly<Record<Count, Tool>> = {
  instructions: {
    options: ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null'],
    variables: sameHashes,
    line: /^==\d+== I +refs: +([\d,]+)$/m,
  },
  allocations: {
    options: ['--tool=memcheck', '--leak-check=no', '--undef-value-errors=no'],
    // CPython has an allocator of its own for small objects, behind which malloc sees arenas alone.
    variables: { ...sameHashes, PYTHONMALLOC: 'malloc' },
    line: /^==\d+== +total heap usage: ([\d,]+) allocs/m,
  },
};

let found: string | null | undefined;

/** Path of valgrind; `null` = it is not installed. */
function findValgrind(): string | null {
  found ??=
    (process.env['PATH'] ?? '')
      .split(delimiter)
      .map((folder) => join(folder, 'valgrind'))
      .find((path) => {
        try {
          accessSync(path, constants.X_OK);
          return true;
        } catch {
          return false;
        }
      }) ?? null;
  return found;
}

/** A runtime that counts the bytes that its own heap gives, in a run without the compiler that would leave allocations out. */
interface ManagedHeap {
  /** Variable that programs of the runtime read their options from, and these options for a folder of logs. */
  readonly variable: string;
  readonly options: (logs: string) => string;
  /** Bytes in the log of a process; `undefined` = it is not whole. */
  readonly read: (log: string) => number | undefined;
}

/**
 * Sums up by how much the used heap grew between collections. Before the program's own code the script creates its log, so that a process
 * which was ended from outside is missed.
 */
const heapScript = `'use strict';
const v8 = require('node:v8');
const { writeFileSync } = require('node:fs');
for (const flag of ['--no-opt', '--no-maglev', '--single-threaded']) v8.setFlagsFromString(flag);
const log = __dirname + '/' + process.pid + '-' + require('node:worker_threads').threadId + '.log';
writeFileSync(log, '');
const profiler = new v8.GCProfiler();
profiler.start();
let used = v8.getHeapStatistics().used_heap_size;
process.on('exit', () => {
  const end = v8.getHeapStatistics().used_heap_size;
  let bytes = 0;
  for (const { beforeGC, afterGC } of profiler.stop().statistics) {
    bytes += beforeGC.heapStatistics.usedHeapSize - used;
    used = afterGC.heapStatistics.usedHeapSize;
  }
  writeFileSync(log, String(bytes + end - used));
});
`;

const managedHeaps: Partial<Readonly<Record<Runtime, ManagedHeap>>> = {
  node: {
    variable: 'NODE_OPTIONS',
    options: (logs) => {
      const script = join(logs, 'heap.cjs');
      writeFileSync(script, heapScript);
      return `--require=${JSON.stringify(script)}`;
    },
    read: (log) => (log === '' ? undefined : Number(log)),
  },
  java: {
    variable: 'JAVA_TOOL_OPTIONS',
    options: (logs) =>
      `-XX:+UseSerialGC -XX:-UseTLAB -XX:-DoEscapeAnalysis -Xlog:gc+heap=debug,gc+heap+exit=info:file=${join(logs, '%p.log')}:none:filecount=0`,
    read: readHeapLog,
  },
};

const generation = /(?:def new generation|DefNew|tenured generation|Tenured) +total \d+K, used (\d+)K/g;

/** Bytes by which the heap grew between collections, in what HotSpot logs of its serial collector, in KiB. */
function readHeapLog(log: string): number | undefined {
  const [, ...states] = log.split(/^(?=.*\bHeap(?: before GC| after GC|$))/m);
  let [kibibytes, before] = [0, 0];
  for (const state of states) {
    const used = [...state.matchAll(generation)].reduce((sum, [, digits]) => sum + Number(digits), 0);
    if (!/Heap after GC/.test(state)) kibibytes += used - before;
    before = used;
  }
  return /^Heap$/m.test(log) ? kibibytes * 1024 : undefined;
}

/** The heap that brings a count; `null` = valgrind does. */
function heapOf(count: Count, command: Command): ManagedHeap | null {
  return count === 'allocations' ? (managedHeaps[runtimeOf(command)] ?? null) : null;
}

/** True if a count of a program is in bytes: runtimes with a heap of their own do not say how many objects they make. */
export function isInBytes(count: Count, command: Command): boolean {
  return heapOf(count, command) !== null;
}

/**
 * Work of a benchmark that is to be counted here in runs of its own: what was asked for and no processor counts. Not what valgrind would count where that
 * is missing, and not allocations of two programs that count them in different units.
 */
export function countsHere(
  config: Pick<ExperimentConfig, 'metric' | 'also'>,
  { commands }: Pick<Benchmark, 'commands'>,
): readonly Count[] {
  const asked = resourcesOf(config).filter((metric) => isCount(metric));
  if (asked.length === 0 || !hasNativeCalls()) return [];
  const obstacles = counterObstacles();
  return asked.filter((count) => {
    const [A, B] = sides.map((side) => heapOf(count, commands[side]));
    return A === B && (A !== null || findValgrind() !== null) && (!isCounter(count) || obstacles[count] !== null);
  });
}

/** A program that is to run so that its work is counted, and the reader of its count. */
export interface CountedProgram {
  readonly argv: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** True if its count is in bytes. */
  readonly isInBytes: boolean;
  /** The count of all its processes; `undefined` = one of them wrote none. Removes the logs. */
  take(): number | undefined;
}

/**
 * The command that counts what a program and the processes that it starts do. Under valgrind, a process that another forks without executing a program
 * begins with the count of its parent.
 *
 * @param environment of the program
 */
export function countedProgram(
  count: Count,
  { command, environment }: { readonly command: Command; readonly environment: Readonly<Record<string, string>> },
): CountedProgram {
  const logs = makeTemporaryFolder('count');
  const heap = heapOf(count, command);
  const { options, variables, line } = tools[count];
  const log = `--log-file=${join(logs.replaceAll('%', '%%'), '%p.log')}`;

  function readLog(text: string): number | undefined {
    const digits = line.exec(text)?.[1];
    return digits === undefined ? undefined : Number(digits.replaceAll(',', ''));
  }

  return {
    ...(heap === null
      ? {
          argv: [findValgrind() ?? 'valgrind', ...options, '--trace-children=yes', log, '--', ...command.argv],
          variables,
        }
      : {
          argv: command.argv,
          variables: { [heap.variable]: `${heap.options(logs)} ${environment[heap.variable] ?? ''}`.trim() },
        }),
    isInBytes: heap !== null,
    take: () => {
      const counts = readdirSync(logs)
        .filter((name) => name.endsWith('.log'))
        .map((name) => (heap?.read ?? readLog)(readFileSync(join(logs, name), 'utf8')));
      removeRegistered(logs);
      if (counts.length === 0 || counts.includes(undefined)) return undefined;
      return counts.reduce<number>((sum, one = 0) => sum + one, 0);
    },
  };
}
