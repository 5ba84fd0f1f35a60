import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { getAffinity, hasNativeCalls, sharedMemoryDirectory } from '@deadheat/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const noDuets = !hasNativeCalls() || sharedMemoryDirectory() === null || getAffinity().length < 2;
const work = (count: number): string => `i=0; while [ $i -lt ${count} ]; do i=$((i+1)); done; echo done\n`;
const usual = 4000;

interface Answered {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: { readonly exitCode: number; readonly result: Readonly<Record<string, unknown>> };
}

interface Explained {
  readonly functions: readonly { readonly B: { readonly name: string } | null }[];
  readonly functionCount: number;
}

describe.skipIf(noDuets)('the server of tools', () => {
  let folder = '';
  let client = new Client({ name: 'test', version: '1' });
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  const write = (text: string): void => writeFileSync(join(folder, 'work.sh'), text);

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'deadheat-mcp-'));
    const env = { PATH: process.env['PATH'] ?? '', DEADHEAT_CACHE: join(folder, '.deadheat/cache') };
    client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [main], cwd: folder, env, stderr: 'ignore' }),
    );
  });
  afterEach(async () => {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: Parameters<Client['callTool']>[2] = {},
  ): Promise<Answered> {
    return (await client.callTool({ name, arguments: args }, undefined, {
      timeout: 600_000,
      ...options,
    })) as unknown as Answered;
  }

  it('offers compare, attempt, explain and history, of which the last only reads', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['compare', false],
      ['attempt', false],
      ['explain', false],
      ['history', true],
    ]);
  });

  it('drives a loop: start, a change worth nothing, one that is kept, end', async () => {
    git('init', '--quiet', '--initial-branch=main');
    write(work(5 * usual));
    writeFileSync(join(folder, '.gitignore'), '.deadheat\n');
    git('add', '--all');
    git('commit', '--quiet', '-m', 'first');
    const started = await call('attempt', { step: 'start', command: 'sh work.sh', margin: '60%', maxTime: '5m' });
    expect(started.structuredContent).toMatchObject({
      exitCode: 0,
      result: { start: { name: 'loop' }, budget: { left: 1 } },
    });

    write(`# a comment\n${work(5 * usual)}`);
    const progress: Progress[] = [];
    const nothing = await call(
      'attempt',
      { step: 'judge', message: '--apply' },
      { onprogress: (one) => void progress.push(one) },
    );
    expect(nothing.structuredContent).toMatchObject({
      exitCode: 1,
      result: { entry: { answer: 'revert', message: '--apply' }, reverted: false },
    });
    expect(progress.length).toBeGreaterThan(0);
    expect(progress.map((one) => one.progress)).toEqual(progress.map((one) => one.progress).toSorted((a, b) => a - b));

    write(work(usual));
    const kept = await call('attempt', { step: 'judge', message: 'less work' });
    expect(kept.structuredContent).toMatchObject({ exitCode: 0, result: { entry: { answer: 'keep' } } });
    const ended = await call('attempt', { step: 'end', maxTime: '10s' });
    expect(ended.structuredContent?.result).toMatchObject({
      attempts: [{ answer: 'revert' }, { answer: 'keep', message: 'less work' }],
      end: { total: [{ verdict: 'faster' }] },
    });
    expect(readdirSync(folder).toSorted()).toEqual(['.deadheat', '.git', '.gitignore', 'work.sh']);
    expect(git('status', '--porcelain')).toBe(' M work.sh\n');
  });

  it('compares two commands, and gives a program that is missing the message of the command line', async () => {
    write(work(usual));
    const compared = await call('compare', { a: 'sh work.sh', b: 'sh work.sh', margin: '60%', maxTime: '5m' });
    expect(compared.structuredContent?.result).toMatchObject({ comparisons: [{ verdict: 'dead-heat' }] });
    const missing = await call('compare', { a: 'sh work.sh', b: 'no-such-program' });
    expect([missing.isError, missing.content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/no-such-program.*\nexit code 4$/s),
    ]);
    const history = await call('history', { last: 5 });
    expect(history.structuredContent?.result).toHaveProperty('series');
  });

  it('explains a comparison that it made, names its functions, and keeps them in the recording', async () => {
    const program = (rounds: number): string =>
      `function spend() { let x = 1; for (let n = 0; n < ${rounds}e6; n++) x = (x * 31 + n) % 1000003; return x; }\nconsole.log(spend() > 0);\n`;
    writeFileSync(join(folder, 'a.mjs'), program(5));
    writeFileSync(join(folder, 'b.mjs'), program(25));
    const compared = await call('compare', { a: 'node a.mjs', b: 'node b.mjs', margin: '20%', maxTime: '2m' });
    const recording = (compared.structuredContent?.result ?? {})['recording'] as string;
    const explained = await call('explain', { recording, pairs: 5 });
    const { functions, ...rest } = (explained.structuredContent?.result ?? {}) as unknown as Explained;
    expect(rest).toMatchObject({ schema: 'deadheat.explain/1', runtime: 'node', pairs: 5 });
    expect(functions.map(({ B }) => B?.name)).toContain('spend');
    expect([rest.functionCount, 'tree' in rest]).toEqual([functions.length, false]);
    expect(existsSync(join(folder, recording, 'explanation.json'))).toBe(true);

    const unknown = await call('explain', { benchmark: '--export=json:written' });
    expect([unknown.isError, unknown.content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/no benchmark --export=json:written.*\nexit code 2$/s),
    ]);
    const limited = await call('explain', { pairs: 1000, timeLimitSeconds: 2 });
    expect([limited.isError, limited.content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/^The time limit of the call passed/),
    ]);
    expect(existsSync(join(folder, 'written'))).toBe(false);
  });

  it('takes no text for an option', async () => {
    write(work(usual));
    const target = join(folder, 'written');
    for (const hostile of [`--export=json:${target}`, `--output=${target}`, '-h']) {
      const compared = await call('compare', { a: hostile, b: 'sh work.sh' });
      expect([compared.isError, compared.content[0]?.text]).toEqual([true, expect.stringContaining('exit code 4')]);
      const valued = await call('compare', { a: 'true', b: 'true', margin: hostile });
      expect([valued.isError, valued.content[0]?.text]).toEqual([true, expect.stringContaining('exit code 2')]);
      const explained = await call('explain', { recording: hostile });
      expect([explained.isError, explained.content[0]?.text]).toEqual([true, expect.stringContaining('exit code 2')]);
      expect((await call('explain', { maxTime: hostile })).isError).toBe(true);
      expect((await call('attempt', { step: 'status', loop: hostile })).isError).toBe(true);
      expect((await call('attempt', { step: 'start', command: 'true', from: hostile })).isError).toBe(true);
    }
    for (const loop of ['../x', 'a/b', '']) expect((await call('attempt', { step: 'end', loop })).isError).toBe(true);
    for (const recording of ['/tmp', '..', '../x', 'a/../../x', '']) {
      const [said] = (await call('explain', { recording })).content;
      expect(said?.text, recording).toContain('Invalid arguments for tool explain');
    }
    expect((await call('explain', { pairs: 4 })).isError).toBe(true);
    expect((await call('attempt', { step: 'apply' })).isError).toBe(true);
    expect(existsSync(target)).toBe(false);
  });

  it('ends a call at its time limit, and one that is cancelled, and goes on serving', async () => {
    const limited = await call('compare', { a: 'sleep 5', b: 'sleep 5', timeLimitSeconds: 2 });
    expect([limited.isError, limited.content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/^The time limit of the call passed/),
    ]);
    const controller = new AbortController();
    const cancelled = call('compare', { a: 'sleep 5', b: 'sleep 5' }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 1500);
    await expect(cancelled).rejects.toThrow();
    // It waits for its turn: the programs of the other call are gone then.
    expect((await call('attempt', { step: 'status' })).isError).toBe(true);
  });
});
