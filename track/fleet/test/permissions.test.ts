import { benchmarkDefaults, type Benchmark } from '@deadheat/model';
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
    changes: {},
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
  const command = { name: 'a', commandLine: 'a', argv: ['/bin/a'], executedBy: 'direct' as const };
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
    ...benchmarkDefaults,
    name: 'parser',
    commands: { A: command, B: command },
    containers: { A: container, B: container, suite: 's', agentBarrier: false, countsCut: false },
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
  const permissions = { ...nothing, repositories: ['https://example.org/team/'] };

  it('is taken, and its address is compared by what it means', () => {
    expect(refusalOf(() => checkCode(commit('https://example.org/team/a.git'), permissions))).toBeNull();
    const outside = refusalOf(() => checkCode(commit('https://example.org/others/a.git'), permissions));
    expect(outside?.message).toContain('--allow-repository https://example.org/others/a.git');
    const encoded = refusalOf(() => checkCode(commit('https://example.org/team/%2e%2e/others/a.git'), permissions));
    expect(encoded?.message).toMatch(/two meanings; nothing was executed/);
  });

  it('brings no command that is not in its commits', () => {
    const refusal = refusalOf(() => checkCode(commit('https://example.org/team/a.git', 'make'), permissions));
    expect(refusal?.message).toMatch(/setup command 'make'.*build:/);
  });
});

describe('an allowed image', () => {
  const permissions = { ...nothing, images: ['registry.example.org/bench/'] };
  const code = { kind: 'images' } as const;

  it('is executed in its container', () => {
    expect(refusalOf(() => checkPrograms([benchmark()], { code, permissions }))).toBeNull();
  });

  it('brings nothing that is executed or read outside of it', () => {
    const hooks = { build: null, setup: 'curl evil', prepare: null, conclude: null, cleanup: null };
    const outside: readonly Partial<Benchmark>[] = [
      { containers: null },
      { hooks: { A: hooks, B: hooks } },
      { parser: { kind: 'module', path: '/tmp/evil.js' } },
      { input: '/etc/shadow' },
      { results: { A: '/proc/self/environ', B: null } },
      { scratch: { A: null, B: '/root' } },
      { environment: { A: {}, B: { 'A=B': 'c' } } },
    ];
    for (const changes of outside) {
      const refusal = refusalOf(() => checkPrograms([benchmark(changes)], { code, permissions }));
      expect(refusal, JSON.stringify(changes)).toMatchObject({ code: 'NOT_ALLOWED_HERE' });
    }
  });

  it('is in no folder of the submitter', () => {
    const [taken] = checkPrograms([benchmark({ workingDirectory: { A: '/root', B: '/home/me' } })], {
      code,
      permissions,
    });
    expect(taken?.workingDirectory).toEqual({ A: null, B: null });
  });

  it.each([
    '--privileged',
    'registry.example.org/bench/../others/x',
    'registry.example.org/bench/./x',
    'registry.example.org/bench/x --network=host',
    'registry.example.org/bench/x\n',
    'oci:/root',
  ])('is none with the name %s', (image) => {
    const benchmarks = [withContainer({ image })];
    const refusal = refusalOf(() =>
      checkPrograms(benchmarks, { code, permissions: { ...permissions, images: [...permissions.images, image] } }),
    );
    expect(refusal).toMatchObject({ code: 'NOT_ALLOWED_HERE' });
  });

  it('is none with a name that takes long to read', () => {
    const image = `registry.example.org/bench/${'x'.repeat(1_000_000)} `;
    const refusal = refusalOf(() => checkPrograms([withContainer({ image })], { code, permissions }));
    expect(refusal).toMatchObject({ code: 'NOT_ALLOWED_HERE' });
  });

  it.each(['registry.example.org:5000/bench/x:1.2', 'localhost/app', `bench@sha256:${'0'.repeat(64)}`, '3f2a'])(
    'may have the name %s',
    (image) => {
      const own = { ...permissions, images: [...permissions.images, image] };
      expect(refusalOf(() => checkPrograms([withContainer({ image })], { code, permissions: own }))).toBeNull();
    },
  );
});

describe('the network of a container', () => {
  const permissions = { ...nothing, images: ['registry.example.org/bench/'] };

  it.each([{ kind: 'images' } as const, commit('https://example.org/a.git')])(
    'is none but where it is allowed',
    (code) => {
      const benchmarks = [withContainer({ network: 'host' })];
      const refusal = refusalOf(() => checkPrograms(benchmarks, { code, permissions }));
      expect(refusal?.message).toMatch(/in the network host.*--allow-network host/);
      const bridged = { ...permissions, networks: ['bridge'] };
      expect(refusalOf(() => checkPrograms(benchmarks, { code, permissions: bridged }))).not.toBeNull();
      const hosted = { ...permissions, networks: ['host'] };
      expect(refusalOf(() => checkPrograms(benchmarks, { code, permissions: hosted }))).toBeNull();
    },
  );
});

/** A benchmark whose side B has another container. */
function withContainer(changes: Partial<NonNullable<Benchmark['containers']>['A']>): Benchmark {
  const whole = benchmark();
  const { containers } = whole;
  if (containers === null) throw new TypeError('it has no containers');
  return { ...whole, containers: { ...containers, B: { ...containers.B, ...changes } } };
}
