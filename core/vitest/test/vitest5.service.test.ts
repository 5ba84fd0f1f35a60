import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'deadheat-processes-'));
const node = join(folder, 'node_modules/node/bin/node');
const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
spawnSync('npm', ['install', '--no-audit', '--no-fund', 'vitest@5.1.1', 'node@22'], { cwd: folder, stdio: 'ignore' });
const present = existsSync(vitest) && existsSync(node);
for (const name of ['slower', 'alone']) {
  cpSync(fileURLToPath(new URL(`fixtures/${name}.bench.mjs`, import.meta.url)), join(folder, `${name}.bench.mjs`));
}
const example = join(folder, 'example');
cpSync(fileURLToPath(new URL('../../../examples/vitest5', import.meta.url)), example, { recursive: true });
if (present) {
  const packages = fileURLToPath(new URL('../../../node_modules/@deadheat', import.meta.url));
  symlinkSync(packages, join(folder, 'node_modules/@deadheat'));
}
const provider = fileURLToPath(new URL('../dist/provider.js', import.meta.url));
for (const pool of ['forks', 'threads']) {
  const test = { pool, benchmark: { provider } };
  writeFileSync(join(folder, `${pool}.config.mjs`), `export default ${JSON.stringify({ test })};`);
}
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(
  file: string,
  {
    pool = 'forks',
    cwd = folder,
    config = `${pool}.config.mjs`,
  }: { readonly pool?: string; readonly cwd?: string; readonly config?: string } = {},
): { readonly child: ChildProcess; readonly printed: () => string } {
  // The variables of the tests' own vitest would reach the one that is started.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && name !== 'FORCE_COLOR');
  const child = spawn(node, [vitest, 'bench', '--run', '--testTimeout', '300000', '--config', config, file], {
    cwd,
    env: { ...Object.fromEntries(own), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  return { child, printed: () => text };
}

async function textOf({ child, printed }: ReturnType<typeof start>): Promise<string> {
  await once(child, 'close');
  return printed();
}

function running(): number {
  const { stdout } = spawnSync('pgrep', ['-f', folder], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line !== '').length;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe.skipIf(!present)(
  `bench.compare of vitest 5${present ? '' : ' (skipped: npm cannot install vitest 5 and Node 22 here)'}`,
  () => {
    it.each(['forks', 'threads'])('is measured in pairs of processes, in the pool %s', async (pool) => {
      const text = await textOf(start('slower', { pool }));
      expect(text).toMatch(
        /Expected not to be slower, but was: \+\d.* % \[.*\] \(95 % interval, (?:CPU|wall) time, \d+ pairs of processes\)/,
      );
      expect(text).not.toContain('deadheat: ');
      expect(text).toMatch(/long +[\d.,]+/);
    });

    it('passes in the guide', async () => {
      const guide = readFileSync(new URL('../../../docs/vitest.md', import.meta.url), 'utf8');
      const [, example = ''] =
        /```javascript\n((?:(?!```)[\s\S])*?bench\.compare\((?:(?!```)[\s\S])*)```/.exec(guide) ?? [];
      writeFileSync(join(folder, 'guide.bench.mjs'), example);
      const text = await textOf(start('guide'));
      expect(text).toContain('1 passed (1)');
      expect(text).not.toContain('deadheat: ');
    });

    it('passes in the example', async () => {
      const text = await textOf(start('group', { cwd: example, config: 'vitest.config.mjs' }));
      expect(text).toContain('1 passed (1)');
      expect(text).not.toContain('deadheat: ');
    });

    it('is measured in the process of the test where it cannot be made again, and says why', async () => {
      const text = await textOf(start('alone'));
      expect(text).toMatch(
        /blocks in one process; not in two processes: the test does not reach the call when it is executed again \(passed\)\)/,
      );
      expect(text).toMatch(
        /deadheat: bench\.compare measures in one process: two processes need 10 s, and the time limit of the test \(9 s\) leaves [0-4] s/,
      );
    });

    it('leaves no process behind when it is interrupted', async () => {
      const { child } = start('slower');
      const ended = once(child, 'exit');
      await until(() => running() >= 5);
      process.kill(-(child.pid ?? 0), 'SIGINT');
      await ended;
      await until(() => running() === 0);
    });
  },
);
