// How often intervals over several hosts miss the ratio of all hosts, for candidates and numbers of hosts.
import { fewestHosts, poolHosts } from '../../core/analysis/dist/compare/over-hosts.js';
import { createRandom, expandedPercentileInterval, mean, studentTQuantile, variance } from '@deadheat/stats';
import { printTable } from '../lib/tools.js';
import { showTwelve } from './twelve.js';

const experiments = 4000;
const counts = [2, 3, 4, 5, 6, 8, 12, 20];
const levels = [0.99, 0.95];
const replicates = 1000;

const exponential = (random) => -Math.log(1 - random.next()) - 1;
const modes = (share, width) => (random) => {
  const mode = random.next() < share ? 1 : 0;
  return ((mode - share) / Math.sqrt(share * (1 - share)) + width * random.normal()) / Math.sqrt(1 + width * width);
};
const normal = (random) => random.normal();

/** What a host adds to every log ratio of its own: of mean 0, in standard deviations of a run. */
const effects = {
  'no difference between hosts': { effect: normal, size: 0 },
  'half a run, normal': { effect: normal, size: 0.5 },
  'two runs, normal': { effect: normal, size: 2 },
  'two runs, skewed': { effect: exponential, size: 2 },
  'two runs, two models 50 : 50': { effect: modes(0.5, 0.1), size: 2 },
  'two runs, two models 70 : 30': { effect: modes(0.7, 0.1), size: 2 },
};

/** Runs of each host. */
const shares = {
  equal: () => 8,
  unequal: (host) => [2, 14, 4, 12][host % 4],
};

const quantiles = new Map();
function t(confidence, degrees) {
  const key = `${confidence} ${degrees}`;
  if (!quantiles.has(key)) quantiles.set(key, studentTQuantile((1 + confidence) / 2, degrees));
  return quantiles.get(key);
}

/** Random effects with weights by the method of moments, error and quantile of Hartung and Knapp. */
function hartungKnapp(hosts, confidence) {
  const { within, means } = poolHosts(hosts);
  const errors = hosts.map(({ length }) => within / length);
  const fixed = errors.map((error) => 1 / error);
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const total = sum(fixed);
  const centre = sum(fixed.map((weight, h) => weight * means[h])) / total;
  const q = sum(fixed.map((weight, h) => weight * (means[h] - centre) ** 2));
  const scale = total - sum(fixed.map((weight) => weight ** 2)) / total;
  const between = Math.max(0, (q - (hosts.length - 1)) / scale);
  const weights = errors.map((error) => 1 / (between + error));
  const estimate = sum(weights.map((weight, h) => weight * means[h])) / sum(weights);
  const spread = sum(weights.map((weight, h) => weight * (means[h] - estimate) ** 2));
  const half = t(confidence, hosts.length - 1) * Math.sqrt(spread / ((hosts.length - 1) * sum(weights)));
  return { low: estimate - half, high: estimate + half };
}

const candidates = {
  'over runs, t': (hosts, confidence) => {
    const values = hosts.flatMap((host) => [...host]);
    const half = t(confidence, values.length - 1) * Math.sqrt(variance(values) / values.length);
    return { low: mean(values) - half, high: mean(values) + half };
  },
  'over hosts, t': (hosts, confidence) => {
    const pooled = poolHosts(hosts);
    const half = t(confidence, hosts.length - 1) * pooled.standardError;
    return { low: pooled.mean - half, high: pooled.mean + half };
  },
  'over hosts, Hartung-Knapp': hartungKnapp,
  'over hosts, expanded bootstrap': (hosts, confidence, random) => {
    const { means } = poolHosts(hosts);
    const draws = Float64Array.from({ length: replicates }, () => {
      let total = 0;
      for (let k = 0; k < means.length; k++) total += means[random.int(means.length)];
      return total / means.length;
    });
    return expandedPercentileInterval(draws, confidence, means.length);
  },
};

function drawHosts(count, { effect, size, runsOf, random }) {
  return Array.from({ length: count }, (_, host) => {
    const own = size * effect(random);
    return Float64Array.from({ length: runsOf(host) }, () => own + random.normal());
  });
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** `twelve` shows what is said of twelve simulated machines instead. */
export async function run([what]) {
  if (what === 'twelve') return showTwelve();
  for (const [share, runsOf] of Object.entries(shares)) {
    for (const confidence of levels) {
      const rows = [];
      for (const [name, { effect, size }] of Object.entries(effects)) {
        for (const [candidate, intervalOf] of Object.entries(candidates)) {
          if (candidate.endsWith('bootstrap') && (name !== 'two runs, normal' || share === 'unequal')) continue;
          const missed = counts.map((count) => {
            const random = createRandom(`${share} ${name} ${count}`);
            const resampling = createRandom(`${candidate} ${count}`);
            let misses = 0;
            const many = candidate.endsWith('bootstrap') ? experiments / 4 : experiments;
            for (let k = 0; k < many; k++) {
              const { low, high } = intervalOf(
                drawHosts(count, { effect, size, runsOf, random }),
                confidence,
                resampling,
              );
              if (low > 0 || high < 0) misses += 1;
            }
            return percent(misses / many);
          });
          rows.push([name, candidate, ...missed]);
        }
      }
      console.log(
        `\nmissed at ${percent(confidence)}, ${share} numbers of runs, by the number of hosts (chosen: ${fewestHosts})`,
      );
      printTable(['effect of the host', 'interval', ...counts.map(String)], rows);
    }
  }
  console.log('\nhalf-width in standard deviations between hosts, without run noise, normal');
  printTable(
    ['level', ...counts.map(String)],
    levels.map((level) => [percent(level), ...counts.map((k) => (t(level, k - 1) / Math.sqrt(k)).toFixed(2))]),
  );
}
