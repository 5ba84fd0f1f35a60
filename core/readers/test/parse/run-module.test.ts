import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
// Its thread is started from the built form.
import { ParserError } from '@deadheat/readers';
import { runModule, type ModuleLimits } from '../../dist/parse/run-module.js';

const folder = mkdtempSync(join(tmpdir(), 'deadheat-parser-'));
afterAll(() => rmSync(folder, { recursive: true }));

const context = { benchmark: 'work', params: { n: '1' }, side: 'A', source: 'stdout' } as const;

async function run(source: string, limits?: ModuleLimits): Promise<unknown> {
  const path = join(folder, `${Math.abs(hash(source))}.mjs`);
  writeFileSync(path, source);
  return runModule(path, { text: 'took 5\ntook 7\n', context }, limits);
}

function hash(text: string): number {
  let value = 0;
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) | 0;
  return value;
}

async function refusal(source: string, limits?: ModuleLimits): Promise<string> {
  try {
    return `accepted ${JSON.stringify(await run(source, limits))}`;
  } catch (error) {
    if (error instanceof ParserError) return `${error.code} ${error.message}`;
    throw error;
  }
}

describe("a user's parser", () => {
  it('gets the text and where it is from, and may take its time', async () => {
    const found = await run(`
export default async (text, { benchmark, params, side, source }) => {
  await new Promise((resolve) => setTimeout(resolve, 1));
  return text.trimEnd().split('\\n').map((line, index) => ({ durationNs: Number(line.slice(5)), line: index + 1,
    benchmark: [benchmark, params.n, side, source].join() }));
};`);
    expect(found).toEqual([
      { durationNs: 5, line: 1, benchmark: 'work,1,A,stdout' },
      { durationNs: 7, line: 2, benchmark: 'work,1,A,stdout' },
    ]);
  });

  it('works as the documentation shows it', async () => {
    const page = readFileSync(new URL('../../../../docs/parsers.md', import.meta.url), 'utf8');
    const source = /```js\n([^]*?)```/.exec(page)?.[1] ?? '';
    const path = join(folder, 'documented.mjs');
    writeFileSync(path, source);
    expect(await runModule(path, { text: 'begin\ntook 5 us\n', context })).toEqual([{ durationNs: 5000, line: 2 }]);
  });

  it('that cannot be used is named, with why', async () => {
    expect(await refusal('export const parse = 1;')).toMatch(/^PARSER_NOT_LOADED .*default export is no function/);
    expect(await refusal('export default (;')).toMatch(/^PARSER_NOT_LOADED .*SyntaxError/);
    expect(await refusal("throw new Error('at load');")).toMatch(/^PARSER_NOT_LOADED .*at load/);
    expect(await refusal("export default () => { throw new Error('no times'); };")).toMatch(
      /^PARSER_FAILED .*Error: no times/,
    );
    expect(await refusal('export default () => process.exit(0);')).toMatch(/^PARSER_FAILED .*without an answer/);
    expect(await refusal('export default () => [() => 1];')).toMatch(/^PARSER_RESULT .*no plain data/);
  });

  it('ends when it takes too long or too much memory', async () => {
    expect(await refusal('export default () => { for (;;); };', { timeMs: 300, memoryMiB: 64 })).toMatch(
      /^PARSER_TIMEOUT .*longer than 0\.3 s/,
    );
    const greedy = 'export default () => { const all = []; for (;;) all.push(new Array(1e5).fill(all.length)); };';
    expect(await refusal(greedy, { timeMs: 600_000, memoryMiB: 32 })).toMatch(/^PARSER_MEMORY .*more than 32 MiB/);
  });

  it('sees nothing of the environment, and what it prints does not reach the terminal', async () => {
    const seen = await run("console.log('x'); export default () => Object.keys(process.env).length;");
    expect(seen).toBe(0);
  });
});
