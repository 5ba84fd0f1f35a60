import { createRandom } from '@deadheat/stats';
import { type Trial, trialSchema } from '@deadheat/model';
import { expect, test, vi } from 'vitest';
import { GrowingFloats } from '../src/columns.ts';
import { createRecording, readRecording } from '../src/index.ts';
import { PackedTrials } from '../src/packed-trials.ts';
import { below, makeTrial, temporaryFolder } from './sample.ts';

const random = createRandom('packed trials');

/** A trial as any of an experiment, of which few are alike. */
function drawTrial(number: number): Trial {
  const trial = makeTrial(number);
  const { A, B } = trial.sides;
  const iterations = Array.from({ length: 1 + random.int(3) }, (_, i) => {
    const s = 2 ** 40 * random.next();
    return {
      i,
      s,
      e: s + random.int(1000),
      row: random.next(),
      ...(random.int(2) === 0 ? { p: 'warmup' as const } : { d: [1.5, random.next()] }),
    };
  });
  const host = random.int(3) === 0 ? {} : { host: `machine ${random.int(2)}` };
  const counters = random.int(2) === 0 ? {} : { counters: { instructions: random.int(1e9) } };
  const failed =
    random.int(9) === 0
      ? {
          status: 'failed' as const,
          failures: [{ side: 'A' as const, code: 'EXIT_STATUS' as const, message: `status ${number}` }],
        }
      : {};
  return {
    ...trial,
    ...host,
    ...failed,
    sides: {
      A: { ...A, ...counters, iterations },
      B: { ...B, maxRssBytes: random.int(2) === 0 ? null : 4096 * random.int(1e6) },
    },
  };
}

test('packed trials are read as they were, field by field and as JSON, however unlike they are', () => {
  const trials = Array.from({ length: 3000 }, (_, number) => drawTrial(number));
  const packing = new PackedTrials();
  const packed = trials.map((trial) => packing.pack(trial));
  expect(JSON.stringify(packed)).toBe(JSON.stringify(trials));
  expect(packed.filter((trial, number) => trial !== trials[number]).length).toBeGreaterThan(1000);
  for (const [number, { sides, host, failures }] of trials.entries()) {
    const found = packed[number]!;
    expect([found.host, found.failures, found.sides.B.maxRssBytes]).toEqual([host, failures, sides.B.maxRssBytes]);
    const [own, its] = [found.sides.A.iterations, sides.A.iterations];
    expect(own.map(({ s, e, p, d, row }) => [s, e, p, d, row])).toEqual(
      its.map(({ s, e, p, d, row }) => [s, e, p, d, row]),
    );
    const keys: string[] = [];
    for (const key in own[0]) keys.push(key);
    expect(keys).toEqual(Object.keys(its[0]!));
  }
});

test('a number is found at its place, before a column is settled and after', () => {
  for (const draw of [() => 7, () => random.int(200), () => random.int(2 ** 31), () => random.normal()]) {
    const values = Array.from({ length: 2500 }, draw);
    const column = new GrowingFloats();
    for (const [place, value] of values.entries()) {
      column.push(value);
      expect(column.at(place)).toBe(value);
    }
    expect(values.map((_, place) => column.at(place))).toEqual(values);
    column.settle();
    expect(values.map((_, place) => column.at(place))).toEqual(values);
  }
});

test('a value is taken for a trial unasked where one like it was packed and the schema allows any whole number in it', () => {
  const { sides, ...first } = makeTrial(0);
  const [iteration] = sides.A.iterations;
  function trialWith(values: object, ofIteration: object = {}): Trial {
    const iterations = [{ ...iteration, ...ofIteration }];
    return { ...first, ...values, sides: { ...sides, A: { ...sides.A, iterations } } } as Trial;
  }
  const packing = new PackedTrials();
  expect(packing.packAlike(trialWith({}))).toBeNull();
  packing.pack(trialWith({}));
  const alike = trialWith({ trial: 9, wallNs: 2 ** 50 });
  expect(JSON.stringify(packing.packAlike(alike))).toBe(JSON.stringify(alike));
  for (const value of [-1, 0.5, 2 ** 60, '1', null]) expect(packing.packAlike(trialWith({ trial: value }))).toBeNull();
  expect(packing.packAlike({ ...trialWith({}), more: 1 })).toBeNull();
  expect(packing.packAlike(trialWith({ status: 'lost' }))).toBeNull();
  // An iteration holds one invocation at least.
  packing.pack(trialWith({}, { n: 1 }));
  expect(packing.packAlike(trialWith({}, { n: 1 }))).toBeNull();
});

test('the schema is asked about the first trials of a journal, whatever the order of their keys', async () => {
  const writer = await createRecording(below(temporaryFolder()));
  const backwards = (trial: Trial): Trial => Object.fromEntries(Object.entries(trial).toReversed()) as Trial;
  const trials = Array.from({ length: 50 }, (_, number) => backwards(makeTrial(number)));
  for (const trial of trials) writer.append(trial);
  writer.close();
  const asked = vi.spyOn(trialSchema, 'safeParse');
  try {
    const found = await readRecording(writer.directory, { packed: true });
    expect(JSON.parse(JSON.stringify(found.trials))).toEqual(trials);
    expect(asked.mock.calls.length).toBeLessThan(10);
  } finally {
    asked.mockRestore();
  }
});
