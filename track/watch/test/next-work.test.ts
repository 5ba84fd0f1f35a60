import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommitRef } from '@deadheat/model';
import { type Known, mostNewCommits, nextWork, type Work } from '../src/next-work.ts';
import type { HistoryPoint } from '@deadheat/history';

const refOf = (id: string, order: number): CommitRef => ({
  id,
  label: id,
  committedAt: new Date(Date.UTC(2026, 0, 1) + order * 3_600_000).toISOString(),
});

/** A collector whose measurements are exact: commit k takes `times[k]`. */
class Bench {
  readonly commits: readonly string[];
  readonly #times: readonly number[];
  readonly points: HistoryPoint[] = [];
  readonly done: Work[] = [];

  constructor(times: readonly number[]) {
    this.#times = times;
    this.commits = times.map((_, index) => `c${index}`);
  }

  #order(id: string | null): number {
    return this.commits.indexOf(id ?? '');
  }

  measure(commit: string, base: string | null, share: { readonly reach?: number } = {}): void {
    const { reach = 0.002 } = share;
    const [a, b] = [base ?? commit, commit].map((id) => this.#order(id));
    const [timeA, timeB] = [this.#times[a ?? 0] ?? 1, this.#times[b ?? 0] ?? 1];
    const estimate = timeB / timeA;
    const [low, high] = [estimate * Math.exp(-reach), estimate * Math.exp(reach)];
    this.points.push({
      project: 'p',
      benchmark: 'b',
      params: {},
      method: 'tandem',
      experiment: `e${this.points.length}`,
      startedAt: new Date(Date.UTC(2026, 6, 1) + this.points.length * 60_000).toISOString(),
      commits: { A: refOf(base ?? commit, a ?? 0), B: refOf(commit, b ?? 0) },
      hostname: 'h',
      metric: 'cpu',
      ratio: { estimate, low, high, confidence: 0.99 },
      verdict: low > 1 ? 'slower' : high < 1 ? 'faster' : 'undecided',
      margin: 0,
      minimalDetectableSlowdown: 0.01,
      runs: 20,
      meanNs: { A: 1e6 * timeA, B: 1e6 * timeB },
    });
  }

  next(known: Partial<Known> = {}): Work | null {
    return nextWork({ commits: this.commits, points: this.points, closed: new Set(), hasBaseline: false, ...known });
  }

  /** Does what is to be done until `mostSteps` or the end. */
  run(mostSteps: number, closed: ReadonlySet<string> = new Set()): boolean {
    for (let step = 0; step < mostSteps; step += 1) {
      const work = this.next({ closed });
      if (work === null) return true;
      this.done.push(work);
      this.measure(work.commit, work.base);
    }
    return this.next({ closed }) === null;
  }
}

const flat = (length: number): readonly number[] => Array.from({ length }, () => 1);

describe('a collector', () => {
  it('begins with the newest commit, against the one before', () => {
    expect(new Bench(flat(50)).next()).toEqual({ kind: 'new', commit: 'c49', base: 'c48' });
    expect(new Bench(flat(1)).next()).toEqual({ kind: 'new', commit: 'c0', base: null });
    expect(new Bench([]).next()).toBeNull();
  });

  it('measures new commits in their order, each against the last measured one', () => {
    const bench = new Bench(flat(8));
    bench.measure('c4', 'c3');
    bench.run(3);
    expect(bench.done).toEqual([
      { kind: 'new', commit: 'c5', base: 'c4' },
      { kind: 'new', commit: 'c6', base: 'c5' },
      { kind: 'new', commit: 'c7', base: 'c6' },
    ]);
  });

  it('measures the newest first when it is far behind', () => {
    const bench = new Bench(flat(mostNewCommits + 2));
    bench.measure('c0', null);
    expect(bench.next()).toEqual({ kind: 'new', commit: `c${mostNewCommits + 1}`, base: 'c0' });
  });

  it('goes on with the commits beside one that failed', () => {
    const bench = new Bench(flat(8));
    bench.measure('c4', 'c3');
    expect(bench.next({ closed: new Set(['c5']) })).toEqual({ kind: 'new', commit: 'c6', base: 'c4' });
    expect(new Bench(flat(8)).next({ closed: new Set(['c7', 'c5']) })).toEqual({
      kind: 'new',
      commit: 'c6',
      base: 'c4',
    });
  });

  it('fills first the gap whose ends differ, and halves it until the change is found', () => {
    // c0 to c32 and c32 to c64 are gaps; the change is at c45, in the second, which is as wide.
    const bench = new Bench(Array.from({ length: 65 }, (_, index) => (index >= 45 ? 1.1 : 1)));
    bench.measure('c0', null);
    bench.measure('c32', 'c0');
    bench.measure('c64', 'c32');
    bench.run(6);
    expect(bench.done.map(({ kind }) => kind)).not.toContain('new');
    const measured = new Set(bench.points.map(({ commits }) => commits.B?.id));
    expect(measured).toContain('c44');
    expect(measured).toContain('c45');
  });

  it('holds the commit of a change against its neighbour once all between it and its base are known', () => {
    const bench = new Bench([1, 1, 1, 1.1]);
    bench.measure('c0', null);
    bench.measure('c3', 'c0');
    expect(bench.next()).toEqual({ kind: 'gap', commit: 'c1', base: 'c0' });
    bench.measure('c1', 'c0');
    bench.measure('c2', 'c1');
    expect(bench.next()).toEqual({ kind: 'confirm', commit: 'c3', base: 'c2' });
    expect(bench.next({ hasBaseline: true })).toBeNull();
    bench.measure('c3', 'c2');
    // A fresh pair confirms it.
    expect(bench.next()).toEqual({ kind: 'confirm', commit: 'c3', base: 'c2' });
    bench.measure('c3', 'c2');
    expect(bench.next()).toBeNull();
  });

  it('fills the widest gap where no ends differ, and looks back from the first measured commit', () => {
    const bench = new Bench(flat(40));
    bench.measure('c10', null);
    bench.measure('c39', 'c10');
    expect(bench.next()).toEqual({ kind: 'gap', commit: 'c24', base: 'c10' });
    bench.measure('c17', 'c10');
    bench.measure('c24', 'c17');
    bench.measure('c32', 'c24');
    expect(bench.next()).toEqual({ kind: 'gap', commit: 'c0', base: null });
  });

  it('measures a verdict near its limit once more before it fills gaps', () => {
    const bench = new Bench([1, 1, 1, 1.0021, 1.0021]);
    bench.measure('c0', null);
    bench.measure('c3', 'c0');
    bench.measure('c4', 'c3');
    expect(bench.next()).toEqual({ kind: 'confirm', commit: 'c3', base: 'c0' });
    bench.measure('c3', 'c0');
    expect(bench.next()?.kind).toBe('gap');
  });

  it('measures the commit at which the level changed once more, before gaps and after new commits', () => {
    const times = Array.from({ length: 41 }, (_, index) => (index >= 21 ? 1.05 : 1) * (1 + 0.0005 * (index % 3)));
    const bench = new Bench(times);
    for (let index = 1; index < 40; index += 1) bench.measure(`c${index}`, index === 1 ? null : `c${index - 1}`);
    expect(bench.next()).toMatchObject({ kind: 'new', commit: 'c40' });
    bench.measure('c40', 'c39');
    expect(bench.next()).toEqual({ kind: 'confirm', commit: 'c21', base: 'c20' });
    bench.measure('c21', 'c20');
    expect(bench.next()).toMatchObject({ kind: 'gap', commit: 'c0' });
  });

  it('measures every open commit, none more often than four times, and then has nothing to do', () => {
    const scenario = fc.record({
      times: fc.array(fc.constantFrom(1, 1, 1, 1.02, 1.1, 0.9), { minLength: 1, maxLength: 40 }),
      closed: fc.array(fc.nat(39), { maxLength: 6 }),
      known: fc.array(fc.nat(39), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(scenario, ({ times, closed: indices, known }) => {
        const bench = new Bench(times);
        const closed = new Set(indices.map((index) => `c${index}`));
        for (const index of known) if (index < times.length) bench.measure(`c${index}`, null);
        const before = bench.points.length;
        expect(bench.run(4 * times.length + 10, closed)).toBe(true);
        const counts = new Map<string, number>();
        for (const { commits } of bench.points) {
          counts.set(commits.B?.id ?? '', (counts.get(commits.B?.id ?? '') ?? 0) + 1);
        }
        for (const commit of bench.commits) {
          if (!closed.has(commit)) expect(counts.get(commit) ?? 0).toBeGreaterThan(0);
        }
        for (const { commit, base, kind } of bench.done) {
          expect(closed.has(commit)).toBe(false);
          expect(base === null || bench.commits.indexOf(base) < bench.commits.indexOf(commit)).toBe(true);
          if (kind !== 'confirm')
            expect(bench.done.filter((one) => one.commit === commit && one.kind === kind)).toHaveLength(1);
        }
        const isOwn = (count: number, commit: string): boolean =>
          count <= 4 + known.filter((one) => `c${one}` === commit).length;
        for (const [commit, count] of counts) expect(isOwn(count, commit)).toBe(true);
        expect(bench.points.length).toBeGreaterThanOrEqual(before);
      }),
      { seed: 21, numRuns: 60 },
    );
  });
});
