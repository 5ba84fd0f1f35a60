import { describe, expect, it } from 'vitest';
import type { KnownWorker } from '../src/fleet-view.ts';
import type { HostWish } from '../src/submit/dispatcher.ts';
import { checkWorkers, chooseHosts, Liveness } from '../src/submit/follow.ts';

function worker(id: string, changes: Partial<KnownWorker> = {}): KnownWorker {
  return {
    id,
    number: 1,
    labels: {},
    toolVersion: '0.1.0',
    state: 'idle',
    left: false,
    draining: false,
    lanes: 1,
    ...changes,
  };
}

const wish: HostWish = { hosts: null, labels: {}, excluded: [], pinned: [], toolVersion: '0.1.3' };

function idsOf(workers: readonly KnownWorker[]): readonly string[] {
  return workers.map(({ id }) => id);
}

describe('hosts of an experiment', () => {
  it('are all that live, have the labels and are of the same minor version, unless fewer are asked for', () => {
    const workers = [
      worker('a', { labels: { region: 'eu' } }),
      worker('b', { labels: { region: 'us' } }),
      worker('c', { labels: { region: 'eu' }, state: 'gone' }),
      worker('d', { labels: { region: 'eu' }, toolVersion: '0.2.0' }),
      worker('e', { labels: { region: 'eu' }, state: 'busy' }),
    ];
    expect(idsOf(chooseHosts(workers, { wish, before: [] }))).toEqual(['a', 'b', 'e']);
    const eu = { ...wish, labels: { region: 'eu' } };
    expect(idsOf(chooseHosts(workers, { wish: eu, before: [] }))).toEqual(['a', 'e']);
    expect(idsOf(chooseHosts(workers, { wish: { ...eu, hosts: 1 }, before: [] }))).toEqual(['a']);
    expect(idsOf(chooseHosts(workers, { wish: { ...eu, excluded: ['a'] }, before: [] }))).toEqual(['e']);
    expect(idsOf(chooseHosts(workers, { wish: { ...wish, pinned: ['b', 'c'] }, before: [] }))).toEqual(['b']);
    const draining = workers.map((one) => ({ ...one, draining: one.id === 'a' }));
    expect(idsOf(chooseHosts(draining, { wish, before: ['a'] }))).toEqual(['b', 'e']);
  });

  it('stay the same while they live, and are replaced when they do not', () => {
    const two = { ...wish, hosts: 2 };
    const all = ['a', 'b', 'c'].map((id) => worker(id));
    expect(idsOf(chooseHosts(all, { wish: two, before: ['b', 'c'] }))).toEqual(['b', 'c']);
    const without = [worker('a'), worker('b', { state: 'gone' }), worker('c')];
    expect(idsOf(chooseHosts(without, { wish: two, before: ['b', 'c'] }))).toEqual(['c', 'a']);
  });

  it('must be there at the beginning; the error says what runs', () => {
    const place = 'postgres://db.example.org/x';
    expect(() => checkWorkers([], wish, place)).toThrow(/no worker runs.*deadheat fleet worker --fleet/);
    expect(() => checkWorkers([worker('a')], { ...wish, hosts: 2 }, place)).toThrow(/only a runs/);
    expect(() => checkWorkers([worker('a')], { ...wish, pinned: ['b'] }, place)).toThrow(
      /A worker of b would be needed/,
    );
    expect(() => checkWorkers([worker('a')], { ...wish, labels: { gpu: 'no' } }, place)).toThrow(/with gpu=no/);
    expect(() => checkWorkers([worker('a', { toolVersion: '1.0.0' })], wish, place)).toThrow(
      /another version.*a is 1\.0\.0/,
    );
  });
});

describe('a worker that is gone', () => {
  const at = { ms: 0 };

  function liveness(): Liveness {
    at.ms = 0;
    return new Liveness(() => at.ms);
  }

  const gone = worker('a', { state: 'gone' });

  it('is dead after 3 s, or at once when it ended in order', () => {
    const seen = liveness();
    seen.see([worker('a')]);
    expect(seen.isDead(gone)).toBe(false);
    expect(seen.isDead({ ...gone, left: true })).toBe(true);
    at.ms = 3001;
    expect(seen.isDead(gone)).toBe(true);
    seen.see([worker('a', { state: 'busy' })]);
    expect(seen.isDead(gone)).toBe(false);
  });

  it('is given 3 s after the database was away', () => {
    const seen = liveness();
    seen.see([worker('a')]);
    at.ms = 20_000;
    seen.forgive();
    expect(seen.isDead(gone)).toBe(false);
    at.ms = 23_000;
    expect(seen.isDead(gone)).toBe(true);
  });
});
