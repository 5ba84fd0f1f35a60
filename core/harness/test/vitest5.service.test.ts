import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { startHooked, takePartIn, type Taken } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'deadheat-vitest5-'));
const node = join(folder, 'node_modules/node/bin/node');
const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
spawnSync('npm', ['install', '--no-audit', '--no-fund', 'vitest@5.1.1', 'node@22'], { cwd: folder, stdio: 'ignore' });
const present = existsSync(vitest) && existsSync(node);
cpSync(fileURLToPath(new URL('fixtures/vitest5', import.meta.url)), folder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function takePart(args: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<Taken> {
  return takePartIn(folder, [vitest, 'bench', '--run', ...args], { node, variables });
}

describe.skipIf(!present)(
  `vitest 5${present ? '' : ' (skipped: npm cannot install vitest 5 and Node 22 here)'}`,
  () => {
    it('takes part with its files as they are, in the order of their paths', async () => {
      const { ended, benchmarks, invocations } = await takePart([]);
      expect(ended.status, ended.stdout + ended.stderr).toBe(0);
      const again = { file: 'later.bench.mjs', group: 'again' };
      expect(benchmarks).toEqual([
        ['sort', { file: 'early.bench.mjs', group: 'may fail' }, 3],
        ['fails', { file: 'early.bench.mjs', group: 'may fail' }, 3],
        ['sort', { file: 'later.bench.mjs', group: 'arrays > of numbers' }, 3],
        ['each twice', { file: 'later.bench.mjs', group: 'arrays > of numbers' }, 3],
        ['once', again, 3],
        ['once', { ...again, call: '2' }, 3],
      ]);
      // 9 invocations were asked for, without a time; a hook around each of them leaves one an iteration.
      expect(invocations.slice(-2)).toEqual([3, 1]);
      expect(ended.stdout.match(/set up|after all/g)).toEqual(['set up', 'after all']);
      expect(ended.stdout.match(/before/g)).toHaveLength(4);
      expect(ended.stdout).toMatch(/each twice +[\d.,]+/);
    });

    it('fails with the name of the benchmark', async () => {
      const { ended, benchmarks } = await takePart(['early'], { FAILS: '1' });
      expect(ended.status).toBe(1);
      expect(ended.stderr).toContain("benchmark 'fails', file=early.bench.mjs, group=may fail failed: on purpose");
      expect(benchmarks).toEqual([['sort', { file: 'early.bench.mjs', group: 'may fail' }, 3]]);
    });

    it('lets the provider measure bench.compare in turns, and assertions judge the interval', async () => {
      const provider = fileURLToPath(new URL('../dist/vitest/provider.js', import.meta.url));
      const config = join(folder, 'provider.config.mjs');
      writeFileSync(config, `export default { test: { benchmark: { provider: ${JSON.stringify(provider)} } } };`);
      const guide = readFileSync(new URL('../../../docs/vitest.md', import.meta.url), 'utf8');
      const [, example = ''] =
        /```javascript\n((?:(?!```)[\s\S])*?bench\.compare\((?:(?!```)[\s\S])*)```/.exec(guide) ?? [];
      writeFileSync(join(folder, 'guide.bench.mjs'), example);
      const guided = await startHooked(folder, [vitest, 'bench', '--run', '--config', config, 'guide'], { node });
      expect(guided.status, guided.stdout + guided.stderr).toBe(0);
      const ended = await startHooked(folder, [vitest, 'bench', '--run', '--config', config, 'later'], { node });
      expect(ended.status).toBe(1);
      expect(ended.stderr).toMatch(
        /Expected to be faster by more than 90 %, but was: [+-]\d.* % \[.*\] \(95 % interval, (?:CPU|wall) time, \d+ blocks in one process\)/,
      );
      expect(ended.stdout).toMatch(/each twice +[\d.,]+/);
    });
  },
);
