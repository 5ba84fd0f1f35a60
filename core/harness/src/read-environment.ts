import { HarnessError } from './harness-error.ts';

/** Cores that a side trades with its peer: `cpus[0]` for the first `period` iterations, then `cpus[1]`, and again. */
export interface Trade {
  readonly period: number;
  readonly cpus: readonly [number, number];
}

/** Values of the variables `DEADHEAT_…` that the runner sets; `null` = the variable is absent. */
export interface Environment {
  readonly side: 'A' | 'B' | null;
  /** Path of the shared page. */
  readonly page: string | null;
  /** File to append the record to. */
  readonly record: string | null;
  /** Iterations a benchmark, warm-up included. */
  readonly iterations: number | null;
  /** Iterations of the runs for which invocations are agreed on, where this one makes fewer; absent = it makes as many. */
  readonly laterIterations?: number;
  /** Number of `iterations`, the first ones, that are warm-up. */
  readonly warmup: number | null;
  /** Most times of invocations to record with an iteration; absent = none are needed. */
  readonly samples?: number;
  readonly fill: boolean;
  /** The way to wait at the barrier: in a busy loop, or so that the other side can have the core. */
  readonly wait: 'spin' | 'yield' | null;
  /** Folder in which the sides agree on invocations an iteration. */
  readonly calibration: string | null;
  readonly trade: Trade | null;
}

/**
 * Reads the environment of the workload protocol (`docs/formats/protocol.md`); an empty variable is an absent one.
 *
 * @throws HarnessError `BAD_ENVIRONMENT` naming the variable
 */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  function text(name: string): string | null {
    const value = variables[`DEADHEAT_${name}`];
    return value === undefined || value === '' ? null : value;
  }

  function count(name: string, least: number): number | null {
    const value = text(name);
    if (value === null) return null;
    if (!/^\d{1,9}$/.test(value) || Number(value) < least) bad(name, value, `a whole number from ${least}`);
    return Number(value);
  }

  const page = text('PAGE');
  const side = text('SIDE');
  if (side !== null && side !== 'A' && side !== 'B') bad('SIDE', side, 'A or B');
  if (page !== null && side === null) bad('SIDE', '', 'A or B');
  const fill = text('FILL');
  if (fill !== null && fill !== '0' && fill !== '1') bad('FILL', fill, '0 or 1');
  if (fill === '1' && page === null) bad('FILL', fill, 'a page (DEADHEAT_PAGE) beside it');
  const samples = count('SAMPLES', 2);
  const laterIterations = count('LATER_ITERATIONS', 1);
  const wait = text('WAIT');
  if (wait !== null && wait !== 'spin' && wait !== 'yield') bad('WAIT', wait, 'spin or yield');
  if (fill === '1' && wait === 'yield') bad('FILL', fill, 'a core for each side (no DEADHEAT_WAIT=yield)');
  return {
    side,
    page,
    record: text('RECORD'),
    iterations: count('ITERATIONS', 1),
    ...(laterIterations === null ? {} : { laterIterations }),
    warmup: count('WARMUP', 0),
    ...(samples === null ? {} : { samples }),
    fill: fill === '1',
    wait,
    calibration: text('CALIBRATION'),
    trade: readTrade(text('TRADE')),
  };
}

/** True if the program is to take part in an experiment. */
export function takesPart({ page, record }: Environment): boolean {
  return page !== null || record !== null;
}

function readTrade(value: string | null): Trade | null {
  if (value === null) return null;
  const [, period, x, y] = /^(\d{1,9}):(\d{1,4}),(\d{1,4})$/.exec(value) ?? [];
  if (period === undefined || x === undefined || y === undefined || Number(period) === 0) {
    bad('TRADE', value, 'PERIOD:X,Y such as 10:0,1');
  }
  return { period: Number(period), cpus: [Number(x), Number(y)] };
}

function bad(name: string, value: string, expected: string): never {
  throw new HarnessError('BAD_ENVIRONMENT', `DEADHEAT_${name} is '${value}'; ${expected} expected`);
}
