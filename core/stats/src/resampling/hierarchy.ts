import { checkSample } from '../internal/checks.ts';

/**
 * Measurements in their hierarchy, one to three levels deep: `runs[r]`, `runs[r][m]` or `runs[r][s][m]` (run, segment,
 * measurement; or fork, iteration, invocation).
 */
export type NestedSample = ArrayLike<number> | ArrayLike<ArrayLike<number>> | ArrayLike<ArrayLike<ArrayLike<number>>>;

/**
 * The same without nested arrays, for large data. `offsets` holds one array a level above the values, from the top: the
 * children of node i of a level are the nodes (at last: values) offsets[level][i] .. offsets[level][i + 1] - 1 of the next. Runs
 * of measurements need one array of length runs + 1, runs of segments of measurements two.
 */
export interface FlatSample {
  readonly values: Float64Array;
  readonly offsets: readonly Int32Array[];
}

function isFlat(name: string, sample: NestedSample | FlatSample): sample is FlatSample {
  if (typeof sample !== 'object' || sample === null) {
    throw new RangeError(`${name} must be an array or a flat sample, got ${String(sample)}`);
  }
  return 'values' in sample && 'offsets' in sample;
}

function checkFlat(name: string, { values, offsets }: FlatSample): void {
  if (offsets.length > 2) throw new RangeError(`${name} may have at most three levels, got ${offsets.length + 1}`);
  checkSample(`${name}.values`, values);
  offsets.forEach((starts, level) => {
    const below = offsets[level + 1];
    const size = below === undefined ? values.length : below.length - 1;
    const right = starts.length >= 2 && starts[0] === 0 && starts[starts.length - 1] === size;
    if (!right) throw new RangeError(`${name}.offsets[${level}] must run from 0 to ${size}`);
    for (let i = 1; i < starts.length; i++) {
      if (!(starts[i]! > starts[i - 1]!)) {
        throw new RangeError(`${name}.offsets[${level}] must ascend without empty groups, see index ${i}`);
      }
    }
  });
}

/** The flat form of a hierarchy; refuses empty levels, mixed depths, NaN and infinite values by name. O(values). */
export function flattenSample(name: string, sample: NestedSample | FlatSample): FlatSample {
  if (isFlat(name, sample)) {
    checkFlat(name, sample);
    return sample;
  }
  if (sample.length === 0) throw new RangeError(`${name} needs at least 1 value, got 0`);
  if (typeof sample[0] === 'number') {
    checkSample(name, sample as ArrayLike<number>);
    return { values: Float64Array.from(sample as ArrayLike<number>), offsets: [] };
  }
  const groups = sample as ArrayLike<ArrayLike<number> | ArrayLike<ArrayLike<number>>>;
  const starts = new Int32Array(groups.length + 1);
  const parts: FlatSample[] = [];
  for (let i = 0; i < groups.length; i++) {
    const part = flattenSample(`${name}[${i}]`, groups[i]!);
    if (i > 0 && part.offsets.length !== parts[0]!.offsets.length) {
      throw new RangeError(`${name}[${i}] must be nested as deep as ${name}[0]`);
    }
    parts.push(part);
    starts[i + 1] = starts[i]! + (part.offsets[0] === undefined ? part.values.length : part.offsets[0].length - 1);
  }
  const depth = parts[0]!.offsets.length;
  if (depth > 1) throw new RangeError(`${name} may have at most three levels`);
  const values = new Float64Array(parts.reduce((total, part) => total + part.values.length, 0));
  const inner = depth === 1 ? new Int32Array(starts[groups.length]! + 1) : null;
  let at = 0;
  let node = 0;
  for (const part of parts) {
    values.set(part.values, at);
    if (inner !== null) {
      const offsets = part.offsets[0]!;
      for (let i = 1; i < offsets.length; i++) inner[++node] = at + offsets[i]!;
    }
    at += part.values.length;
  }
  return { values, offsets: inner === null ? [starts] : [starts, inner] };
}
