import { mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lendPackages } from '../src/check-out.ts';

describe('packages of the working tree', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'deadheat-lend-'));
    write('root/node_modules/left-pad/index.js', '');
    write('tree/index.js', '');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  async function lend(prefix = ''): Promise<string> {
    return lendPackages(join(folder, 'tree'), { root: join(folder, 'root'), prefix });
  }

  function link(path = 'tree/node_modules'): string | null {
    try {
      return readlinkSync(join(folder, path));
    } catch {
      return null;
    }
  }

  it('are lent to a version that asks for the same, and again at its next use', async () => {
    for (const root of ['root', 'tree']) write(`${root}/package-lock.json`, '{"packages":{}}');
    write('root/package.json', '{"version":"2.0.0"}');
    expect([await lend(), await lend()]).toEqual(['lent', 'lent']);
    expect(link()).toBe(join(folder, 'root/node_modules'));
  });

  it('are lent in the folder that one stands in, too', async () => {
    write('root/a/node_modules/x/index.js', '');
    write('tree/a/b/index.js', '');
    expect(await lend('a/b/')).toBe('lent');
    expect(link('tree/a/node_modules')).toBe(join(folder, 'root/a/node_modules'));
  });

  it('are not lent where another lock file or other dependencies ask for others; what was lent before is taken back', async () => {
    expect(await lend()).toBe('lent');
    write('tree/package.json', '{"dependencies":{"left-pad":"2"}}');
    expect([await lend(), link()]).toEqual(['different', null]);
    write('root/package.json', '{"dependencies":{"left-pad":"2"}}');
    expect(await lend()).toBe('lent');
    write('tree/yarn.lock', 'x');
    expect([await lend(), link()]).toEqual(['different', null]);
  });

  it('are not lent when both sides would share the code of a workspace', async () => {
    write('root/packages/own/index.js', '');
    mkdirSync(join(folder, 'root/node_modules/@scope'));
    symlinkSync('../../packages/own', join(folder, 'root/node_modules/@scope/own'));
    expect([await lend(), link()]).toEqual(['workspaces', null]);
  });

  it('are lent when links lead to a store among them, as with pnpm', async () => {
    write('root/node_modules/.pnpm/x/index.js', '');
    symlinkSync('.pnpm/x', join(folder, 'root/node_modules/x'));
    expect(await lend()).toBe('lent');
  });

  it('are not needed by a version with its own, nor lent where there are none', async () => {
    write('tree/node_modules/left-pad/index.js', '');
    expect(await lend()).toBe('own');
    rmSync(join(folder, 'root/node_modules'), { recursive: true });
    rmSync(join(folder, 'tree/node_modules'), { recursive: true });
    expect(await lend()).toBe('own');
  });
});
