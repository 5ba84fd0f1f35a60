import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Comparison } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { leavesNothing, noDuets, parseReport, useScene, type Ended } from './support.ts';

const harness = fileURLToPath(new URL('../fixtures/printing-harness.sh', import.meta.url));

type Shape = 'settles' | 'never' | 'constant';

/** More iterations than any rule asks for. */
const endless = 100_000;

const codes = ({ warnings }: Comparison): readonly string[] => warnings.map(({ code }) => code);

describe.skipIf(noDuets !== null)('a harness that knows nothing of it, ended when enough is measured', () => {
  const scene = useScene(leavesNothing);

  const write = (
    format: string,
    shape: Shape,
    { keys = '', iterations = endless, methods = '[async-duet, sequential]' } = {},
  ): void => {
    copyFileSync(harness, scene.path('harness.sh'));
    chmodSync(scene.path('harness.sh'), 0o755);
    const command = `exec ${scene.path('harness.sh')} ${format} ${shape} ${iterations} 2>&1`;
    writeFileSync(
      scene.path('deadheat.yaml'),
      `stable: { criteria: [cv]${keys} }\nmethods: ${methods}\nseed: printing\nbenchmarks:\n  one: { command: '${command}', parser: ${format} }\n`,
    );
  };
  const run = (...options: string[]): Promise<Ended> =>
    scene.run(['run', '--output', 'rec', '--export', 'json:-', ...options]);
  const phases = (record: string): readonly (string | undefined)[] =>
    readFileSync(join(scene.path('rec/iterations'), record), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => (JSON.parse(line) as { p?: string }).p);

  it.each(['jmh', 'renaissance', 'dacapo'])('%s', async (format) => {
    // Beside other work the sides start so far apart that ten measured iterations of each may not overlap.
    write(format, 'settles', { keys: ', measured: 30' });
    const ended = await run();
    expect(ended.stderr).not.toContain('cannot be used');
    expect(ended.status).toBe(0);
    const { comparisons } = parseReport(ended.stdout);
    expect(comparisons.map(({ method }) => method)).toEqual(['async-duet', 'sequential']);
    for (const { stability, runs } of comparisons) {
      expect(runs).toBe(2);
      expect(stability?.overRuns).toMatchObject({ runs: 2, stable: true });
      for (const { apart } of stability?.runs ?? []) {
        // The window of five iterations after the first three, on both sides.
        expect(apart).toMatchObject({ A: { decidedAfter: 8, stable: true }, B: { decidedAfter: 8, stable: true } });
      }
    }
    const trials = scene.trials('rec');
    expect(trials).toHaveLength(4);
    for (const { trial, method, status, failures, sides } of trials) {
      expect([status, failures]).toEqual(['ok', []]);
      for (const side of ['A', 'B'] as const) {
        expect(sides[side]).toMatchObject({ stopped: true, signal: 'SIGTERM' });
        const own = phases(`${trial}-${side}.jsonl`);
        const measured = own.indexOf('measure');
        if (method === 'sequential') expect(measured).toBe(8);
        expect(measured).toBeGreaterThanOrEqual(8);
        expect(own.slice(0, measured)).toEqual(Array(measured).fill('warmup'));
        expect(own.length - measured).toBeGreaterThanOrEqual(10);
        expect(own.slice(measured)).toEqual(Array(own.length - measured).fill('measure'));
      }
    }
    const again = await scene.run(['analyse', 'rec', '--export', 'json:-']);
    expect(parseReport(again.stdout).comparisons).toEqual(comparisons);
  });

  it('goes to the lifted cap where nothing settles, and says by which criterion and how far off', async () => {
    const keys = ', max-warmup: 6, measured: 2, lift-caps: 2';
    write('renaissance', 'never', { keys, methods: '[sequential]' });
    const path = scene.path('deadheat.yaml');
    writeFileSync(path, `max-runs: 2\n${readFileSync(path, 'utf8')}`);
    const { stdout, status } = await run();
    expect(status).toBe(0);
    const [comparison] = parseReport(stdout).comparisons;
    // Twice the two runs.
    expect(comparison?.stability?.runs.map(({ decidedAfter, stable }) => [decidedAfter, stable])).toEqual(
      Array(4).fill([12, false]),
    );
    const messages = comparison?.warnings.map(({ message }) => message).join('\n');
    expect(messages).toMatch(/4 of 4 runs were not stable after 12 warm-up .*\(cv\) .* times too far.*--lift-caps 4/);
  });

  it('is soon over with a clock that never moves, and says so, and that two runs are few', async () => {
    write('jmh', 'constant', { methods: '[sequential]', keys: ', measured: 2' });
    const path = scene.path('deadheat.yaml');
    writeFileSync(path, `max-runs: 2\n${readFileSync(path, 'utf8')}`);
    const { stdout } = await scene.run(['run', '--details', '--output', 'rec']);
    expect(stdout).toMatch(
      /^warm-up +A ended after 5, 5 .* stable; B ended after 5,\s+5 .* stable, by cv, each by itself$/m,
    );
    expect(stdout).toMatch(/only 2 runs were allowed/);
    expect(stdout).toMatch(/warning ALL_EQUAL/);
  });

  it('ends the same in an experiment that is resumed', async () => {
    write('jmh', 'settles', { methods: '[sequential]', keys: ', measured: 2' });
    const path = scene.path('deadheat.yaml');
    writeFileSync(path, `runs: 3\n${readFileSync(path, 'utf8')}`);
    const whole = await run();
    const journal = join(scene.recording('rec'), 'trials.jsonl');
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    writeFileSync(journal, `${lines[0]}\n`);
    const resumed = await scene.run(['run', '--resume', 'rec', '--export', 'json:-']);
    expect(resumed.status).toBe(0);
    const ends = (ended: Ended): unknown => parseReport(ended.stdout).comparisons[0]?.stability;
    expect(ends(resumed)).toEqual(ends(whole));
  });

  it('that ends by itself too early is a failed run without measurements, and told of with some', async () => {
    write('dacapo', 'settles', { methods: '[async-duet]', iterations: 6 });
    const failed = await run('--max-time', '60s');
    expect(failed.status).toBe(4);
    expect(failed.stderr).toContain(
      'A ended after 6 iterations, before the warm-up of both sides was over, so that nothing was measured; have it make 60',
    );
    write('dacapo', 'settles', { methods: '[sequential]', iterations: 11 });
    const path = scene.path('deadheat.yaml');
    writeFileSync(path, `runs: 2\n${readFileSync(path, 'utf8')}`);
    const few = await scene.run(['run', '--output', 'few', '--export', 'json:-']);
    expect(few.status).toBe(0);
    const [comparison] = parseReport(few.stdout).comparisons;
    expect(comparison?.iterationsPerRun).toBe(3);
    expect(comparison?.stability?.runs).toEqual([]);
    expect(codes(comparison!)).toContain('FEW_MEASUREMENTS');
  });
});
