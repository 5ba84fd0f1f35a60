import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionProfile } from '@deadheat/analysis';
import { Guardian } from '@deadheat/sync';
import { WatchedProgram } from '../conformance/index.ts';
import { EngineError } from '../engine-error.ts';
import { ProfileError, runtimeOf, type Runtime } from './index.ts';
import { profiledLaunch } from './profiled-launch.ts';
import { readWorkloadRecord, RecordError, type RecordedBenchmark } from '../record/index.ts';

export interface ProfileProgramOptions {
  /** The program, as a path, and its arguments. */
  readonly argv: readonly string[];
  /** How often it is started, >= 1. */
  readonly runs: number;
  /** Iterations of each benchmark; `null` = as many as the program makes. */
  readonly iterations: number | null;
  readonly signal: AbortSignal;
  /** Told before each run, counted from 0. */
  readonly onRun?: (run: number) => void;
}

/** One run of a program: what it did, and what it was seen doing. */
export interface ProfiledRun {
  readonly benchmarks: readonly RecordedBenchmark[];
  readonly profile: ExecutionProfile;
}

export interface ProfiledProgram {
  readonly runtime: Runtime;
  readonly runs: readonly ProfiledRun[];
}

/**
 * Runs a program that times itself by the workload protocol, alone, one run after the other, under the profiler of its virtual machine.
 * Profiling takes time, so these iterations are for finding warm-up and for nothing else. Everything is written to a folder that is
 * removed; the program is ended with everything it started when this process ends.
 *
 * @throws ProfileError; EngineError `PROGRAM_NOT_STARTED`, `INTERRUPTED`; RecordError for a record that is not as the protocol says
 */
export async function profileProgram(options: ProfileProgramOptions): Promise<ProfiledProgram> {
  const { argv, runs, signal, onRun } = options;
  const runtime = runtimeOf(argv);
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-profile-'));
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
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Run {
  readonly runtime: Runtime;
  readonly folder: string;
  readonly own: string;
  readonly run: number;
  readonly guardian: Guardian;
}

async function profileRun(
  { argv, iterations, signal }: ProfileProgramOptions,
  { runtime, folder, own, run, guardian }: Run,
): Promise<ProfiledRun> {
  const record = join(own, 'record.jsonl');
  const profiles = join(own, 'profile');
  mkdirSync(profiles);
  const launch = profiledLaunch(runtime, argv, profiles);
  const environment = {
    ...outerEnvironment(),
    DEADHEAT_SIDE: 'A',
    DEADHEAT_RUN: `${run}`,
    DEADHEAT_RECORD: record,
    DEADHEAT_CALIBRATION: join(folder, 'calibration'),
    ...(iterations === null ? {} : { DEADHEAT_ITERATIONS: `${iterations}`, DEADHEAT_WARMUP: '0' }),
  };
  if (signal.aborted) throw interrupted();
  const program = new WatchedProgram(launch.argv, { environment, guardian, files: [] });
  const end = (): void => void program.end();
  signal.addEventListener('abort', end, { once: true });
  try {
    await program.ended;
    if (signal.aborted) throw interrupted();
    checkEnd(program, argv);
    const benchmarks = await readIterations(record, argv);
    return { benchmarks, profile: await launch.read(program.pid) };
  } catch (cause) {
    if (signal.aborted) throw interrupted(cause);
    if (!(cause instanceof Error && 'syscall' in cause && String(cause.syscall).startsWith('spawn'))) throw cause;
    throw new EngineError(
      'PROGRAM_NOT_STARTED',
      `cannot start ${argv[0]}: ${cause.message}. Name a program that can be started.`,
      {
        cause,
      },
    );
  } finally {
    signal.removeEventListener('abort', end);
    await program.end();
  }
}

function checkEnd({ status, signal, stderr }: WatchedProgram, argv: readonly string[]): void {
  if (status === 0) return;
  const how = signal === null ? `status ${status}` : `signal ${signal}`;
  throw new ProfileError(
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
  throw new ProfileError(
    'NO_ITERATIONS',
    `${argv.join(' ')} wrote no iterations to DEADHEAT_RECORD. It must time itself by the workload protocol ` +
      '(docs/formats/protocol.md), as programs of @deadheat/harness do.',
  );
}

function interrupted(cause?: unknown): EngineError {
  return new EngineError('INTERRUPTED', 'interrupted', { cause });
}

/** This process's environment without what a runner sets. */
function outerEnvironment(): Readonly<Record<string, string>> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('DEADHEAT_'),
  );
  return Object.fromEntries(entries);
}
