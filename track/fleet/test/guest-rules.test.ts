import { describe, expect, it } from 'vitest';
import { confinementOf, guestEnvironment } from '../src/worker/permissions.ts';

const usual = {
  PATH: '/bin',
  HOME: '/home/worker',
  LANG: 'C.UTF-8',
  LC_TIME: 'C',
  TZ: 'UTC',
  DEADHEAT_CACHE: '/cache',
};

describe('the environment that submitted programs inherit from a worker', () => {
  it('is what programs need, and what the owner of the worker adds', () => {
    expect(guestEnvironment({ ...usual, JAVA_HOME: '/java', EDITOR: 'vi' }, ['JAVA_HOME', 'NONE'])).toEqual({
      ...usual,
      JAVA_HOME: '/java',
    });
  });

  it.each([
    'PGPASSWORD',
    'PGSERVICEFILE',
    'PGUSER',
    'GITHUB_TOKEN',
    'DEADHEAT_TOKEN',
    'DEADHEAT_PUSH_SECRET',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'SSH_AUTH_SOCK',
    'OPENAI_API_KEY',
    'MYSQL_PASSWORD',
    'npm_config__authToken',
    'GOOGLE_APPLICATION_CREDENTIALS',
  ])('has no %s, also where the owner of the worker names it', (name) => {
    expect(guestEnvironment({ ...usual, [name]: 'secret' }, [name])).toEqual(usual);
  });
});

it('the containers of a worker are kept to less than half of the machine each, or to what its owner says', () => {
  const { memoryBytes, processes } = confinementOf({});
  expect(memoryBytes).toBeGreaterThan(0);
  expect(Number.isSafeInteger(memoryBytes)).toBe(true);
  expect(processes).toBe(4096);
  expect(confinementOf({ memoryBytes: 2 ** 30 })).toEqual({ memoryBytes: 2 ** 30, processes });
});
