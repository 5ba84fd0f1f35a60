import { describe, expect, it } from 'vitest';
import { type Method, type Workload, defaultSettings } from '@deadheat/model';
import { chooseMethod, findObstacle, type MethodChoice } from '../../src/plan/choose-method.ts';

const able = { usableCpus: [0, 1], sharedMemory: true, nativeCalls: true };
const fixed = (method: Method): MethodChoice => ({ method, pilotRuns: 0 });
const { method, pilotRuns } = defaultSettings('auto');
const auto: MethodChoice = { method, pilotRuns };
const sequential = fixed('sequential');

describe('the method', () => {
  it('is the wanted one where the machine can offer it', () => {
    for (const wanted of [auto, ...(['tandem', 'sync-duet', 'async-duet', 'sequential'] as const).map(fixed)]) {
      expect(chooseMethod(wanted, able)).toEqual({ choice: wanted, warnings: [] });
    }
  });

  const lacks = [
    ['SINGLE_CORE', { usableCpus: [3] }, /CPU \(3\).*two CPUs/],
    ['NO_SHARED_MEMORY', { sharedMemory: false }, /\/dev\/shm.*--shm-size/],
    ['NO_NATIVE_CALLS', { nativeCalls: false }, /Linux/],
  ] as const;
  for (const [code, lack, says] of lacks) {
    const machine = { ...able, ...lack };

    it(`falls back to sequential with ${code}, and says what to do`, () => {
      const { choice, warnings } = chooseMethod(fixed('async-duet'), machine);
      expect(choice).toEqual(sequential);
      expect(warnings).toEqual([{ code, message: expect.stringMatching(says) as string }]);
      expect(warnings[0]?.message).toContain('Instead of async-duet');
    });

    it(`has nothing to warn of with ${code} when sequential was wanted`, () => {
      expect(chooseMethod(sequential, machine)).toEqual({ choice: sequential, warnings: [] });
    });
  }

  it('says that nothing is filled where the sides have no core each', () => {
    const wanted = { ...fixed('sync-duet'), fill: true };
    expect(chooseMethod(wanted, able)).toEqual({ choice: wanted, warnings: [] });
    for (const [, lack] of lacks) {
      const { choice, warnings } = chooseMethod(wanted, { ...able, ...lack }, 'harness');
      expect(choice.fill).toBe(false);
      expect(warnings[0]?.message).toContain('(fill)');
    }
  });

  it.each(lacks.slice(1))('is not tandem with %s, and is not chosen by pilot runs', (code, lack) => {
    for (const wanted of [auto, fixed('tandem'), fixed('sync-duet')]) {
      const { choice, warnings } = chooseMethod(wanted, { ...able, ...lack });
      expect(choice).toEqual(sequential);
      expect(warnings.map((warning) => warning.code)).toEqual([code]);
    }
  });

  describe('on a single CPU', () => {
    const single = { ...able, usableCpus: [3] };

    it('stays tandem, or chosen by pilot runs, without a warning', () => {
      for (const wanted of [auto, fixed('tandem')]) {
        expect(chooseMethod(wanted, single)).toEqual({ choice: wanted, warnings: [] });
        expect(findObstacle(wanted.method, single)).toBeNull();
      }
    });

    it.each(['command', 'harness'] as const)(
      'is chosen by pilot runs instead of sync-duet for a %s, and says so',
      (workload) => {
        const { choice, warnings } = chooseMethod(fixed('sync-duet'), single, workload);
        // Nothing else, so that the other settings stay the user's.
        expect(choice).toEqual(auto);
        const message: unknown = expect.stringMatching(/one CPU \(3\).*Instead of sync-duet.*tandem.*two CPUs/);
        expect(warnings).toEqual([{ code: 'SINGLE_CORE', message }]);
      },
    );

    it('is sequential for programs that print, which cannot meet at a barrier', () => {
      const lines: Workload = 'lines';
      expect(chooseMethod(fixed('async-duet'), single, lines).choice).toEqual(sequential);
      expect(chooseMethod(fixed('sync-duet'), single, lines).choice).toEqual(sequential);
    });
  });
});
