import { decision, packDecision } from '@deadheat/sync';

/** What a program is put into; what the peer and the runner do is played. */
export interface Scenario {
  readonly name: string;
  /** File that DEADHEAT_PAGE names; `none` = the variable is empty. */
  readonly page: 'page' | 'none' | 'newer' | 'foreign' | 'short';
  /** Variables beside DEADHEAT_SIDE, _RUN, _PAGE, _RECORD and _CALIBRATION. */
  readonly environment: Readonly<Record<string, string>>;
  /** Cursors before the first barrier. */
  readonly cursor: number;
  /** The page's word `initial`. */
  readonly initial: number;
  /** The runner's packed decision once `passed` barriers of benchmark number `benchmark` (from 1) are behind. */
  readonly decide: (benchmark: number, passed: number) => number;
  /** How long the peer lets the program wait at each barrier, ms. */
  readonly peerLateMs: number;
  /** Whether the peer is at the next barrier as soon as it has passed one. */
  readonly peerHurries: boolean;
  /** Barrier, counted from 1, at which the page is poisoned instead of passed; `null` = none. */
  readonly poisonAt: number | null;
  /** Whether the peer's iteration is done only some time after the program's. */
  readonly peerWorksLonger: boolean;
  /** Whether the record is in a folder that does not exist. */
  readonly recordUnwritable: boolean;
  /** Whether the program has to fail. */
  readonly mustFail: boolean;
}

const { measure, warmup, stop } = decision;
/** More iterations than any scenario lets pass: the decision ends a benchmark first. */
const many = { DEADHEAT_ITERATIONS: '60' };
/** From this benchmark on the runner wants no more, however many the program has. */
const benchmarksPlayed = 3;

const plain: Omit<Scenario, 'name'> = {
  page: 'page',
  environment: many,
  cursor: 0,
  initial: measure,
  decide: () => measure,
  peerLateMs: 0,
  peerHurries: false,
  poisonAt: null,
  peerWorksLonger: false,
  recordUnwritable: false,
  mustFail: false,
};

/** Measures `iterations` times, then stops for whichever benchmark. */
function stopAfter(iterations: number) {
  return (_: number, passed: number): number => packDecision(passed < iterations ? measure : stop);
}

/** Every scenario, in the order in which they are played. */
export const scenarios: readonly Scenario[] = [
  {
    ...plain,
    name: 'alone, without a page',
    page: 'none',
    environment: { DEADHEAT_ITERATIONS: '3', DEADHEAT_WARMUP: '1' },
  },
  {
    ...plain,
    name: 'a duet that warms up, measures and stops',
    initial: warmup,
    decide: (_, passed) => packDecision(passed < 2 ? warmup : passed < 4 ? measure : stop),
  },
  {
    ...plain,
    name: 'a runner that decides for each benchmark',
    initial: warmup,
    decide: (benchmark, passed) => {
      if (benchmark >= benchmarksPlayed) return packDecision(stop);
      if (passed === 0) return packDecision(stop, benchmark + benchmarksPlayed);
      return packDecision(passed < 3 ? measure : stop, benchmark);
    },
  },
  {
    ...plain,
    name: 'a number of iterations',
    environment: { DEADHEAT_ITERATIONS: '3', DEADHEAT_WARMUP: '1' },
    decide: (benchmark) => packDecision(benchmark < benchmarksPlayed ? measure : stop),
  },
  { ...plain, name: 'a peer that comes late', peerLateMs: 150, decide: stopAfter(2) },
  {
    ...plain,
    name: 'a peer that comes late, and DEADHEAT_WAIT=yield',
    environment: { ...many, DEADHEAT_WAIT: 'yield' },
    peerLateMs: 200,
    decide: stopAfter(1),
  },
  { ...plain, name: 'a cursor that wraps', cursor: 2 ** 31 - 2, decide: stopAfter(3) },
  {
    ...plain,
    name: 'a cursor that wraps, the peer ahead',
    cursor: 2 ** 31 - 2,
    decide: stopAfter(3),
    peerHurries: true,
  },
  {
    ...plain,
    name: 'a peer that works longer, and DEADHEAT_FILL',
    environment: { ...many, DEADHEAT_FILL: '1' },
    peerWorksLonger: true,
    decide: stopAfter(2),
  },
  { ...plain, name: 'poison at the second barrier', poisonAt: 2, mustFail: true },
  { ...plain, name: 'a page of another version', page: 'newer', mustFail: true },
  { ...plain, name: 'a foreign file as the page', page: 'foreign', mustFail: true },
  { ...plain, name: 'a short file as the page', page: 'short', mustFail: true },
  {
    ...plain,
    name: 'a record that cannot be written',
    page: 'none',
    environment: { DEADHEAT_ITERATIONS: '1' },
    recordUnwritable: true,
    mustFail: true,
  },
];
