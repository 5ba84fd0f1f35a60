import { describe, expect, it } from 'vitest';
import { chooseMethod } from '../../src/plan/choose-method.ts';

const able = { usableCpus: [0, 1], sharedMemory: true, nativeCalls: true };

describe('the method', () => {
  it('is the wanted one where the machine can offer it', () => {
    expect(chooseMethod('sync-duet', able)).toEqual({ method: 'sync-duet', warnings: [] });
    expect(chooseMethod('async-duet', able)).toEqual({ method: 'async-duet', warnings: [] });
  });

  const lacks = [
    ['SINGLE_CORE', { usableCpus: [3] }, /CPU \(3\).*two CPUs/],
    ['NO_SHARED_MEMORY', { sharedMemory: false }, /\/dev\/shm.*--shm-size/],
    ['NO_NATIVE_CALLS', { nativeCalls: false }, /Linux/],
  ] as const;
  for (const [code, lack, says] of lacks) {
    it(`falls back to sequential with ${code}, and says what to do`, () => {
      const { method, warnings } = chooseMethod('sync-duet', { ...able, ...lack });
      expect(method).toBe('sequential');
      expect(warnings).toEqual([{ code, message: expect.stringMatching(says) as string }]);
    });

    it(`has nothing to warn of with ${code} when sequential was wanted`, () => {
      expect(chooseMethod('sequential', { ...able, ...lack })).toEqual({ method: 'sequential', warnings: [] });
    });
  }
});
