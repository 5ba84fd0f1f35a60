import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeDigest } from '../src/layout/code-digest.ts';
// The wrappers start the built form of their program.
import { writeLayoutTools } from '../dist/layout/layout-tools.js';

const missing = ['gcc', 'nm', 'make'].filter((program) => spawnSync(program, ['--version']).error !== undefined);
const skipped = missing.length > 0 ? `${missing.join(', ')} not installed` : null;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deadheat-layout-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Variables of a build with a layout. */
async function layout(seed: string, inherited: NodeJS.ProcessEnv = process.env): Promise<NodeJS.ProcessEnv> {
  return { ...inherited, ...(await writeLayoutTools(join(folder, `tools-${seed}`), { seed, inherited })) };
}

function put(name: string, text: string): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
}

describe.skipIf(skipped !== null)(`a build with a layout${skipped === null ? '' : ` (skipped: ${skipped})`}`, () => {
  const functions = ['one', 'two', 'three', 'four', 'five', 'six'];

  /** Builds the same sources in a folder of its own; gives the addresses of the functions. */
  async function build(seed: string, place = seed): Promise<Readonly<Record<string, number>>> {
    const inside = join(folder, place);
    for (const name of functions) put(`${place}/${name}.c`, `int ${name}(int x) { return x * 3 + ${name.length}; }\n`);
    put(
      `${place}/main.c`,
      `#include <stdio.h>\n${functions.map((name) => `int ${name}(int);`).join('')}
       int main(void) { printf("%d\\n", ${functions.map((name) => `${name}(1)`).join('+')}); return 0; }\n`,
    );
    const objects = ['main', ...functions].map((name) => `${name}.o`).join(' ');
    put(`${place}/Makefile`, `program: ${objects}\n\tgcc -g -o program ${objects}\n%.o: %.c\n\tgcc -g -O2 -c $<\n`);
    execFileSync('make', ['--silent'], { cwd: inside, env: await layout(seed) });
    expect(execFileSync(join(inside, 'program'), { encoding: 'utf8' })).toBe('40\n');
    const symbols = execFileSync('nm', [join(inside, 'program')], { encoding: 'utf8' });
    return Object.fromEntries(
      symbols
        .split('\n')
        .map((line) => line.split(' '))
        .filter(([, , name = '']) => functions.includes(name))
        .map(([address = '', , name = '']) => [name, Number.parseInt(address, 16)]),
    );
  }

  it('has its functions in other places and another order by the seed, and by the same seed in the same ones', async () => {
    const [first, second, again] = [await build('11'), await build('12'), await build('11', 'once-more')];
    const order = (of: Readonly<Record<string, number>>): string[] =>
      Object.keys(of).toSorted((a, b) => (of[a] ?? 0) - (of[b] ?? 0));
    expect(order(first)).not.toEqual(order(second));
    expect(again).toEqual(first);
    // Functions keep the alignment that the compiler chose.
    expect(Object.values(first).map((address) => address % 16)).toEqual(functions.map(() => 0));
    const digests = await Promise.all(['11', '12', 'once-more'].map((place) => codeDigest(join(folder, place))));
    expect(digests[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(digests[1]).not.toBe(digests[0]);
    // The folder is in the debugging information, which is no code.
    expect(digests[2]).toBe(digests[0]);
  });

  it('fails as it does without, with one message', async () => {
    put('bad/bad.c', 'int main(void) { return missing(); }\n');
    const run = (env: NodeJS.ProcessEnv): [number | null, number] => {
      const { status, stderr } = spawnSync('gcc', ['-w', '-o', 'bad', 'bad.c'], {
        cwd: join(folder, 'bad'),
        env,
        encoding: 'utf8',
      });
      return [status, stderr.split('undefined reference').length];
    };
    expect(run(await layout('13'))).toEqual(run(process.env));
  });

  it('leaves assembly by hand as it is', async () => {
    const code = '\t.text\n\t.type\tf, @function\nf:\n\tnop\n\t.size\tf, .-f\n';
    put('hand/hand.s', code);
    const digest = (env: NodeJS.ProcessEnv): Buffer => {
      execFileSync('gcc', ['-c', '-o', 'hand.o', 'hand.s'], { cwd: join(folder, 'hand'), env });
      return execFileSync('objdump', ['-d', 'hand.o'], { cwd: join(folder, 'hand') });
    };
    expect(digest(await layout('14'))).toEqual(digest(process.env));
  });
});

describe('the wrappers of a layout', () => {
  /** Tools that print their words and GOFLAGS, alone in `PATH` beside the shell's. */
  async function wrapped(name: string, script: string, env: NodeJS.ProcessEnv = {}): Promise<NodeJS.ProcessEnv> {
    const place = join(folder, name);
    mkdirSync(place, { recursive: true });
    for (const tool of ['go', 'clang']) {
      writeFileSync(join(place, tool), `#!/bin/sh\n${script}\n`);
      chmodSync(join(place, tool), 0o755);
    }
    return layout(name, { PATH: `${place}:/bin:/usr/bin`, ...env });
  }
  const run = (tool: string, words: readonly string[], env: NodeJS.ProcessEnv): string =>
    execFileSync(tool, words, { env, encoding: 'utf8', cwd: folder }).trim();

  it('are there for tools that are there', async () => {
    const env = await layout('21', { PATH: join(folder, 'nowhere') });
    expect(spawnSync('clang', [], { env }).error).toMatchObject({ code: 'ENOENT' });
    expect(env['DEADHEAT_LAYOUT_SEED']).toBe('21');
  });

  it('give Go a layout where its linker knows it, and keep the flags of the user', async () => {
    const knows = 'case "$*" in *-help*) echo "  -randlayout int" >&2; exit 2;; esac; echo "$GOFLAGS"';
    expect(run('go', ['build'], await wrapped('go-new', knows, { GOFLAGS: '-v' }))).toMatch(
      /^-v -ldflags=-randlayout=\d+$/,
    );
    expect(run('go', ['build'], await wrapped('go-own', knows, { GOFLAGS: '-ldflags=-s' }))).toBe('-ldflags=-s');
    const older = await wrapped('go-old', 'echo "flags:$GOFLAGS"');
    expect(run('go', ['build'], older)).toBe('flags:');
  });

  it('have lld shuffle sections, and keep every other word in its place', async () => {
    const env = await wrapped('lld', 'echo "$@"');
    const said = run('clang', ['-fuse-ld=lld', '-o', 'x.o', 'a.o', '-L', 'b.o', 'c.o', '-lm'], env).split(' ');
    expect(said.slice(1, -2)).toContain('-ffunction-sections');
    expect(said.filter((word) => word.startsWith('-Wl,--shuffle-sections=.text*='))).toHaveLength(1);
    const own = said.slice(said.indexOf('-fuse-ld=lld'), said.indexOf('-lm') + 1);
    expect([own.slice(0, 3), own.slice(4, 6)]).toEqual([
      ['-fuse-ld=lld', '-o', 'x.o'],
      ['-L', 'b.o'],
    ]);
    expect([own[3], own[6]].toSorted()).toEqual(['a.o', 'c.o']);
  });
});
