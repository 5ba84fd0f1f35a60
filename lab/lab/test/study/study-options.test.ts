import { UsageError } from 'deadheat/settings';
import { describe, expect, it } from 'vitest';
import { parse as parseWords } from '../../../../core/cli/test/support-arguments.ts';
import type { Command } from '@deadheat/cli/kit';
import { mds, ratio, toRequest } from '../../src/study/command.ts';

const parse = (...args: readonly string[]) => parseWords(['lab', 'study', ...args]);
const refusal = (...args: readonly string[]): UsageError => {
  try {
    parse(...args);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new TypeError(`accepted: ${args.join(' ')}`);
};

async function act(...args: readonly string[]): Promise<unknown> {
  const typed = parse(...args);
  return typed.kind === 'subcommand' ? typed.act({ stdout: process.stdout, stderr: process.stderr, env: {} }) : null;
}

/** Values of the options of a study: the typed ones, and what the others are without. */
function valuesOf(command: Command, typed: object): Parameters<typeof toRequest>[1] {
  const initial = Object.entries(command.options).map(([key, option]) => [key, option.initial] as const);
  return { ...Object.fromEntries(initial), ...typed } as unknown as Parameters<typeof toRequest>[1];
}

describe('deadheat lab study --run', () => {
  it('measures all workloads without and with a neighbour, by the methods of the study', () => {
    expect(toRequest('mds', valuesOf(mds, { run: true, seed: 'x' }))).toEqual({
      kind: 'mds',
      methods: ['sync-duet', 'async-duet', 'sequential'],
      neighbours: ['none', 'both'],
      workloads: ['integer', 'float', 'cache', 'memory'],
      language: 'js',
      runs: 10,
      iterations: 40,
      durationNs: 20e6,
      seed: 'x',
    });
    expect(toRequest('mds', valuesOf(mds, { run: true })).seed).toMatch(/^[\da-f]{8}$/);
    expect(toRequest('ratio', valuesOf(ratio, { run: true, ratio: 1.05 })).ratio).toBe(1.05);
  });

  it('takes every option', () => {
    const typed =
      'asymmetry --run --workload cache,float --neighbour one --language c --runs 3 --iterations 8 --duration 5ms --swap never --confidence 95% ' +
      '--seed x --output there --style basic --export json:t.json';
    expect(parse(...typed.split(' ')).kind).toBe('subcommand');
    expect(parse('ratio', '--run', '--ratio', '1.05').kind).toBe('subcommand');
  });

  it('refuses recordings, options that would do nothing, and lists of what there is not', () => {
    expect(refusal('mds', '--run', 'there').message).toMatch(
      /^--run and an argument \(recordings\) exclude each other/,
    );
    expect(refusal('mds', 'there', '--neighbour', 'one')).toMatchObject({
      code: 'CONFLICT',
      message: '--neighbour does nothing without --run',
    });
    expect(refusal('mds', '--run', '--workload', 'integer,flaot').hint).toBe('Did you mean float?');
    expect(refusal('mds', '--run', '--workload', 'integer,integer').excerpt).toEqual({
      text: '--workload integer,integer',
      column: '--workload integer,'.length,
    });
    expect(refusal('mds', '--run', '--neighbour', '').code).toBe('BAD_VALUE');
    expect(refusal('mds', '--run', '--runs', '1').code).toBe('BAD_VALUE');
    expect(refusal('accuracy', 'there', '--sample-runs', '1').code).toBe('BAD_VALUE');
    expect(refusal('ratio', 'there', '--ratio', '2').code).toBe('CONFLICT');
    expect(refusal('ratio', '--run', '--ratio', '0').code).toBe('BAD_VALUE');
  });
});

describe('deadheat lab study', () => {
  it('knows its kinds, and the options of each', async () => {
    expect(parse('mds', 'one', 'two', '--power', '90%').kind).toBe('subcommand');
    expect(refusal('acuracy', 'one').hint).toBe('Did you mean deadheat lab study accuracy?');
    expect(refusal('nothing-like-it', 'one').message).toContain('no subcommand nothing-like-it');
    await expect(act('mds')).rejects.toMatchObject({
      message: 'lab study mds needs recordings',
      hint: expect.stringContaining('--run') as string,
    });
    expect(refusal('mds', 'one', '--power', '0').code).toBe('BAD_VALUE');
    expect(refusal('mds', 'one', '--export', 'json:-', '--export', 'csv:-').code).toBe('CONFLICT');
  });

  it.each([
    ['overlap', '--power', '80%'],
    ['stopping', '--power', '80%'],
    ['mds', '--sample-runs', '10'],
    ['accuracy', '--ratio', '2'],
    ['mds', '--like', 'paper'],
    ['mds', '--steady-window', '5'],
    ['stopping', '--by', 'machine'],
    ['stopping', '--runs', '5'],
    ['steady', '--run'],
  ])('%s has no option %s', (kind, ...option) => {
    expect(refusal(kind, 'a', ...option)).toMatchObject({
      code: 'UNKNOWN_OPTION',
      message: `unknown option ${option[0]}`,
    });
  });
});

describe('deadheat lab study stopping', () => {
  it('is taken with its own options', () => {
    expect(() =>
      parse('stopping', 'a', 'b', '--like', 'jmh-reconfigure', '--lift-caps', '1.5', '--seed', 'x'),
    ).not.toThrow();
  });

  it.each([
    [/--like/, ['stopping', 'a', '--like', 'java']],
    [/--lift-caps must be a number of at least 1, got '0.5'/, ['stopping', 'a', '--lift-caps', '0.5']],
    [/--lift-caps must be a number of at least 1, got 'x'/, ['stopping', 'a', '--lift-caps', 'x']],
    [/--seed does nothing without --run/, ['overlap', 'a', '--seed', 'x']],
    [/lab study stopping needs recordings/, ['stopping']],
    [/lab study steady needs recordings/, ['steady']],
  ])('refuses %s', (message, words) => {
    expect(refusal(...words).message).toMatch(message);
  });
});
