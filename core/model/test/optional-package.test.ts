import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadOptional, optionalPackages } from '../src/optional-package.ts';

/** The error that Node throws for `import 'NAME'` where NAME is not installed. */
function absence(name: string): Error {
  const message = `Cannot find package '${name}' imported from /app/node_modules/deadheat/bundle/push.js`;
  return Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
}

describe('loadOptional', () => {
  it('gives what was loaded', async () => {
    expect(await loadOptional('database', async () => 'pg')).toBe('pg');
  });

  it('names the absent package and installs all that the feature needs by one command', async () => {
    const loading = loadOptional('dashboard', () => Promise.reject(absence('hono')));
    await expect(loading).rejects.toMatchObject({
      code: 'PACKAGE_MISSING',
      category: 'environment',
      message: 'The dashboard needs the package hono, which is not installed with deadheat.',
      hint: expect.stringMatching(/npm install 'hono@\^4\S*' '@hono\/node-server@\^2\S*'$/) as string,
    });
  });

  it.each([absence('split2'), new Error("'pg' is broken")])('leaves another error as it is: %s', async (error) => {
    await expect(loadOptional('database', () => Promise.reject(error))).rejects.toBe(error);
  });
});

describe('the optional packages', () => {
  it('are the optional peers of the published package', () => {
    const text = readFileSync(new URL('../../deadheat/package.json', import.meta.url), 'utf8');
    const { peerDependencies, peerDependenciesMeta } = JSON.parse(text) as Readonly<Record<string, object>>;
    const all = Object.assign({}, ...Object.values(optionalPackages)) as Readonly<Record<string, string>>;
    // DuckDB is looked for in the user's project as well (track/history).
    expect(peerDependencies).toEqual({ ...all });
    const isOptional = Object.keys(peerDependencies ?? {}).map((name) => [name, { optional: true }]);
    expect(peerDependenciesMeta).toEqual(Object.fromEntries(isOptional));
  });
});
