import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOwnMachine } from '@deadheat/engine';
import { Versions } from '@deadheat/versions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Code } from '../src/code.ts';
import { type PreparedExperiment, prepareExperiment, type ReadExperiment } from '../src/worker/prepare-experiment.ts';
import { checkOutCommit } from '../src/worker/repository-place.ts';
import { draftOf, failureOf } from './support.ts';

type Commit = Extract<Code, { readonly kind: 'commit' }>;

/** Variables of this process that tests set. */
const variables = ['DEADHEAT_CACHE', 'GIT_SSL_NO_VERIFY', 'GIT_CONFIG_GLOBAL'] as const;

let folder: string;
let before: Partial<Record<string, string>>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deadheat-prepare-'));
  before = Object.fromEntries(variables.map((name) => [name, process.env[name]]));
  process.env['DEADHEAT_CACHE'] = join(folder, 'cache');
});
afterEach(() => {
  for (const name of variables) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  rmSync(folder, { recursive: true, force: true });
});

function git(cwd: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
  return execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8' }).trim();
}

/** A repository with these files; what they hold is of no meaning to git. */
function repository(name: string, prepare: (path: string) => void): Commit {
  const path = join(folder, name);
  mkdirSync(path);
  git(path, 'init', '-q');
  prepare(path);
  git(path, 'add', '.');
  git(path, 'commit', '-qm', 'all');
  const commit = git(path, 'rev-parse', 'HEAD');
  return { kind: 'commit', repository: path, commit, file: 'deadheat.yaml', setup: null, changes: {} };
}

async function prepare(
  code: Code,
  { A, readExperiment }: { readonly A: string; readonly readExperiment: ReadExperiment },
): Promise<PreparedExperiment> {
  const { machine } = await readOwnMachine({ cpus: null, ownCpu: null });
  const definition = {
    schema: 'deadheat.experiment/1',
    id: 'x',
    startedAt: '2026-01-01T00:00:00Z',
    tool: { name: 'deadheat', version: '0.1.0' },
    config: {
      ...draftOf({ A }),
      cpus: [0, 0],
      tandemCpus: [],
      sequentialCpus: [],
      lanes: 1,
      showOutput: true,
    },
    machine,
    warnings: [],
  };
  return prepareExperiment(
    { id: 'x', toolVersion: '0.1.0', definition, code },
    {
      permissions: { repositories: [`${folder}/`], images: [], variables: ['ALLOWED'], commands: true },
      variables: {
        PATH: process.env['PATH'],
        PGPASSWORD: 'secret',
        GITHUB_TOKEN: 'secret',
        ALLOWED: 'yes',
        OTHER: 'no',
      },
      toolVersion: '0.1.0',
      readExperiment,
      folder: join(folder, 'worker'),
      cpus: null,
      ownCpu: null,
      lanes: null,
      signal: new AbortController().signal,
    },
  );
}

function nothingRead(): never {
  throw new TypeError('nothing is to be read');
}

describe('a file of a commit', () => {
  it('is read with the tree of another commit for side A where two are compared', async () => {
    const code = repository('two', (path) => writeFileSync(join(path, 'version'), 'older'));
    if (code.kind !== 'commit') throw new TypeError('it is a commit');
    writeFileSync(join(code.repository, 'version'), 'newer');
    git(code.repository, 'commit', '-qam', 'newer');
    const newer = git(code.repository, 'rev-parse', 'HEAD');
    const seen: unknown[] = [];
    const readExperiment: ReadExperiment = ({ folder: tree, base }) => {
      seen.push([base, tree].map((one) => (one === null ? null : readFileSync(join(one, 'version'), 'utf8'))));
      return draftOf({ A: 'true' });
    };
    const both = await prepare({ ...code, commit: newer, base: code.commit }, { A: 'true', readExperiment });
    await both.close();
    const one = await prepare({ ...code, commit: newer }, { A: 'true', readExperiment });
    await one.close();
    expect(seen).toEqual([
      ['older', 'newer'],
      [null, 'newer'],
    ]);
  });

  it('is not quoted to who submitted it, and nothing that reads it ends the worker', async () => {
    const code = repository('origin', (path) => writeFileSync(join(path, 'deadheat.yaml'), 'password: hunter2\n'));
    for (const details of [{ code: 'BAD_CONFIG' }, { code: 'EISDIR', errno: -21 }, {}]) {
      const failure = await failureOf(() =>
        prepare(code, {
          A: 'true',
          readExperiment: () => {
            throw Object.assign(new Error('deadheat.yaml:1:1: unknown key\n\n  password: hunter2'), details);
          },
        }),
      );
      expect(failure).toMatchObject({ code: 'RUN_REFUSED' });
      expect(failure.message).toMatch(/^deadheat\.yaml of the commit [0-9a-f]{10} cannot be used/);
      expect(failure.message).not.toContain('hunter2');
    }
  });

  it('is in the commit, also when it is a link', async () => {
    writeFileSync(join(folder, 'secret'), 'of the machine');
    const code = repository('origin', (path) => symlinkSync('../../../../secret', join(path, 'deadheat.yaml')));
    const absolute = repository('other', (path) => symlinkSync(join(folder, 'secret'), join(path, 'deadheat.yaml')));
    const failure = await failureOf(() => prepare(absolute, { A: 'true', readExperiment: nothingRead }));
    expect(failure).toMatchObject({ code: 'NOT_ALLOWED_HERE' });
    const relative = await failureOf(() => prepare(code, { A: 'true', readExperiment: nothingRead }));
    expect(relative.message).not.toContain('of the machine');
  });
});

describe('what is executed outside of containers', () => {
  function names(text: string): readonly string[] {
    return text
      .split('\n')
      .map((line) => line.split('=')[0] ?? '')
      .filter((name) => name !== '' && name !== '_');
  }

  const allowed = /^(?:PATH|HOME|LANG|TMPDIR|ALLOWED|PWD|OLDPWD|SHLVL|DEADHEAT_\w+)$/;

  it('inherits no secret of the worker: neither programs, nor setups, nor hooks', async () => {
    process.env['PGPASSWORD'] = 'secret';
    try {
      const code = repository('origin', (path) => writeFileSync(join(path, 'deadheat.yaml'), ''));
      const setup = join(folder, 'setup');
      const program = join(folder, 'program');
      const hook = join(folder, 'hook');
      const plain = draftOf({ A: `env > ${program}`, B: 'true' });
      const benchmarks = plain.benchmarks.map((one) => ({
        ...one,
        hooks: { ...one.hooks, A: { ...one.hooks.A, prepare: `env > ${hook}` } },
      }));
      const draft = { ...plain, benchmarks };
      const prepared = await prepare({ ...code, setup: `env > ${setup}` }, { A: 'true', readExperiment: () => draft });
      try {
        const wanted = { benchmark: 0, phase: 'measure', run: 0, method: 'sequential' } as const;
        const result = await prepared.runner.run(wanted, new AbortController().signal);
        expect(result).toMatchObject({ kind: 'finished', trial: { failures: [] } });
      } finally {
        await prepared.close();
      }
      for (const file of [setup, program, hook]) {
        const found = names(readFileSync(file, 'utf8'));
        expect(found).toContain('PATH');
        expect(found).toContain('ALLOWED');
        expect(found.filter((name) => !allowed.test(name))).toEqual([]);
      }
      expect(prepared.experiment.config.showOutput).toBe(false);
    } finally {
      delete process.env['PGPASSWORD'];
    }
  });
});

describe('fetching an allowed repository', () => {
  const signal = new AbortController().signal;
  function options(): Parameters<typeof checkOutCommit>[1] {
    return {
      folder: join(folder, 'clones'),
      versions: new Versions(),
      inherited: { PATH: process.env['PATH'] },
      signal,
    };
  }

  const noOpenssl = spawnSync('openssl', ['version']).status !== 0;

  it.skipIf(noOpenssl)('does not go where its server sends it', async () => {
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const names = ['-subj', '/CN=127.0.0.1', '-days', '1', '-keyout', key, '-out', certificate];
    execFileSync('openssl', ['req', '-x509', ...curve, ...names], { stdio: 'ignore' });
    const asked: string[] = [];
    const server: Server = createServer(
      { key: readFileSync(key), cert: readFileSync(certificate) },
      (request, response) => {
        asked.push(request.url ?? '');
        response.writeHead(302, { location: `/others${request.url ?? ''}` }).end();
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    process.env['GIT_SSL_NO_VERIFY'] = '1';
    try {
      const { port } = server.address() as AddressInfo;
      const code = {
        kind: 'commit',
        repository: `https://127.0.0.1:${port}/team/a.git`,
        commit: 'a'.repeat(40),
      } as const;
      const failure = await failureOf(() =>
        checkOutCommit({ ...code, file: 'deadheat.yaml', setup: null, changes: {} }, options()),
      );
      expect(failure).toMatchObject({ code: 'RUN_REFUSED' });
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.filter((path) => !path.startsWith('/team/a.git/'))).toEqual([]);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('fetches no submodule, whatever its URL', async () => {
    const marker = join(folder, 'executed');
    const others = repository('others', (path) => writeFileSync(join(path, 'a'), 'of others'));
    const code = repository('origin', (path) => {
      const urls = [`ext::sh -c "touch ${marker}"`, `--upload-pack=touch ${marker}`, others.repository];
      const modules = urls.map(
        (url, index) => `[submodule "m${index}"]\n\tpath = m${index}\n\turl = ${JSON.stringify(url)}\n`,
      );
      writeFileSync(join(path, '.gitmodules'), modules.join(''));
      for (const index of urls.keys()) {
        git(path, 'update-index', '--add', '--cacheinfo', `160000,${others.commit},m${index}`);
      }
    });
    // A user who has git fetch submodules by itself.
    const config = join(folder, 'gitconfig');
    writeFileSync(config, '[submodule]\n\trecurse = true\n[protocol]\n\tallow = always\n');
    process.env['GIT_CONFIG_GLOBAL'] = config;
    const { folder: tree, release } = await checkOutCommit(code, options());
    try {
      expect(existsSync(join(tree, '.gitmodules'))).toBe(true);
      for (const name of ['m0', 'm1', 'm2']) expect(existsSync(join(tree, name, 'a')), name).toBe(false);
      expect(existsSync(marker)).toBe(false);
    } finally {
      await release();
    }
  });
});
