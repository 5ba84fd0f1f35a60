import { describe, expect, it } from 'vitest';
import { loadPackage, tool } from '../src/tool.ts';

describe('loadPackage', () => {
  const user = 'deadheat history';
  it('gives an export of the package', async () => {
    expect(await loadPackage('node:path', { user, exported: 'sep' })).toBe('/');
  });

  it.each([
    ['@deadheat/absent', 'history'],
    ['node:path', 'absent'],
  ])('names the package where %s is absent or has no %s', async (name, exported) => {
    await expect(loadPackage(name, { user, exported })).rejects.toMatchObject({
      code: 'PACKAGE_MISSING',
      category: 'environment',
      message: `deadheat history needs the package ${name}, which is not installed.`,
      hint: expect.stringContaining(`npm install ${name}@${tool.version}`) as string,
    });
  });

  it('leaves another error as it is', async () => {
    const loading = loadPackage('data:text/javascript,throw new Error("broken")', { user, exported: 'x' });
    await expect(loading).rejects.toThrow('broken');
  });
});
