// How often changes of level are found in simulated series: where there is none (searched once, and after every point), and where the
// level rises by 5 %. Beside this tool's search the one that Hunter (Apache Otava) describes.
import { createRandom, wilsonInterval } from '@deadheat/stats';
import { printTable } from '../lib/tools.js';
import { eDivisive } from './e-divisive.js';
import { drawSeries, noises } from './models.js';
import { seriesLevels } from '@deadheat/history';

/** Both searches at their defaults, over the same values; indices of the first point of each further level. */
const searches = [
  (logs) => {
    const points = logs.map((log) => ({ ratio: { estimate: Math.exp(log) }, commits: {} }));
    return seriesLevels(points, { quantity: 'ratio' }).changes.map(({ at }) => at);
  },
  (logs) => eDivisive(logs.map((log) => Math.exp(log))),
];

/** A change counts as found where one is reported at most so many points from it. */
const nearby = 3;
const shiftPercent = 5;

const isCut = (find, { random, noise, length }) => find(drawSeries(random, { noise, length })).length > 0;

/** At some length from 6 on, as where a series is searched after every push. */
function isEverCut(find, { random, noise, length }) {
  const logs = drawSeries(random, { noise, length });
  for (let seen = 6; seen <= length; seen += 1) if (find(logs.slice(0, seen)).length > 0) return true;
  return false;
}

const isFound =
  (placeOf, scale = 1) =>
  (find, { random, noise, length }) => {
    const at = placeOf(length);
    const logs = drawSeries(random, { noise, length, at, by: shiftPercent, scale });
    return find(logs).some((found) => Math.abs(found - at) <= nearby);
  };

const middle = (length) => Math.floor(length / 2);

/** What is counted, by the name that is typed. */
const tables = {
  false: {
    title: 'no change: series with a change of level',
    lengths: [20, 50, 100, 300],
    count: 1000,
    happens: isCut,
  },
  looks: {
    title: 'no change, searched after every point: series with a change at some time',
    lengths: [300],
    count: 200,
    happens: isEverCut,
  },
  found: {
    title: `${shiftPercent} % in the middle: found`,
    lengths: [20, 50, 100, 300],
    count: 500,
    happens: isFound(middle),
  },
  doubled: {
    title: `${shiftPercent} % in the middle, all noise twice as large: found`,
    lengths: [20, 50, 100, 300],
    count: 500,
    happens: isFound(middle, 2),
  },
  recent: {
    title: `${shiftPercent} % since 8 points: found`,
    lengths: [20, 50, 100, 300],
    count: 500,
    happens: isFound((length) => length - 8),
  },
};

/** Arguments: `false`, `looks`, `found`, `doubled`, `recent` or `all` (default); the number of series of each kind; a kind of noise alone. */
export function run([which = 'all', count, only = null] = []) {
  for (const [name, { title, lengths, count: usual, happens }] of Object.entries(tables)) {
    if (which !== 'all' && which !== name) continue;
    const drawn = Number(count ?? usual);
    const rows = Object.keys(noises)
      .filter((noise) => only === null || noise === only)
      .map((noise) => [
        noise,
        ...lengths.map((length) =>
          searches.map((find) => shareOf(drawn, find, { name, noise, length, happens })).join(', '),
        ),
      ]);
    console.log(`${title}; deadheat, e-divisive in % of ${drawn} series, 95 % Wilson interval\n`);
    printTable(['noise', ...lengths.map((length) => `${length} points`)], rows);
    console.log();
  }
}

function shareOf(count, find, { name, noise, length, happens }) {
  let times = 0;
  for (let k = 0; k < count; k += 1) {
    const random = createRandom(`series ${name} ${noise} ${length} ${k}`);
    if (happens(find, { random, noise, length })) times += 1;
  }
  const { low, high } = wilsonInterval(times, count);
  const told = (share) => (100 * share).toFixed(1);
  return `${told(times / count)} (${told(low)}-${told(high)})`;
}
