import { normalCentre, normalDensity, normalTail } from './normal-tail.ts';

/**
 * z >= 0 with P(Z > z) = q, for 0 < q <= 1/2. `distance` is 1/2 - q; near the centre it holds digits that q has lost.
 * Start: Abramowitz and Stegun 26.2.23 (error below 4.5e-4); then Halley steps, which treble the correct digits.
 */
export const normalUpperQuantile = (q: number, distance: number): number => {
  if (distance === 0) return 0;
  const t = Math.sqrt(-2 * Math.log(q));
  const start = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  let z = Math.max(t - start, 0);
  for (let i = 0; i < 3; i++) {
    const error = distance < 0.4 ? distance - normalCentre(z) : normalTail(z) - q;
    const ratio = error / normalDensity(z);
    z += ratio / (1 - 0.5 * z * ratio);
  }
  return z;
};
