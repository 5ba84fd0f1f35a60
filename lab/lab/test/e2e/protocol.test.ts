import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ProtocolCheck } from '../../src/conformance/check-protocol.ts';
import { leavesNothing, noDuets, until, useScene } from '../../../../core/cli/test/e2e/support.ts';

describe.skipIf(noDuets !== null)(`protocol check${noDuets === null ? '' : ` (skipped: ${noDuets})`}`, () => {
  const scene = useScene(leavesNothing);

  it('tells what a program does that knows nothing of the protocol, with exit code 4', async () => {
    const program = scene.script('program', 'exit 0');
    const ended = await scene.run(['lab', 'protocol', 'check', '--side', 'B', '--', program, '--side', 'C']);
    expect(ended).toMatchObject({ status: 4, stderr: '' });
    expect(ended.stdout).toMatch(/^broken +its record can be read \[The record\]$/m);
    expect(ended.stdout).toMatch(/- as B in “alone, without a page”: it wrote nothing to DEADHEAT_RECORD/);
    expect(ended.stdout).toMatch(/^untested +as side A it copies/m);
    expect(ended.stdout).toContain(`${program} --side C as side B: `);
    expect(ended.stdout.split('\n').filter((line) => line.length > 80 && !line.includes(program))).toEqual([]);
  });

  it('writes what was found as JSON, alone on standard output', async () => {
    const args = ['lab', 'protocol', 'check', '--side=A', '--export', 'json:-', scene.script('program', 'exit 0')];
    const ended = await scene.run(args);
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(/^held|^broken/);
    const check = JSON.parse(ended.stdout) as ProtocolCheck;
    expect(check).toMatchObject({ argv: args.slice(-1), sides: ['A'], holds: false });
    expect(check.rules.filter(({ outcome }) => outcome === 'broken').map(({ rule }) => rule)).toContain('record-form');
    const file = scene.path('check.json');
    await scene.run(['lab', 'protocol', 'check', '--side', 'A', '--export', `json:${file}`, ...args.slice(-1)]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(check);
  });

  it('ends the program on Ctrl-C, with exit code 130', async () => {
    const started = scene.path('started');
    const program = scene.script('program', `touch ${started}\nsleep 1000`);
    const running = scene.start(['lab', 'protocol', 'check', '--timeout', '1h', '--', program]);
    await until(() => existsSync(started));
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ status: 130, stdout: '', stderr: 'deadheat: interrupted\n' });
  });

  it('says that a program cannot be started, with exit code 4', async () => {
    const ended = await scene.run(['lab', 'protocol', 'check', '--', './missing']);
    expect(ended).toMatchObject({ status: 4, stdout: '' });
    expect(ended.stderr).toMatch(/cannot start \.\/missing: it was not found/);
  });
});

describe('protocol', () => {
  const scene = useScene();
  const cases: readonly [readonly string[], RegExp][] = [
    [['lab', 'protocol'], /protocol needs a subcommand\nThere are check\./],
    [['lab', 'protocol', 'frob'], /no subcommand frob/],
    [['lab', 'protocol', 'check'], /needs the program/],
    [['lab', 'protocol', 'check', '--'], /needs the program/],
    [['lab', 'protocol', 'check', '--side', 'C', '--', 'true'], /--side must be A, B or both/],
    [['lab', 'protocol', 'check', '--timeout', '0', '--', 'true'], /--timeout must be a duration/],
    [['lab', 'protocol', 'check', '--export', 'json:no/such/x.json', '--', 'true'], /--export json/],
    [['--runs', '3', 'lab', 'protocol', 'check', '--', 'true'], /--runs stands before lab/],
  ];
  for (const [args, says] of cases) {
    it(`is refused with exit code 2: ${args.join(' ')}`, async () => {
      const ended = await scene.run(args);
      expect(ended).toMatchObject({ status: 2, stdout: '' });
      expect(ended.stderr).toMatch(says);
    });
  }
});
