// Series whose level is known: noise of several kinds, and a change of level where one is asked for.

const normal = (random) => random.normal();

function student3(random) {
  const chi = random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2;
  // t with 3 degrees of freedom has the variance 3.
  return random.normal() / Math.sqrt(chi / 3) / Math.sqrt(3);
}

/** Of the first order: `state` keeps the value from point to point. */
function autoregressive(rho) {
  return (random, state) => {
    const fresh = random.normal();
    state.value = state.value === undefined ? fresh : rho * state.value + Math.sqrt(1 - rho * rho) * fresh;
    return state.value;
  };
}

/** A share of the points lies in a second mode, so much higher. */
const modes = (share, apart) => (random) => random.normal() + (random.next() < share ? apart : 0);

/** Kinds of noise in percent: a standard deviation of 1, and beside it spikes of 20 to 50 or a second mode. */
export const noises = {
  normal,
  t3: student3,
  'spikes 5 %': (random) => random.normal() + (random.next() < 0.05 ? 20 + 30 * random.next() : 0),
  'modes 10 % +5 %': modes(0.1, 5),
  'modes 30 % +3 %': modes(0.3, 3),
  'modes 50 % +5 %': modes(0.5, 5),
  'modes 20 % +10 %': modes(0.2, 10),
  'AR 0.3': autoregressive(0.3),
  'AR 0.5': autoregressive(0.5),
};

/** The logarithms of a series; from the index `at` on its level is `by` percent higher. The noise counts `scale` times. */
export function drawSeries(random, { noise, length, at = length, by = 0, scale = 1 }) {
  const draw = noises[noise];
  const state = {};
  const shift = Math.log1p(by / 100);
  return Array.from({ length }, (_, k) => (scale / 100) * draw(random, state) + (k < at ? 0 : shift));
}
