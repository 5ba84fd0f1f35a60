/** `DEADHEAT_NIGHTLY=1`, which `.ci/nightly` sets: simulations of tests make all their draws. */
const isNightly = process.env['DEADHEAT_NIGHTLY'] === '1';

/**
 * Number of simulated experiments of a test: all of them in `.ci/nightly`, a fifth in `npm test`. A test derives its bounds from the
 * number that it gets, so that both numbers may fail equally seldom.
 *
 * @param {number} all
 * @returns {number}
 */
export function draws(all) {
  return isNightly ? all : Math.ceil(all / 5);
}
