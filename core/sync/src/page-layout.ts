/**
 * The shared page: one cache line (64 bytes) a writer, so that plain aligned 32-bit loads and stores are enough in
 * any language and no two writers' words share a line. All words are signed 32-bit integers in the machine's byte
 * order. `docs/formats/protocol.md` holds the table that is generated from here.
 */

/** `DHPG` read as a little-endian word. */
export const pageMagic = 0x47_50_48_44;
export const pageVersion = 1;
export const pageBytes = 4096;

const lineWords = 16;

function side(party: number): number {
  return (1 + party) * lineWords;
}

/** Offsets in 32-bit words. */
export const word = {
  magic: 0,
  version: 1,
  parties: 2,
  /** Barriers that the side has reached; 0 before the first. */
  cursor: (party: number): number => side(party),
  /** See {@link sideState}. */
  state: (party: number): number => side(party) + 1,
  /** Iterations that the side has finished. */
  workDone: (party: number): number => side(party) + 2,
  /** Process that works for the side at the moment, 0 for none. */
  pid: (party: number): number => side(party) + 3,
  /** Decision for an even or odd barrier, copied by side A from the runner's line before it arrives. */
  decisionAt: (barrier: number): number => side(0) + 4 + (barrier & 1),
  /** When the side's running execution began: milliseconds of CLOCK_MONOTONIC, low 31 bits. */
  startedMs: (party: number): number => side(party) + 6,
  /** Benchmarks that the side has begun, 1 for the first; stored before the first barrier of each. */
  benchmark: (party: number): number => side(party) + 7,
  /** Number of times that the runner has changed its decision. */
  epoch: 48,
  /** Packed by {@link packDecision}. */
  decision: 49,
  /** When it is not 0, no side waits any longer; see {@link poison}. */
  poison: 50,
  /** Decision for benchmarks that the word `decision` is not about: measure or warm-up; never changed. */
  initial: 51,
} as const;

export const sideState = { idle: 0, running: 1, finished: 2, failed: 3 } as const;
export const decision = { measure: 0, warmup: 1, stop: 2 } as const;
export const poison = { none: 0, peerLost: 1, cancelled: 2 } as const;

const kindBits = 2;
const kindMask = (1 << kindBits) - 1;

/**
 * The runner's decision.
 *
 * @param kind see {@link decision}
 * @param benchmark number of the one benchmark that the decision is about, from 1; 0 = whichever is running
 */
export function packDecision(kind: number, benchmark = 0): number {
  return kind | (benchmark << kindBits);
}

/** The plain kind that the page's words decide for benchmark number `benchmark` (from 1; 0 = none begun yet). */
export function resolveDecision(words: Int32Array, benchmark: number): number {
  const packed = Atomics.load(words, word.decision);
  const about = packed >>> kindBits;
  return about === 0 || about === benchmark ? packed & kindMask : Atomics.load(words, word.initial);
}

export interface PageField {
  readonly offsetBytes: number;
  readonly name: string;
  readonly writer: 'runner' | 'side A' | 'side B';
  readonly meaning: string;
}

/** Every field of the page, in the order of its offset. */
export function pageFields(): readonly PageField[] {
  const fields: PageField[] = [
    { offsetBytes: word.magic * 4, name: 'magic', writer: 'runner', meaning: '`DHPG`, written last at creation' },
    { offsetBytes: word.version * 4, name: 'version', writer: 'runner', meaning: `${pageVersion}` },
    { offsetBytes: word.parties * 4, name: 'parties', writer: 'runner', meaning: 'sides that meet at the barrier' },
  ];
  for (const [party, writer] of [
    [0, 'side A'],
    [1, 'side B'],
  ] as const) {
    fields.push(
      { offsetBytes: word.cursor(party) * 4, name: 'cursor', writer, meaning: 'barriers reached' },
      {
        offsetBytes: word.state(party) * 4,
        name: 'state',
        writer,
        meaning: '0 idle, 1 running, 2 finished, 3 failed',
      },
      { offsetBytes: word.workDone(party) * 4, name: 'work done', writer, meaning: 'iterations finished' },
      { offsetBytes: word.pid(party) * 4, name: 'pid', writer, meaning: 'process that works for the side, 0 = none' },
    );
    if (party === 0) {
      fields.push(
        { offsetBytes: word.decisionAt(0) * 4, name: 'decision, even barriers', writer, meaning: 'as below' },
        { offsetBytes: word.decisionAt(1) * 4, name: 'decision, odd barriers', writer, meaning: 'as below' },
      );
    }
    fields.push(
      {
        offsetBytes: word.startedMs(party) * 4,
        name: 'started',
        writer,
        meaning: 'start of the running execution, ms of CLOCK_MONOTONIC, low 31 bits',
      },
      {
        offsetBytes: word.benchmark(party) * 4,
        name: 'benchmark',
        writer,
        meaning: 'benchmarks begun, 1 for the first',
      },
    );
  }
  fields.push(
    { offsetBytes: word.epoch * 4, name: 'epoch', writer: 'runner', meaning: 'changes of the decision so far' },
    {
      offsetBytes: word.decision * 4,
      name: 'decision',
      writer: 'runner',
      meaning: '0 measure, 1 warm-up, 2 stop; + 4 × number of the benchmark that it is about, 0 = any',
    },
    { offsetBytes: word.poison * 4, name: 'poison', writer: 'runner', meaning: '0 none, 1 peer lost, 2 cancelled' },
    {
      offsetBytes: word.initial * 4,
      name: 'initial',
      writer: 'runner',
      meaning: 'decision for other benchmarks: 0 measure, 1 warm-up; never changed',
    },
  );
  return fields;
}
