import { studentTQuantile } from '@deadheat/stats';

/** An effect that one machine showed, such as the logarithm of a ratio, with the variance of its estimate. */
export interface MachineEffect {
  readonly effect: number;
  /** Above 0. */
  readonly variance: number;
}

/** The mean effect over machines of which those at hand are a sample. */
export interface RandomEffects {
  readonly machines: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** Standard deviation of the true effects between machines. */
  readonly between: number;
  /** Share of the variation between the estimates that comes from the machines and not from the runs, 0..1. */
  readonly heterogeneity: number;
}

const mostSteps = 10_000;
const exact = 1e-12;

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The weighted mean at a variance between machines. */
function meanAt(
  effects: readonly MachineEffect[],
  between: number,
): { readonly mean: number; readonly weights: readonly number[] } {
  const weights = effects.map(({ variance }) => 1 / (variance + between));
  return { weights, mean: sum(effects.map(({ effect }, i) => weights[i]! * effect)) / sum(weights) };
}

/** The variance between machines whose restricted likelihood is largest, by the fixed point of its score; at least 0. */
function varianceBetween(effects: readonly MachineEffect[]): number {
  const centre = sum(effects.map(({ effect }) => effect)) / effects.length;
  let between = sum(effects.map(({ effect }) => (effect - centre) ** 2)) / (effects.length - 1);
  for (let step = 0; step < mostSteps; step++) {
    const { mean, weights } = meanAt(effects, between);
    const squares = weights.map((weight) => weight ** 2);
    const excess = sum(effects.map(({ effect, variance }, i) => squares[i]! * ((effect - mean) ** 2 - variance)));
    const next = Math.max(0, excess / sum(squares) + 1 / sum(weights));
    const isDone = Math.abs(next - between) <= exact * Math.max(next, between);
    between = next;
    if (isDone) break;
  }
  return between;
}

/**
 * The mean of an effect over machines, for other machines of the same kind as well: a random-effects model. The variance between machines is that of
 * restricted maximum likelihood, and the interval that of Hartung and Knapp by Student's t with one degree of freedom fewer than machines; it is never
 * narrower than the one that takes the variances of the estimates as known.
 *
 * @param effects of at least two machines, each measured by itself
 * @param level of the interval, in (0, 1)
 * @throws RangeError for fewer than two, effects that are not finite, variances that are not above 0, a level out of range
 *
 * Sources: W. Viechtbauer, J. Educ. Behav. Stat. 30 (2005), for the fixed point; J. Hartung and G. Knapp, Stat. Med. 20 (2001); G. Knapp and
 * J. Hartung, Stat. Med. 22 (2003), for the lower bound; J. Higgins and S. Thompson, Stat. Med. 21 (2002), for the share.
 */
export function randomEffects(effects: readonly MachineEffect[], level: number): RandomEffects {
  const machines = effects.length;
  if (machines < 2) throw new RangeError(`a model over machines needs at least 2 of them, got ${machines}`);
  if (!(level > 0 && level < 1)) throw new RangeError(`level must lie between 0 and 1, got ${level}`);
  const broken = effects.find(
    ({ effect, variance }) => !Number.isFinite(effect) || !(variance > 0 && variance < Infinity),
  );
  if (broken !== undefined) {
    throw new RangeError(
      `an effect must be finite and its variance above 0, got ${broken.effect} and ${broken.variance}`,
    );
  }
  const between = varianceBetween(effects);
  const { mean, weights } = meanAt(effects, between);
  const scatter = sum(effects.map(({ effect }, i) => weights[i]! * (effect - mean) ** 2)) / (machines - 1);
  const reach = studentTQuantile((1 + level) / 2, machines - 1) * Math.sqrt(Math.max(1, scatter) / sum(weights));
  const fixed = effects.map(({ variance }) => 1 / variance);
  const typical = ((machines - 1) * sum(fixed)) / (sum(fixed) ** 2 - sum(fixed.map((weight) => weight ** 2)));
  return {
    machines,
    mean,
    low: mean - reach,
    high: mean + reach,
    between: Math.sqrt(between),
    heterogeneity: between / (between + typical),
  };
}
