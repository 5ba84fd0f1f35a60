import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Versions } from '../src/versions.ts';
import type { InstalledPackage } from '../src/install-package.ts';

const { signal } = new AbortController();

describe('a package that is made ready', () => {
  let folder: string;
  let versions: Versions;
  let installs: number;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'deadheat-package-'));
    mkdirSync(join(folder, 'project'));
    vi.stubEnv('DEADHEAT_CACHE', join(folder, 'cache'));
    // Nothing here may ask a registry.
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
    vi.stubEnv('npm_config_fetch_retries', '0');
    versions = new Versions();
    installs = 0;
  });
  afterEach(async () => {
    await versions.releaseAll();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  const write = (name: string, text: string): void => writeFileSync(join(folder, 'project', name), text);

  /** A tarball of `lib`, by `npm pack`, in the project's folder. */
  function pack(version: string): string {
    const source = join(folder, `lib-${version}`);
    mkdirSync(source);
    writeFileSync(
      join(source, 'package.json'),
      JSON.stringify({ name: 'lib', version, type: 'module', main: 'index.js' }),
    );
    writeFileSync(join(source, 'index.js'), `export const version = '${version}';\n`);
    const args = ['pack', '--silent', '--pack-destination', join(folder, 'project')];
    return `./${execFileSync('npm', args, { cwd: source, encoding: 'utf8' }).trim().split('\n').at(-1) ?? ''}`;
  }

  const install = async (spec: string): Promise<InstalledPackage> =>
    versions.install({
      spec,
      what: 'A',
      cwd: join(folder, 'project'),
      signal,
      fresh: false,
      onInstall: () => (installs += 1),
    });

  it('is what the files of the project import, each version in a copy of its own', async () => {
    write('bench.mjs', "import { version } from 'lib';\nconsole.log(version);\n");
    const [one, two] = [await install(pack('1.0.0')), await install(pack('2.0.0'))];
    expect([one.label, two.label]).toEqual(['lib@1.0.0', 'lib@2.0.0']);
    const run = (version: InstalledPackage): string =>
      execFileSync(process.execPath, ['bench.mjs'], { cwd: version.folder, encoding: 'utf8' }).trim();
    expect([run(one), run(two)]).toEqual(['1.0.0', '2.0.0']);
  });

  it('is installed once; the files of the project are those of now', async () => {
    const tarball = pack('1.0.0');
    write('bench.mjs', 'old');
    write('gone.mjs', 'old');
    await versions.release(await install(tarball));
    write('bench.mjs', 'new');
    rmSync(join(folder, 'project', 'gone.mjs'));
    const again = await install(tarball);
    expect([again.wasReady, installs]).toEqual([true, 1]);
    expect(readFileSync(join(again.folder, 'bench.mjs'), 'utf8')).toBe('new');
    expect(() => readFileSync(join(again.folder, 'gone.mjs'))).toThrow(/ENOENT/);
  });

  it('is installed anew when the project depends on something else', async () => {
    const tarball = pack('1.0.0');
    await versions.release(await install(tarball));
    write('package.json', '{ "name": "lib", "type": "module" }');
    await install(tarball);
    expect(installs).toBe(2);
  });

  it('is refused where it is a folder, is not there or cannot be a package', async () => {
    for (const spec of ['../project', './none.tgz', '--global', 'a b']) {
      await expect(install(spec)).rejects.toMatchObject({ code: 'BAD_PACKAGE' });
    }
  });

  it('that cannot be installed is told with what npm wrote', async () => {
    write('broken.tgz', 'this is no archive');
    await expect(install('./broken.tgz')).rejects.toMatchObject({
      code: 'INSTALL_FAILED',
      message: expect.stringMatching(
        /^A, file:.*broken\.tgz, cannot be installed: npm install failed\n {2}npm/s,
      ) as string,
    });
  });
});
