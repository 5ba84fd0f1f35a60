import { benchmarkSchema, type Benchmark } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import type { Code } from '../src/code.ts';
import { checkCode, checkPrograms, type Permissions } from '../src/worker/permissions.ts';

const nothing: Permissions = { repositories: [], images: [], commands: false };

function commit(repository: string, setup: string | null = null): Code {
  return {
    kind: 'commit',
    repository,
    commit: 'a'.repeat(40),
    file: 'deadheat.yaml',
    setup,
    narrowing: {},
  };
}

function refusalOf(work: () => void): { readonly code: string; readonly message: string } | null {
  try {
    work();
    return null;
  } catch (error) {
    return error as { readonly code: string; readonly message: string };
  }
}

function benchmark(changes: Partial<Benchmark> = {}): Benchmark {
  const command = { name: 'a', commandLine: 'a', argv: ['/bin/a'], executedBy: 'direct' };
  const hooks = { build: null, setup: null, prepare: null, conclude: null, cleanup: null };
  const container = {
    image: 'registry.example.org/bench/parser:1',
    workingDirectory: null,
    cpus: null,
    memoryBytes: null,
    network: 'none',
    results: [],
    output: null,
  };
  return {
    ...benchmarkSchema.parse({
      name: 'parser',
      params: {},
      commands: { A: command, B: command },
      hooks: { A: hooks, B: hooks },
      workload: 'command',
      lines: null,
      environment: { A: {}, B: {} },
      workingDirectory: { A: null, B: null },
      input: null,
      containers: { A: container, B: container, suite: 's', agentBarrier: false },
      own: {},
    }),
    ...changes,
  };
}

describe('a worker that was started with nothing allowed', () => {
  it('executes nothing, and says how it would', () => {
    for (const code of [{ kind: 'here' }, commit('https://example.org/a.git')] as const) {
      const refusal = refusalOf(() => checkCode(code, nothing));
      expect(refusal).toMatchObject({ code: 'NOT_ALLOWED_HERE' });
      expect(refusal?.message).toMatch(/nothing was executed.*--allow-/);
    }
    const refusal = refusalOf(() => checkPrograms([benchmark()], { code: { kind: 'images' }, permissions: nothing }));
    expect(refusal?.message).toContain('--allow-image registry.example.org/bench/parser:1');
  });
});

describe('an allowed repository', () => {
  function allows(allowed: string, repository: string): boolean {
    return refusalOf(() => checkCode(commit(repository), { ...nothing, repositories: [allowed] })) === null;
  }

  it('is that very one, or with a slash at the end every one below', () => {
    expect(allows('https://example.org/team/a.git', 'https://example.org/team/a.git')).toBe(true);
    expect(allows('https://example.org/team/a', 'https://example.org/team/ab')).toBe(false);
    expect(allows('https://example.org/team/', 'https://example.org/team/a.git')).toBe(true);
    expect(allows('https://example.org/team/', 'https://example.org/team-of-others/a.git')).toBe(false);
    expect(allows('https://example.org/team/', 'https://example.org.evil.example/team/a.git')).toBe(false);
  });

  it('is not left by dots, and its transport executes no command', () => {
    expect(allows('https://example.org/team/', 'https://example.org/team/../others/a.git')).toBe(false);
    expect(allows('/srv/git/', '/srv/git/../../etc/a')).toBe(false);
    expect(allows('ext::sh -c evil% /', 'ext::sh -c evil% /')).toBe(false);
    expect(allows('--upload-pack=evil/', '--upload-pack=evil/a')).toBe(false);
  });

  it('brings no command that is not in its commits', () => {
    const permissions = { ...nothing, repositories: ['https://example.org/a.git'] };
    const refusal = refusalOf(() => checkCode(commit('https://example.org/a.git', 'make'), permissions));
    expect(refusal?.message).toMatch(/setup command 'make'.*build:/);
  });
});

describe('an allowed image', () => {
  const permissions = { ...nothing, images: ['registry.example.org/bench/'] };
  const code = { kind: 'images' } as const;

  it('is executed in its container', () => {
    expect(refusalOf(() => checkPrograms([benchmark()], { code, permissions }))).toBeNull();
  });

  it('brings nothing that is executed outside of it', () => {
    const hooks = { build: null, setup: 'curl evil', prepare: null, conclude: null, cleanup: null };
    const outside: readonly Partial<Benchmark>[] = [
      { containers: null },
      { hooks: { A: hooks, B: hooks } },
      { parser: { kind: 'module', path: '/tmp/evil.js' } },
      { input: '/etc/shadow' },
    ];
    for (const changes of outside) {
      const refusal = refusalOf(() => checkPrograms([benchmark(changes)], { code, permissions }));
      expect(refusal, JSON.stringify(changes)).toMatchObject({ code: 'NOT_ALLOWED_HERE' });
    }
  });
});
