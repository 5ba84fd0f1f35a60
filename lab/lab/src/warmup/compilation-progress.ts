import type { ExecutionProfile } from '@deadheat/profiles';
import { durationsOf, type IterationTimes, type WarmupPoint } from './warmup-points.ts';

/** How shares are taken. */
export interface CompilationProgressOptions {
  /** Length of a window, ns, above 0; `null` or absent: a twentieth of the run, at least 100 ms and at most the paper's minute. */
  readonly windowNs?: number | null;
  /** Warm at this share of the largest share of any window; inside (0, 1], default 0.95. */
  readonly ofMaximum?: number;
}

/** A band of the stacked area of kinds of code over time. */
export interface CodeKindSeries {
  readonly kind: string;
  /** Whether it is the part of the kind that was compiled again later. */
  readonly replaced: boolean;
  /** Share of the samples of each window; 0 in one without samples. */
  readonly shares: readonly number[];
}

export interface CompilationProgress {
  /** Of each iteration: how long it took, ns, and how many pieces of code were compiled by its end, after that of the one before. */
  readonly durationsNs: readonly number[];
  readonly compilations: readonly number[];
  readonly windowNs: number;
  /** End of each window from the start of the first iteration, ns; the last is the last full window. */
  readonly endsNs: readonly number[];
  /** Samples in each window. */
  readonly samples: readonly number[];
  /** Share of each window in compiled code that was not compiled again; `null` in one without samples. */
  readonly stableShares: readonly (number | null)[];
  /** Share of each window in code of the last tier; `null` in one without samples. */
  readonly lastTierShares: readonly (number | null)[];
  /** Bands that are not empty, in the profile's order, what stays before what is replaced. */
  readonly series: readonly CodeKindSeries[];
  /** Warm by stable code; `null` when there was none. */
  readonly stable: WarmupPoint | null;
  /** Warm by code of the last tier; `null` when there was none. */
  readonly lastTier: WarmupPoint | null;
}

/** A window of the paper. */
const longestNs = 60e9;
const shortestNs = 1e8;
const windowsOfARun = 20;

/**
 * Follows how a program is compiled while a benchmark runs: in windows from the start of its first iteration, which share of the samples
 * lies in compiled code that will not be compiled again, and which in code of the last tier. A run is warm at the end of the first window
 * whose share reaches 95 % of the largest of all windows. What is left behind the last full window is not looked at; a run that is shorter
 * than a window is one.
 *
 * @throws RangeError for options out of range, and as `durationsOf`.
 * Source: Antoch et al., OOPSLA'26, section 6.1, table 6 and figure 10; shorter windows for shorter runs are ours.
 */
export function compilationProgress(
  profile: ExecutionProfile,
  times: IterationTimes,
  { windowNs: asked = null, ofMaximum = 0.95 }: CompilationProgressOptions = {},
): CompilationProgress {
  if (asked !== null && !(asked > 0 && asked < Infinity))
    throw new RangeError(`windowNs must be above 0, got ${asked}`);
  if (!(ofMaximum > 0 && ofMaximum <= 1)) throw new RangeError(`ofMaximum must lie in (0, 1], got ${ofMaximum}`);
  const durationsNs = Array.from(durationsOf(times));
  const { startsNs, endsNs } = times;
  const startNs = startsNs[0]!;
  const spanNs = Math.max(1, endsNs[endsNs.length - 1]! - startNs);
  const wantedNs = asked ?? Math.min(longestNs, Math.max(shortestNs, spanNs / windowsOfARun));
  const windowNs = Math.min(wantedNs, spanNs);
  // A span divided by a part of itself may miss a whole number by rounding.
  const windows = Math.max(1, Math.floor(spanNs / windowNs + 1e-9));
  const counts = countSamples(profile, { startNs, windowNs, windows });
  const shares = (sums: readonly number[]): (number | null)[] =>
    sums.map((sum, w) => (counts.samples[w] === 0 ? null : sum / counts.samples[w]!));
  const stableShares = shares(counts.stable);
  const lastTierShares = shares(counts.lastTier);
  const ends = Array.from({ length: windows }, (_, w) => (w + 1) * windowNs);
  const warmBy = (values: readonly (number | null)[]): WarmupPoint | null => {
    const largest = Math.max(...values.map((share) => share ?? 0));
    if (largest === 0) return null;
    const timeNs = ends[values.findIndex((share) => share !== null && share >= ofMaximum * largest)]!;
    return { iterations: Array.from(startsNs).filter((start) => start - startNs < timeNs).length, timeNs };
  };
  return {
    durationsNs,
    compilations: countCompilations(profile.compiledNs, times),
    windowNs,
    endsNs: ends,
    samples: counts.samples,
    stableShares,
    lastTierShares,
    series: counts.series.map(({ kind, replaced, sums }) => ({
      kind,
      replaced,
      shares: shares(sums).map((share) => share ?? 0),
    })),
    stable: warmBy(stableShares),
    lastTier: warmBy(lastTierShares),
  };
}

function countCompilations(compiledNs: Float64Array, { startsNs, endsNs }: IterationTimes): readonly number[] {
  const counts = Array.from(endsNs, () => 0);
  let i = 0;
  for (const made of compiledNs) {
    while (i < endsNs.length && made > endsNs[i]!) i++;
    if (i < endsNs.length && made > startsNs[0]!) counts[i]!++;
  }
  return counts;
}

interface Counts {
  readonly samples: number[];
  readonly stable: number[];
  readonly lastTier: number[];
  readonly series: readonly { readonly kind: string; readonly replaced: boolean; readonly sums: number[] }[];
}

function countSamples(
  { timesNs, places, code, kinds }: ExecutionProfile,
  { startNs, windowNs, windows }: { readonly startNs: number; readonly windowNs: number; readonly windows: number },
): Counts {
  const zeros = (): number[] => Array.from({ length: windows }, () => 0);
  const samples = zeros();
  const stable = zeros();
  const lastTier = zeros();
  const bands = kinds.flatMap((kind) => [false, true].map((replaced) => ({ kind, replaced, sums: zeros() })));
  const bandOf = code.map(({ kind, isReplaced }) => bands[2 * kinds.indexOf(kind) + (isReplaced ? 1 : 0)]!);
  for (let i = 0; i < timesNs.length; i++) {
    const w = Math.floor((timesNs[i]! - startNs) / windowNs);
    if (w < 0 || w >= windows) continue;
    const place = places[i]!;
    const { method, isLastTier, isReplaced } = code[place]!;
    samples[w]!++;
    bandOf[place]!.sums[w]!++;
    if (method !== null && !isReplaced) stable[w]!++;
    if (isLastTier) lastTier[w]!++;
  }
  return { samples, stable, lastTier, series: bands.filter(({ sums }) => sums.some((sum) => sum > 0)) };
}
