import { UsageError } from 'deadheat/settings';
import { describe, expect, it } from 'vitest';
import { type RawStudyRunOptions, readStudyRun } from '../src/commands/study.ts';
import { parse as parseWords } from './support-arguments.ts';

describe('deadheat study --run', () => {
  const parse = (...args: readonly string[]) => parseWords(['study', ...args]);
  const refusal = (...args: readonly string[]): UsageError => {
    try {
      parse(...args);
    } catch (error) {
      if (error instanceof UsageError) return error;
      throw error;
    }
    throw new TypeError(`accepted: ${args.join(' ')}`);
  };
  const read = (raw: RawStudyRunOptions) => readStudyRun('mds', { paths: [], raw });

  it('measures all workloads without and with a neighbour, by the methods of the study', () => {
    expect(read({ run: true, seed: 'x' })).toEqual({
      request: {
        kind: 'mds',
        methods: ['sync-duet', 'async-duet', 'sequential'],
        neighbours: ['none', 'both'],
        workloads: ['integer', 'float', 'cache', 'memory'],
        language: 'js',
        runs: 10,
        iterations: 40,
        durationNs: 20e6,
        seed: 'x',
      },
      output: null,
    });
    expect(read({ run: true })?.request.seed).toMatch(/^[\da-f]{8}$/);
    expect(read({})).toBeNull();
  });

  it('takes every option', () => {
    const typed =
      'asymmetry --run --workload cache,float --neighbour one --language c --runs 3 --iterations 8 --duration 5ms --swap never --confidence 95% ' +
      '--seed x --output there --style basic --export-json t.json';
    expect(parse(...typed.split(' ')).kind).toBe('subcommand');
    expect(parse('ratio', '--run', '--ratio', '1.05').kind).toBe('subcommand');
  });

  it('refuses recordings, options that would do nothing, and lists of what there is not', () => {
    expect(refusal('mds', '--run', 'there').message).toContain('there');
    expect(refusal('mds', 'there', '--neighbour', 'one')).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('--neighbour') as string,
    });
    expect(refusal('mds').hint).toContain('--run');
    expect(refusal('mds', '--run', '--workload', 'integer,flaot').hint).toBe('Did you mean float?');
    expect(refusal('mds', '--run', '--workload', 'integer,integer').excerpt).toEqual({
      text: '--workload integer,integer',
      column: '--workload integer,'.length,
    });
    expect(refusal('mds', '--run', '--neighbour', '').code).toBe('BAD_VALUE');
    expect(refusal('mds', '--run', '--runs', '1').code).toBe('BAD_VALUE');
    expect(refusal('accuracy', '--run', '--power', '90%').code).toBe('CONFLICT');
    expect(refusal('accuracy', '--run', '--ratio', '2').hint).toContain('study ratio');
    expect(refusal('mds', 'there', '--sample-runs', '10').hint).toContain('study accuracy');
    expect(refusal('accuracy', 'there', '--sample-runs', '1').code).toBe('BAD_VALUE');
    expect(refusal('ratio', 'there', '--ratio', '2').code).toBe('CONFLICT');
    expect(refusal('ratio', '--run', '--ratio', '0').code).toBe('BAD_VALUE');
  });
});
