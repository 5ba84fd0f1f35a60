import { writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { useScene } from './support.ts';

describe('a command line that cannot be carried out', () => {
  const scene = useScene();
  beforeEach(() => writeFileSync(scene.path('a-file'), ''));

  const cases: readonly [readonly string[], RegExp][] = [
    [[], /command/],
    [
      ['-n', 'x', '-n', 'y', '-n', 'y', 'true', 'true', 'true'],
      /^deadheat: two commands are called y\nGive each a name of its own: -n NAME\.\n$/,
    ],
    [['--runs', '0', 'true', 'true'], /--runs/],
    [['--cpus', '99,98', 'true', 'true'], /--cpus/],
    [['--margin', '-1', 'true', 'true'], /--margin/],
    [['--input', 'missing', 'true', 'true'], /--input/],
    [['--output', 'a-file/below', 'true', 'true'], /a-file/],
    [['--export', 'json:no/such/folder/x.json', 'true', 'true'], /--export json/],
    [['--export', 'json:.', 'true', 'true'], /--export json.*folder/],
    [['--rnus', '3', 'true', 'true'], /--runs/],
    [['--resume', 'missing'], /missing/],
    [['--resume', 'missing', 'true'], /--resume/],
    [['analyse', 'missing'], /missing/],
    [['--show-output', '--export', 'json:-', 'true', 'true'], /--show-output/],
    [['--confidence', '2', 'true', 'true'], /--confidence/],
  ];
  for (const [args, says] of cases) {
    it(`is refused with exit code 2 and one clear message: ${args.join(' ') || '(nothing)'}`, async () => {
      const ended = await scene.run(args);
      expect(ended.stderr).toMatch(says);
      expect(ended.stderr).not.toMatch(/\n {4}at /);
      expect(ended.stdout).toBe('');
      expect(ended.status).toBe(2);
    });
  }

  it('is explained by --help, and --version prints the version', async () => {
    const help = await scene.start(['--help'], { installed: true }).ended;
    expect(help).toMatchObject({ status: 0, stderr: '' });
    expect(help.stdout).toContain('--precision');
    expect((await scene.run(['--version'])).stdout).toMatch(/^deadheat \d+\.\d+\.\d+\n$/);
  });
});
