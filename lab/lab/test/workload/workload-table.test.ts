import { describe, expect, it } from 'vitest';
import { parse } from '../../../../core/cli/test/support-arguments.ts';
import { workloadTable } from '../../src/workload/command.ts';

describe('the table of a workload that ran alone', () => {
  it('has a row an iteration, the extremes and the median, in one unit', () => {
    const iterations = [
      { startNs: 0, endNs: 52e6, cpuNs: 50e6 },
      { startNs: 100e6, endNs: 150e6, cpuNs: 49e6 },
      { startNs: 200e6, endNs: 256e6, cpuNs: 51e6 },
      { startNs: 300e6, endNs: 351e6, cpuNs: 48e6 },
    ];
    const order = { workload: 'integer', language: 'c', amount: 1234, iterations: 4 } as const;
    expect(workloadTable({ iterations, result: 7 }, order).split('\n')).toEqual([
      'integer (c): --amount 1234 = 123 400 steps an iteration',
      'a step: 3 shifts and 3 exclusive ors of an integer; result 7',
      '',
      'iteration      time  CPU time',
      '        1  52.00 ms  50.00 ms',
      '        2  50.00 ms  49.00 ms',
      '        3  56.00 ms  51.00 ms',
      '        4  51.00 ms  48.00 ms',
      '      min  50.00 ms  48.00 ms',
      // (51 + 52) / 2 and (49 + 50) / 2
      '   median  51.50 ms  49.50 ms',
      '      max  56.00 ms  51.00 ms',
      '',
    ]);
  });

  it('says where CPU time was not recorded', () => {
    const order = { workload: 'float', language: 'js', amount: 1, iterations: 1 } as const;
    const text = workloadTable({ iterations: [{ startNs: 5, endNs: 905, cpuNs: null }], result: 0.5 }, order);
    expect(text).toContain('        1  900 ns   unknown');
  });
});

describe('deadheat lab workload load', () => {
  it.each([
    ['--idle has no meaning with --mode busy', ['--mode', 'busy', '--idle', '1s']],
    ['--priority realtime is there in C only', ['--priority', 'realtime']],
  ])('says that %s', async (message, words) => {
    const typed = parse(['lab', 'workload', 'load', ...words]);
    const terminal = { stdout: process.stdout, stderr: process.stderr, env: {} };
    await expect(typed.kind === 'subcommand' ? typed.act(terminal) : null).rejects.toMatchObject({
      code: 'CONFLICT',
      message,
    });
  });
});
