import { mkdirSync, rmSync, existsSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join, dirname, basename } from 'node:path';
import { spawn } from 'node:child_process';
import { DeadheatError, type Parser } from '@deadheat/model';
import { type Arrival, LineArrivals, outputRecords, parseText } from '@deadheat/readers';
import { readWorkloadRecord, RecordError, type RecordedBenchmark } from '@deadheat/recording';
import { Guardian, makeTemporaryFolder, monotonicNowNs, removeRegistered } from '@deadheat/sync';
import { WatchedProgram } from './watched-program.ts';
import type { ExecutionProfile } from './profile-builder.ts';
import { clockScript, clockScripts, readWallClock, wallClockBetween } from './profile-clock.ts';
import { ThreadTimes, withMachineThreads } from './machine-threads.ts';
import { jfrEvents, readJfr } from './read-jfr.ts';
import { readV8Log } from './read-v8-log.ts';

export interface ProfileProgramOptions {
  /** The program, as a path, and its arguments. */
  readonly argv: readonly string[];
  /** Number of times that it is started, >= 1. */
  readonly runs: number;
  /** Iterations of each benchmark; `null` = as many as the program makes. */
  readonly iterations: number | null;
  /** Parser of the iterations in the program's output; `null` = it records them itself. */
  readonly parser: Parser | null;
  readonly signal: AbortSignal;
  /** Called before each run, counted from 0. */
  readonly onRun?: (run: number) => void;
}

/** One run of a program: its iterations and its profile. */
export interface ProfiledRun {
  readonly benchmarks: readonly RecordedBenchmark[];
  /** `null` = it cannot be profiled, or its output does not say when its iterations ran. */
  readonly profile: ExecutionProfile | null;
}

export interface ProfiledProgram {
  /** `null` = its compilations cannot be seen; there are only its times. */
  readonly runtime: Runtime | null;
  readonly runs: readonly ProfiledRun[];
}

/**
 * Runs a program that times itself by the workload protocol, alone, one run after the other, under the profiler of its virtual machine.
 * Profiling takes time, so these iterations are for finding warm-up and for nothing else. Everything is written to a folder that is
 * removed; the program is ended with everything it started when this process ends. A program whose output is parsed may be of any kind: of
 * one that cannot be profiled there are the times alone.
 *
 * @throws DeadheatError; DeadheatError `PROGRAM_NOT_STARTED`, `INTERRUPTED`; RecordError for a record that is not as the protocol says;
 *   ParserError for output that is not as the parser expects
 */
export async function profileProgram(options: ProfileProgramOptions): Promise<ProfiledProgram> {
  const { argv, runs, parser, signal, onRun } = options;
  const runtime = parser === null ? runtimeOf(argv) : knownRuntime(argv);
  const folder = makeTemporaryFolder('profile');
  const guardian = new Guardian();
  try {
    const done: ProfiledRun[] = [];
    mkdirSync(join(folder, 'calibration'));
    for (let run = 0; run < runs; run++) {
      onRun?.(run);
      const own = join(folder, `${run}`);
      mkdirSync(own);
      done.push(await profileRun(options, { runtime, folder, own, run, guardian }));
      rmSync(own, { recursive: true, force: true });
      if (signal.aborted) throw interrupted();
    }
    return { runtime, runs: done };
  } finally {
    await guardian.close();
    removeRegistered(folder);
  }
}

interface Run {
  readonly runtime: Runtime | null;
  readonly folder: string;
  readonly own: string;
  readonly run: number;
  readonly guardian: Guardian;
}

async function profileRun(
  { argv, iterations, parser, signal }: ProfileProgramOptions,
  { runtime, folder, own, run, guardian }: Run,
): Promise<ProfiledRun> {
  const record = join(own, 'record.jsonl');
  const profiles = join(own, 'profile');
  mkdirSync(profiles);
  const launch = runtime === null ? null : profiledLaunch(runtime, argv, profiles);
  const printed = parser === null ? null : new PrintedIterations(parser);
  const environment = {
    ...outerEnvironment(),
    DEADHEAT_SIDE: 'A',
    DEADHEAT_RUN: `${run}`,
    DEADHEAT_RECORD: record,
    DEADHEAT_CALIBRATION: join(folder, 'calibration'),
    ...(iterations === null ? {} : { DEADHEAT_ITERATIONS: `${iterations}`, DEADHEAT_WARMUP: '0' }),
  };
  if (signal.aborted) throw interrupted();
  const program = new WatchedProgram(launch?.argv ?? argv, {
    environment,
    guardian,
    ...(printed === null ? {} : { onOutput: (bytes) => printed.take(bytes) }),
  });
  const threads = runtime === 'java' ? new ThreadTimes(program.pid) : null;
  function end(): void {
    return void program.end();
  }
  signal.addEventListener('abort', end, { once: true });
  try {
    await program.ended;
    if (signal.aborted) throw interrupted();
    checkEnd(program, argv);
    const isPlaced = printed === null || (await printed.write(record, argv));
    const benchmarks = await readIterations(record, argv);
    if (launch === null || !isPlaced) return { benchmarks, profile: null };
    return { benchmarks, profile: withMachineThreads(await launch.read(program.pid), threads?.end() ?? []) };
  } catch (cause) {
    if (signal.aborted) throw interrupted(cause);
    if (!(cause instanceof Error && 'syscall' in cause && String(cause.syscall).startsWith('spawn'))) throw cause;
    throw new DeadheatError(
      'PROGRAM_NOT_STARTED',
      `cannot start ${argv[0]}: ${cause.message}. Name a program that can be started.`,
      {
        cause,
      },
    );
  } finally {
    threads?.end();
    signal.removeEventListener('abort', end);
    await program.end();
  }
}

/** The iterations that a program prints, with the time at which they were seen. */
class PrintedIterations {
  readonly #parser: Parser;
  readonly #chunks: Buffer[] = [];
  readonly #arrivals: Arrival[] = [];
  #bytes = 0;

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  take(bytes: Buffer): void {
    this.#bytes += bytes.length;
    this.#chunks.push(bytes);
    this.#arrivals.push({ bytes: this.#bytes, ns: monotonicNowNs() });
  }

  /** Writes its iterations as a record; true if they are on the clock of this machine. */
  async write(record: string, argv: readonly string[]): Promise<boolean> {
    const text = Buffer.concat(this.#chunks);
    const context = { benchmark: argv.join(' '), params: {}, side: 'A', source: 'its output' } as const;
    const iterations = await parseText(this.#parser, { text: text.toString('utf8'), context });
    const records = outputRecords(iterations, { name: null, arrivals: new LineArrivals(text, this.#arrivals) });
    writeFileSync(
      record,
      records
        .flatMap(({ lines }) => lines)
        .map((line) => `${line}\n`)
        .join(''),
    );
    return records.every(({ clock }) => clock === 'arrival');
  }
}

function checkEnd({ status, signal, stderr }: WatchedProgram, argv: readonly string[]): void {
  if (status === 0) return;
  const how = signal === null ? `status ${status}` : `signal ${signal}`;
  throw new DeadheatError(
    'PROGRAM_FAILED',
    `${argv.join(' ')} ended with ${how} under its profiler. Does it run by itself?\n${stderr}`.trim(),
  );
}

async function readIterations(record: string, argv: readonly string[]): Promise<readonly RecordedBenchmark[]> {
  try {
    const { benchmarks } = await readWorkloadRecord(record);
    const measured = benchmarks.filter(({ iterations }) => iterations.length > 0);
    if (measured.length > 0) return measured;
  } catch (error) {
    if (!(error instanceof RecordError) || error.code !== 'NOT_FOUND') throw error;
  }
  throw new DeadheatError(
    'NO_ITERATIONS',
    `${argv.join(' ')} wrote no iterations to DEADHEAT_RECORD. It must time itself by the workload protocol ` +
      '(docs/formats/protocol.md), as programs of @deadheat/harness do, or print times that a parser reads (--parser).',
  );
}

function interrupted(cause?: unknown): DeadheatError {
  return new DeadheatError('INTERRUPTED', 'interrupted', { cause });
}

/** This process's environment without the variables of a runner. */
function outerEnvironment(): Readonly<Record<string, string>> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('DEADHEAT_'),
  );
  return Object.fromEntries(entries);
}

/** The start of a program with a profiler, and the reader of the profile after its end. */
interface ProfiledLaunch {
  readonly argv: readonly string[];
  /** @param pid that of the program that was started. */
  readonly read: (pid: number) => Promise<ExecutionProfile>;
}

/** @param folder where the profile is written: empty, and the caller's to remove. */
function profiledLaunch(runtime: Runtime, argv: readonly string[], folder: string): ProfiledLaunch {
  return runtime === 'node' ? launchNode(argv, folder) : launchJava(argv, folder);
}

/** Runs in the program before its own code: scripts whose entries in the log hold the time. */
const clockProgram = `'use strict';
if (require('node:worker_threads').isMainThread) {
  const { Script } = require('node:vm');
  for (let i = 0; i < ${clockScripts}; i++) new Script('0', { filename: \`${clockScript}:\${i}:\${process.hrtime.bigint()}\` });
}
`;

function launchNode([program = '', ...rest]: readonly string[], folder: string): ProfiledLaunch {
  const clock = join(folder, 'clock.cjs');
  writeFileSync(clock, clockProgram);
  return {
    argv: [program, '--prof', `--logfile=${join(folder, 'v8.log')}`, '--require', clock, ...rest],
    read: async (pid) => {
      // Workers and child processes write logs of their own. The main thread's log is the one that holds the time.
      const logs = readdirSync(folder).filter((name) => name.endsWith(`-${pid}-v8.log`));
      let why: unknown = new DeadheatError(
        'PROFILE_MISSING',
        `${program} left no log of V8: it did not take --prof, or was ended before it wrote one. Does it run with node --prof?`,
      );
      for (const log of logs) {
        try {
          return await readV8Log(join(folder, log));
        } catch (error) {
          if (!(error instanceof DeadheatError) || !['PROFILE_CLOCK', 'PROFILE_MISSING'].includes(error.code))
            throw error;
          why = error;
        }
      }
      throw why;
    },
  };
}

/** The settings of JFR. It takes no shorter period than 10 ms. */
const recorded = `<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0">
  <event name="jdk.ExecutionSample"><setting name="enabled">true</setting><setting name="period">10 ms</setting></event>
  <event name="jdk.NativeMethodSample"><setting name="enabled">true</setting><setting name="period">10 ms</setting></event>
  <event name="jdk.Compilation"><setting name="enabled">true</setting><setting name="threshold">0 ms</setting></event>
</configuration>
`;
/** Frames that are printed of a stack: those that were inlined, and the one that they were inlined into. */
const deepestInlining = '64';

function launchJava([program = '', ...rest]: readonly string[], folder: string): ProfiledLaunch {
  const jfr = findJfr(program);
  const settings = join(folder, 'profile.jfc');
  const recording = join(folder, 'recording.jfr');
  writeFileSync(settings, recorded);
  const before = readWallClock();
  return {
    argv: [program, `-XX:StartFlightRecording=settings=${settings},filename=${recording}`, ...rest],
    read: async () => {
      const clock = wallClockBetween(before, readWallClock());
      if ((statSync(recording, { throwIfNoEntry: false })?.size ?? 0) === 0) {
        throw new DeadheatError(
          'PROFILE_MISSING',
          `${program} left no recording of JFR: it takes no -XX:StartFlightRecording, or did not end by itself: one that halts, or is killed, writes none. Use a JDK of 17 or later.`,
        );
      }
      const events = 'jdk.Compilation,jdk.ExecutionSample,jdk.NativeMethodSample';
      const print = spawn(jfr, ['print', '--json', '--events', events, '--stack-depth', deepestInlining, recording], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const failed = new Promise<never>((_, reject) => {
        print.once('error', (cause) => {
          reject(new DeadheatError('NO_JFR_TOOL', `cannot start ${jfr}: ${cause.message}. Install a JDK.`, { cause }));
        });
      });
      try {
        return await Promise.race([
          readJfr(jfrEvents(print.stdout, 'the recording of JFR'), { name: 'the recording of JFR', clock }),
          failed,
        ]);
      } finally {
        print.kill('SIGKILL');
      }
    },
  };
}

/** `jfr` lies where the program's own `java` does. */
function findJfr(program: string): string {
  const beside = join(dirname(realpathSync(program)), 'jfr');
  if (existsSync(beside)) return beside;
  throw new DeadheatError(
    'NO_JFR_TOOL',
    `there is no jfr beside ${program}, which reads what the virtual machine records. Start the java of a JDK of 17 or later.`,
  );
}

/** A runtime that can report the code that it compiles. */
export type Runtime = 'node' | 'java';

/**
 * The runtime of a program, by the name of the file that is started or that it links to.
 *
 * @param argv the program, as a path, and its arguments.
 * @throws DeadheatError `NOT_PROFILABLE` when it is neither Node nor Java.
 */
export function runtimeOf([program = '']: readonly string[]): Runtime {
  for (const path of [program, real(program)]) {
    const name = basename(path);
    if (/^node(js)?(-?\d+)?$/.test(name)) return 'node';
    if (/^java(-?\d+)?$/.test(name)) return 'java';
  }
  throw new DeadheatError(
    'NOT_PROFILABLE',
    `${program} is neither node nor java, so what it compiles cannot be seen. ` +
      "Start the interpreter itself: 'node bench.js', 'java -cp build Bench'.",
  );
}

function knownRuntime(argv: readonly string[]): Runtime | null {
  try {
    return runtimeOf(argv);
  } catch (error) {
    if (error instanceof DeadheatError && error.code === 'NOT_PROFILABLE') return null;
    throw error;
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
