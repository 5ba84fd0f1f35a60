import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { ClockBounds, clockScript } from './profile-clock.ts';
import { type ExecutionProfile, ProfileBuilder } from './profile-builder.ts';
import { DeadheatError } from '@deadheat/model';

/** Kinds of code of V8, the least compiled first. */
export const v8Kinds: readonly string[] = [
  'native',
  'garbage collector',
  'compiler',
  'interpreter',
  'builtin',
  'other code',
  'baseline',
  'maglev',
  'turbofan',
];

/** Marks at the end of a function's entry, see the tiers of V8; `~` is bytecode, which is not executed itself. */
const tiers: Readonly<Record<string, string>> = { '^': 'baseline', '+': 'maglev', '*': 'turbofan' };

/** States of V8's `StateTag` in which the time is not the program's own code, or nobody's. */
const stateKinds: Readonly<Record<number, string>> = {
  1: 'garbage collector',
  2: 'compiler',
  3: 'compiler',
  4: 'compiler',
};
const waiting: ReadonlySet<number> = new Set([7, 8]);
const microsecondNs = 1e3;
/** A function that has no name leaves a blank before that of its script. */
const clockName = new RegExp(`^ ?${clockScript}:\\d+:(\\d+)`);

/**
 * Reads what `node --prof` wrote: which code came to be when, by which compiler, and where the program was at every tick. The interpreter
 * counts where its own code runs; what it calls of the engine counts as `builtin` or `native`. Ticks of a waiting or idle program are left
 * out. A last line that is cut is left out as well.
 *
 * @throws DeadheatError `PROFILE_MALFORMED` with file and line, `PROFILE_CLOCK` when the program did not write the time (see `clockScript`),
 *   `PROFILE_MISSING` when the file is not there or has no ticks.
 */
export async function readV8Log(path: string): Promise<ExecutionProfile> {
  const reader = new V8LogReader(path);
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity });
  try {
    // A line is taken when the next one is there: the last may be cut.
    let held: string | null = null;
    for await (const line of lines) {
      if (held !== null) reader.take(held);
      held = line;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new DeadheatError('PROFILE_MISSING', `${path} is not there: start the program with node --prof.`, {
      cause: error,
    });
  }
  return reader.finish();
}

class V8LogReader {
  readonly #path: string;
  readonly #builder = new ProfileBuilder();
  readonly #map = new MachineCodeMap();
  readonly #clock = new ClockBounds();
  readonly #ofKind = new Map<string, number>();
  #line = 0;

  constructor(path: string) {
    this.#path = path;
  }

  take(line: string): void {
    this.#line++;
    if (line.startsWith('tick,')) this.#tick(line.split(',', 6));
    else if (line.startsWith('code-creation,')) this.#create(line.split(','));
    else if (line.startsWith('code-move,')) {
      const [, from = '', to = ''] = line.split(',');
      this.#map.move(this.#number(from), this.#number(to));
    }
  }

  finish(): ExecutionProfile {
    if (this.#builder.length === 0) {
      throw new DeadheatError(
        'PROFILE_MISSING',
        `${this.#path} has no ticks: the program ended before the first, or is no program of node --prof. Let it run longer.`,
      );
    }
    const { offset } = this.#clock;
    if (offset === null) {
      throw new DeadheatError(
        'PROFILE_CLOCK',
        `${this.#path} does not say when its clock began. Let deadheat start node itself: otherwise the log lacks the scripts that hold the time.`,
      );
    }
    return this.#builder.build(v8Kinds, offset);
  }

  /** `tick,pc,microseconds,is external,callback or top of stack,state,stack...` */
  #tick([, pc = '', time = '', external = '', , state = '']: readonly string[]): void {
    const tag = this.#number(state);
    const timeNs = this.#number(time) * microsecondNs;
    const address = this.#number(pc);
    if (waiting.has(tag)) return;
    const kind = stateKinds[tag] ?? (external === '1' ? 'native' : null);
    const found = kind === null ? this.#map.find(address) : null;
    this.#builder.addSample(timeNs, found ?? this.#placeOf(kind ?? 'native'));
  }

  /** `code-creation,type,kind,microseconds,address,size,name[,function,mark]` */
  #create(fields: readonly string[]): void {
    const [, type = '', , time = '', address = '', size = '', name = '', , mark = ''] = fields;
    if (type === 'Script' || type === 'Eval') this.#readClock(name, time);
    if (mark === '~') return;
    const tier = fields.length < 9 ? undefined : tiers[mark.charAt(0)];
    const place =
      tier === undefined
        ? this.#placeOf(kindOf(type, name))
        : this.#builder.addCode({
            kind: tier,
            method: name,
            isLastTier: tier === 'turbofan',
            madeNs: this.#number(time) * microsecondNs,
          });
    this.#map.add(this.#number(address), this.#number(size), place);
  }

  #readClock(name: string, time: string): void {
    const match = clockName.exec(name);
    if (match === null) return;
    this.#clock.add(this.#number(time) * microsecondNs, Number(match[1]), microsecondNs);
  }

  #placeOf(kind: string): number {
    let place = this.#ofKind.get(kind);
    if (place === undefined) {
      place = this.#builder.addCode({ kind, method: null, isLastTier: false, madeNs: -Infinity });
      this.#ofKind.set(kind, place);
    }
    return place;
  }

  #number(text: string): number {
    const number = Number(text);
    if (text !== '' && Number.isSafeInteger(number)) return number;
    throw new DeadheatError(
      'PROFILE_MALFORMED',
      `${this.#path}:${this.#line}: expected a number, found '${text}'. The file must be as node --prof wrote it.`,
    );
  }
}

function kindOf(type: string, name: string): string {
  if (type === 'BytecodeHandler' || name.startsWith('Interpreter')) return 'interpreter';
  return type === 'Builtin' ? 'builtin' : 'other code';
}

interface Range {
  start: number;
  readonly size: number;
  readonly place: number;
}

/** Which code lies at an address; newer code takes the place of what it overlaps. */
class MachineCodeMap {
  readonly #ranges: Range[] = [];

  add(start: number, size: number, place: number): void {
    let from = this.#after(start);
    const before = this.#ranges[from - 1];
    if (before !== undefined && before.start + before.size > start) from--;
    let to = from;
    while ((this.#ranges[to]?.start ?? Infinity) < start + size) to++;
    this.#ranges.splice(from, to - from, { start, size, place });
  }

  /** Code was moved by the garbage collector; nothing happens where there is none. */
  move(from: number, to: number): void {
    const at = this.#after(from) - 1;
    const range = this.#ranges[at];
    if (range?.start !== from) return;
    this.#ranges.splice(at, 1);
    this.add(to, range.size, range.place);
  }

  /** Place of the code at an address; `null` where there is none. */
  find(address: number): number | null {
    const range = this.#ranges[this.#after(address) - 1];
    return range !== undefined && address < range.start + range.size ? range.place : null;
  }

  /** Number of ranges that start at or before an address. */
  #after(address: number): number {
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ranges[middle]?.start ?? Infinity) <= address) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
