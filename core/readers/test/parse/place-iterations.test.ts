import { describe, expect, it } from 'vitest';
import { outputRecords } from '../../src/parse/output-record.ts';
import { LineArrivals, placeIterations } from '../../src/parse/place-iterations.ts';

const ms = 1e6;
const spans = (placed: ReturnType<typeof placeIterations>): readonly (readonly [number, number])[] =>
  placed.placed.map(({ startNs, endNs }) => [startNs, endNs]);

describe('iterations on their own clock', () => {
  it('are where they say', () => {
    const placed = placeIterations(
      [
        { startNs: 100, endNs: 150 },
        { startNs: 150, durationNs: 50.4 },
        { endNs: 300, durationNs: 50 },
      ],
      null,
    );
    expect(placed.clock).toBe('own');
    expect(spans(placed)).toEqual([
      [100, 150],
      [150, 200],
      [250, 300],
    ]);
  });

  it('of ns since 1970 keep the durations that they tell, which starts and ends cannot hold', () => {
    const start = 1_763_000_000_000_000_000;
    const { placed } = placeIterations(
      [
        { startNs: start, durationNs: 700 },
        { startNs: start + 2048, durationNs: 701 },
      ],
      null,
    );
    expect(placed.map(({ durationNs }) => durationNs)).toEqual([700, 701]);
    // Neighbouring float64 numbers are 256 ns apart there.
    expect(placed.map(({ startNs, endNs }) => endNs - startNs)).not.toEqual([700, 701]);
    expect(placeIterations([{ startNs: 5, durationNs: 7 }], null).placed[0]?.durationNs).toBeNull();
  });

  it('that overlap by less than the millisecond of a coarse clock keep their durations', () => {
    const placed = placeIterations(
      [
        { startNs: 10 * ms, durationNs: 5.4 * ms },
        { startNs: 15 * ms, durationNs: 2 * ms },
      ],
      null,
    );
    expect(spans(placed)).toEqual([
      [10 * ms, 15.4 * ms],
      [15.4 * ms, 17.4 * ms],
    ]);
  });

  it('are refused when they overlap, run backwards, or only some have times', () => {
    expect(() =>
      placeIterations(
        [
          { startNs: 0, durationNs: 9 * ms },
          { startNs: 5 * ms, durationNs: 1 },
        ],
        null,
      ),
    ).toThrow('[1]');
    expect(() => placeIterations([{ startNs: 5, endNs: 4 }], null)).toThrow('[0]');
    expect(() => placeIterations([{ startNs: 5, durationNs: 4 }, { durationNs: 4 }], null)).toThrow('some iterations');
  });
});

describe('iterations that a program printed', () => {
  // Three lines of two bytes each.
  const text = Buffer.from('a\nb\nc\n');
  const iterations = [
    { durationNs: 100 * ms, line: 1 },
    { durationNs: 100 * ms, line: 3 },
  ];

  it('end when their lines were seen', () => {
    const arrivals = new LineArrivals(text, [
      { bytes: 2, ns: 1000 * ms },
      { bytes: 4, ns: 1010 * ms },
      { bytes: 6, ns: 1120 * ms },
    ]);
    const placed = placeIterations(iterations, arrivals);
    expect(placed.clock).toBe('arrival');
    expect(spans(placed)).toEqual([
      [900 * ms, 1000 * ms],
      [1020 * ms, 1120 * ms],
    ]);
  });

  it('end no later than the next one starts, when a line was seen late', () => {
    const arrivals = new LineArrivals(text, [
      { bytes: 2, ns: 1030 * ms },
      { bytes: 6, ns: 1120 * ms },
    ]);
    expect(spans(placeIterations(iterations, arrivals))).toEqual([
      [920 * ms, 1020 * ms],
      [1020 * ms, 1120 * ms],
    ]);
  });

  it('are laid out from 0 when their lines came together, or were not seen', () => {
    const held = new LineArrivals(text, [{ bytes: 6, ns: 1200 * ms }]);
    const unseen = new LineArrivals(text, [{ bytes: 2, ns: 1200 * ms }]);
    for (const arrivals of [held, unseen, null]) {
      const placed = placeIterations(iterations, arrivals);
      expect(placed.clock).toBe('none');
      expect(spans(placed)).toEqual([
        [0, 100 * ms],
        [100 * ms, 200 * ms],
      ]);
    }
  });

  it('are placed one before the other when a few of many lines came together', () => {
    const many = Array.from({ length: 10 }, (_, index) => ({ durationNs: 100 * ms, line: index + 1 }));
    // Every line 100 ms after the one before, but the fifth was seen with the sixth.
    const seen = many.map((_, index) => ({ bytes: 2 * (index + 1), ns: 1000 * ms + index * 100 * ms }));
    const placed = placeIterations(many, new LineArrivals(Buffer.from('a\n'.repeat(10)), seen.toSpliced(4, 1)));
    expect(placed.clock).toBe('arrival');
    expect(spans(placed)[4]).toEqual([1300 * ms, 1400 * ms]);
  });

  it('may come together where they are short', () => {
    const held = new LineArrivals(text, [{ bytes: 6, ns: 1200 * ms }]);
    const short = iterations.map((iteration) => ({ ...iteration, durationNs: 10 }));
    expect(spans(placeIterations(short, held))).toEqual([
      [1200 * ms - 20, 1200 * ms - 10],
      [1200 * ms - 10, 1200 * ms],
    ]);
  });

  it('have a last line without line feed, too', () => {
    const arrivals = new LineArrivals(Buffer.from('a\nb'), [{ bytes: 3, ns: 5 }]);
    expect([arrivals.of(1), arrivals.of(2), arrivals.of(4)]).toEqual([5, 5, null]);
  });
});

describe('the records of several benchmarks', () => {
  const iterations = ['Join', 'Join', 'Split'].map((benchmark, index) => ({
    benchmark,
    durationNs: 9 * ms,
    line: index + 1,
  }));
  /** Start and end of each iteration. */
  function spansOf(arrivals: LineArrivals | null, of: Parameters<typeof outputRecords>[0]): readonly unknown[] {
    return outputRecords(of, { name: null, arrivals }).map(({ clock, lines }) => [
      clock,
      ...lines.slice(1).map((line) => {
        const { s, e } = JSON.parse(line) as { readonly s: number; readonly e: number };
        return [s / ms, e / ms];
      }),
    ]);
  }

  it('begin one behind the other, also where their lines come together', () => {
    const text = new TextEncoder().encode('a\nb\nc\n');
    expect(spansOf(new LineArrivals(text, [{ bytes: 6, ns: 100 * ms }]), iterations)).toEqual([
      ['arrival', [73, 82], [82, 91]],
      ['arrival', [91, 100]],
    ]);
    expect(spansOf(null, iterations)).toEqual([
      ['none', [0, 9], [9, 18]],
      ['none', [18, 27]],
    ]);
  });

  it('have no times of day where the benchmarks take turns', () => {
    const [first, second, third] = iterations;
    const turns = [first, third, second].flatMap((one, index) =>
      one === undefined ? [] : [{ ...one, line: index + 1 }],
    );
    const arrivals = new LineArrivals(
      new TextEncoder().encode('a\nb\nc\n'),
      [2, 4, 6].map((bytes) => ({ bytes, ns: bytes * 100 * ms })),
    );
    expect(spansOf(arrivals, turns)).toEqual([
      ['none', [0, 9], [9, 18]],
      ['none', [18, 27]],
    ]);
  });
});
