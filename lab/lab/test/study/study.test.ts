import { experimentSchema, type Method } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { studyDraft } from '../../src/study/measure.ts';
import {
  expectedStudyTime,
  neighbourLoad,
  offeredMethods,
  renderStudyRequest,
  type StudyRequest,
} from '../../src/study/request.ts';

const request: StudyRequest = {
  kind: 'accuracy',
  methods: ['sync-duet', 'sequential'],
  neighbours: ['none', 'both'],
  workloads: ['integer', 'memory'],
  language: 'js',
  runs: 10,
  iterations: 40,
  durationNs: 20e6,
  seed: 's',
};
const sized = [
  { workload: 'integer', amount: 7, startNs: 0.2e9 },
  { workload: 'memory', amount: 9, startNs: 0.6e9 },
] as const;

describe('the methods of a study', () => {
  it('are those that the machine offers, and none where nothing would be left to tell', () => {
    const single = (method: Method): boolean => method === 'tandem' || method === 'sequential';
    const nothing = (method: Method): boolean => method === 'sequential';
    expect(offeredMethods('accuracy', () => true)).toEqual(['tandem', 'sync-duet', 'sequential']);
    expect(offeredMethods('accuracy', single)).toEqual(['tandem', 'sequential']);
    expect(offeredMethods('mds', nothing)).toEqual(['sequential']);
    expect(offeredMethods('overlap', single)).toEqual([]);
    // Both sides of a tandem share the time of one core.
    const tandem = { ...request, methods: ['tandem'] as const, neighbours: ['none'] as const };
    const alone = { ...tandem, methods: ['sequential'] as const };
    expect(expectedStudyTime(tandem, sized)).toBe(expectedStudyTime(alone, sized));
  });
});

describe('what a study measures', () => {
  it('is each workload against itself by each method, with the neighbour as a parameter', () => {
    const draft = studyDraft(request, { neighbour: 'both', sized });
    expect(
      experimentSchema.shape.config.parse({ ...draft, cpus: [0, 1], tandemCpus: [], sequentialCpus: [], lanes: 1 }),
    ).toMatchObject({
      name: 'study-accuracy-both',
      stop: { kind: 'runs', runs: 10 },
      iterations: 40,
      maxTimeNs: null,
      schedule: 'randomized-interleaving',
      seed: 's',
    });
    const entries = draft.benchmarks.map(({ name, params, own }) => [name, params['neighbour'], own.method]);
    expect(entries).toEqual([
      ['integer', 'both', 'sync-duet'],
      ['integer', 'both', 'sequential'],
      ['memory', 'both', 'sync-duet'],
      ['memory', 'both', 'sequential'],
    ]);
    // Every method with its own level, all with the same runs.
    const levels = draft.benchmarks.map(({ own }) => own.confidence ?? draft.confidence);
    expect(levels).toEqual([0.99, 0.95, 0.99, 0.95]);
    for (const { commands, workload } of draft.benchmarks) {
      expect(commands.A).toEqual(commands.B);
      expect(workload).toBe('harness');
    }
    expect(draft.benchmarks[0]?.commands.A.argv.slice(-3)).toEqual(['integer', '7', '40']);
  });

  it('is against so many times as much of itself where the ratio is to be known', () => {
    const ratio = { ...request, kind: 'ratio', ratio: 1.5 } as const;
    const draft = studyDraft(ratio, { neighbour: 'none', sized });
    expect(draft.benchmarks[0]?.params).toEqual({ neighbour: 'none', ratio: '1.5' });
    const { A, B } = draft.benchmarks[0]!.commands;
    // 1.5 times 7 units, rounded.
    expect([A, B].map(({ argv }) => argv.at(-2))).toEqual(['7', '11']);
    // A duet lasts as long as B, 1.5; one after the other as both, 2.5; starts 3 times.
    const idleNs = 10 * (3 * 0.8e9 + (1.5 + 2.5) * 1.6e9);
    expect(expectedStudyTime({ ...ratio, neighbours: ['none'] }, sized)).toBeCloseTo(idleNs, 0);
    expect(renderStudyRequest(ratio, { cpus: [0, 1], expectedNs: 1e9 })).toContain(
      'against 1.5 times as much of itself',
    );
    expect(studyDraft({ ...ratio, kind: 'mds' }, { neighbour: 'none', sized }).benchmarks[0]?.params).toEqual({
      neighbour: 'none',
    });
  });

  it('lasts as long as its sides, both at once in a duet, and longer beside a load', () => {
    // Both workloads, once: 0.2 + 0.6 s of starts and 2 x 40 x 20 ms of work; 3 of that in a round, 10 rounds.
    const idleNs = 10 * 3 * (0.8e9 + 1.6e9);
    expect(expectedStudyTime({ ...request, neighbours: ['none'] }, sized)).toBeCloseTo(idleNs, 0);
    // Of a core of which a load takes a half in half of the time, three quarters are left.
    expect(expectedStudyTime(request, sized)).toBeCloseTo(idleNs + idleNs / 0.75, 0);
  });

  it('is told before it begins', () => {
    const text = renderStudyRequest(request, { cpus: [2, 4], expectedNs: 168e9 });
    expect(text).toBe(
      [
        'study accuracy: integer, memory in js, each against itself',
        '  methods     sync-duet, sequential',
        '  amount      10 runs of 40 iterations of 20 ms, the first half of each run warm-up',
        '  neighbours  none; both (bursts on CPUs 2 and 4 at once)',
        '  seed        s',
        '  expected    about 3 min; Ctrl-C ends it and keeps what is recorded',
        '',
      ].join('\n'),
    );
  });
});

it('a neighbour is a load on the cores of the sides', () => {
  const where = { cpus: [2, 4], seed: 's', language: 'js' } as const;
  expect(neighbourLoad('none', where)).toBeNull();
  expect(neighbourLoad('both', where)).toMatchObject({ cpus: [2, 4], plan: { mode: 'bursts', seed: 's' } });
  expect(neighbourLoad('one', where)?.cpus).toEqual([2]);
  // On a machine with one core both sides have it.
  expect(neighbourLoad('both', { ...where, cpus: [3, 3] })?.cpus).toEqual([3]);
});
