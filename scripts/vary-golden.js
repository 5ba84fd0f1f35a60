// node scripts/vary-golden.js GOLDEN DATA TO: writes another edition of the golden files and the data sets of the tests to TO/golden and
// TO/data: other numbers, other names, another order, another count of cases. Values are multiplied by what the statistic carries through
// (a mean by the factor, a variance by its square, a test's p by nothing). `npm run test:golden` has to pass with
// DEADHEAT_GOLDEN=TO/golden DEADHEAT_DATA=TO/data too: then no test holds a number of one edition.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [golden, data, to] = process.argv.slice(2);
if (golden === undefined || data === undefined || to === undefined) {
  console.error('usage: node scripts/vary-golden.js GOLDEN DATA TO');
  process.exit(2);
}
mkdirSync(join(to, 'golden'), { recursive: true });
mkdirSync(join(to, 'data', 'steady-state'), { recursive: true });

/** What the names of data sets begin with in the other edition. */
const renamed = 'other-';

/** Multiplies every number by what `factorOf` gives for its place, keys joined by dots. */
function scale(node, factorOf, place = '') {
  if (typeof node === 'number') return node * factorOf(place);
  if (Array.isArray(node)) return node.map((one) => scale(one, factorOf, place));
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(Object.entries(node).map(([key, one]) => [key, scale(one, factorOf, `${place}.${key}`)]));
}

/** Of the first pattern that a place fits; 1 without any. */
function byPlace(...rules) {
  return (place) => rules.find(([pattern]) => pattern.test(place))?.[1] ?? 1;
}

/** The cases in the opposite order, with other names, the last one left out where there are several and `all` is not asked for. */
function others(cases, { all = false } = {}) {
  const kept = all || cases.length < 3 ? cases : cases.slice(0, -1);
  return kept.toReversed().map((one) => ('id' in one ? { ...one, id: `other ${one.id}` } : one));
}

function each(cases, factorOf, options) {
  return others(cases, options).map((one) => scale(one, factorOf));
}

const end = '(lo|hi)\\.(mean|sd_single|se_mean|tol)$';
const [a, b] = [3.7, 0.6];

const editions = {
  '01-gms': (file) => ({
    ...file,
    cases: others(file.cases).map((one) => {
      // Where the ratios are others, so is whether they straddle 1.
      const { 'straddles_1_at_0.95': _straddles, ...expected } = one.expected;
      const factors = byPlace([/input\.x$/, a], [/input\.y$/, b], [new RegExp(`gms|${end}`), a / b]);
      return scale({ ...one, expected }, factors);
    }),
  }),
  '02-bca': (file) => ({
    ...file,
    cases: each(file.cases, byPlace([/input\.x$/, a], [/expected\.mean$/, a], [new RegExp(`ci\\.${end}`), a])),
    degenerate: scale(file.degenerate, byPlace([/input\.x$/, a])),
  }),
  '03-mann-whitney': (file) => ({ ...file, cases: each(file.cases, byPlace([/input/, 8])) }),
  '04-distributions': (file) => ({
    ...file,
    ...Object.fromEntries(
      ['t_tail', 't_isf', 'normal_tail', 'normal_isf'].map((name) => [name, file[name].filter((_, i) => i % 3 !== 1)]),
    ),
  }),
  '05-intervals': (file) => ({
    ...file,
    welch: each(file.welch, byPlace([/input|mean_|diff|\.se$/, a])),
    wilson: others(file.wilson).map(({ input, expected }) => ({
      input: { ...input, successes: input.trials - input.successes },
      expected: Object.fromEntries(
        Object.entries(expected).map(([key, value]) => [
          key,
          key.startsWith('wilson_') ? value.map((one) => 1 - one).toReversed() : value,
        ]),
      ),
    })),
    fieller: each(
      file.fieller,
      byPlace([/input\.x$/, a], [/input\.y$/, b], [/expected\.(ratio|lo|hi|excluded_lo|excluded_hi)$/, a / b]),
    ),
    kalibera_jones_ratio: each(
      file.kalibera_jones_ratio,
      byPlace([/_new$/, a], [/_old$/, b], [/expected\.(ratio|lo|hi)$/, a / b]),
    ),
    hierarchical_bootstrap: each(
      file.hierarchical_bootstrap,
      byPlace([/input/, a], [new RegExp(`difference_of_means|difference_ci\\d+\\.${end}`), a]),
    ),
  }),
  '06-kde': (file) => ({
    ...file,
    cases: file.cases.map((one) => {
      const { ucv_criterion: criterion, ...bandwidths } = one.expected_bandwidths;
      const factors = byPlace(
        [/criterion$|density$/, 1 / a],
        [/input|bandwidth$|nrd0?$|hmax|bw$|range$|ucv_accept/, a],
      );
      return {
        ...scale({ ...one, expected_bandwidths: bandwidths }, factors),
        id: `other ${one.id}`,
        expected_bandwidths: {
          ...scale(bandwidths, factors, '.expected_bandwidths'),
          ucv_criterion: criterion.map(([h, value]) => [h * a, value / a]),
        },
      };
    }),
  }),
  '07-pelt': (file) => ({
    ...file,
    // A segment of equal values counts as a variance of 1e-11 whatever the unit: such series are left as they are.
    synthetic: others(file.synthetic).map((one) => {
      const { x } = one.input;
      if (x.some((value, i) => value === x[i + 1])) return one;
      const more = 2 * x.length * Math.log(a);
      return {
        ...one,
        input: { x: x.map((value) => value * a) },
        runs: one.runs.map((run) => ({
          ...run,
          total_cost: run.total_cost + more,
          penalised_cost: run.penalised_cost + more,
        })),
      };
    }),
    real_forks: others(file.real_forks).map((one) => ({ ...one, file: renamed + one.file })),
  }),
  '08-segments': (file) => ({
    ...file,
    cases: each(file.cases, byPlace([/var_/, a * a], [/input|means?$|ci/, a])),
  }),
  '09-expanded-percentile': (file) => ({
    ...file,
    table: file.table.filter((_, i) => i % 2 === 0),
    examples: file.examples.map((one) => ({
      ...scale(one, byPlace([/replicates$|interval_/, 4])),
      ...(one.replicates_formula === undefined
        ? {}
        : { replicates_formula: one.replicates_formula.replace('sqrt(i)/100', 'sqrt(i)*4/100') }),
    })),
    hierarchical: each(file.hierarchical, byPlace([/input/, a], [new RegExp(end), a])),
  }),
  '10-stability': (file) => ({
    ...file,
    iterations: each(file.iterations, byPlace([/input/, 4], [/details_last\.(range|h)$/, 4])),
    forks: each(file.forks, byPlace([/input/, 4])),
  }),
  '11-steady-state': (file) => ({
    ...file,
    // Twice each benchmark, so that counts are others and shares the same; stop points one later, but for those at the limit.
    verification: scale(file.verification, () => 2),
    benchmarks: [...file.benchmarks, ...file.benchmarks].toReversed().map((one) => ({
      ...one,
      file: renamed + one.file,
      dynconfig: Object.fromEntries(
        Object.entries(one.dynconfig).map(([name, { simulated_1s_warmup_iterations: stops, ...rest }]) => [
          name,
          { ...rest, simulated_1s_warmup_iterations: stops.map((stop) => (stop < 49 ? stop + 1 : stop)) },
        ]),
      ),
    })),
  }),
  '12-filters-overlaps': (file) => ({
    ...file,
    winsorize: each(file.winsorize, byPlace([/input|expected\.y|from|to$|distance|range_of_others/, 4])),
    window_filter: each(file.window_filter, byPlace([/input/, 4])),
    overlaps: others(file.overlaps, { all: true }).map((one) => ({
      ...scale(one, byPlace([/input/, a])),
      expected: {
        ...one.expected,
        overlaps: one.expected.overlaps.map(([i, j, time, ...rates]) => [i, j, time * a, ...rates]),
      },
    })),
    overlaps_pooled: { ...file.overlaps_pooled, runs: file.overlaps_pooled.runs.map((id) => `other ${id}`) },
    mds_shift: others(file.mds_shift).map((one) => scale(one, byPlace([/input|B_shifted/, a]))),
  }),
  '13-trend': (file) => ({
    ...file,
    cases: each(
      file.cases,
      byPlace([/input\.t$/, b], [/input\.y$/, a], [new RegExp(`slope|interval\\.${end}`), a / b], [/intercept/, a]),
    ),
  }),
  '14-dimensions': (file) => ({
    ...file,
    cases: each(file.cases, byPlace([/input\.cost$/, 8], [/input\.variance$/, 0.25])),
    substitution: scale(file.substitution, byPlace([/cost_/, 8], [/var_/, 0.25])),
  }),
};

for (const name of readdirSync(golden).filter((one) => one.endsWith('.json'))) {
  const vary = editions[name.replace('.json', '')];
  if (vary === undefined) throw new RangeError(`${name} is not known here`);
  writeFileSync(join(to, 'golden', name), JSON.stringify(vary(JSON.parse(readFileSync(join(golden, name), 'utf8')))));
}
for (const name of readdirSync(join(data, 'steady-state'))) {
  symlinkSync(resolve(data, 'steady-state', name), join(to, 'data', 'steady-state', renamed + name));
}
