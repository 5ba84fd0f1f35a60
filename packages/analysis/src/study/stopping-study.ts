import { mean, standardDeviation } from '@deadheat/stats';
import { paperConfig, type StabilityCriterion } from '../stopping/stopping-options.ts';
import {
  overheadBounds,
  stoppingRules,
  type RuleOutcome,
  type StoppingOutcome,
  type StoppingStudyOptions,
} from './stopping-outcome.ts';
import { count, number, ratio, share, text, type Study, type StudyTable } from './study.ts';

/** What is known besides the outcomes. */
export interface StoppingFacts extends Pick<StoppingStudyOptions, 'like' | 'liftCaps'> {
  /** Measured cost of a decision by rule, ns. */
  readonly decisionCostsNs: Readonly<Record<string, number>>;
  /** Benchmarks that were too short to be replayed. */
  readonly tooShort: readonly string[];
}

const HOUR_NS = 3.6e12;
const SECOND_NS = 1e9;
/** FSE'20, section 5.4.2. */
const published: Readonly<Partial<Record<string, number>>> = { cv: 0.0088, rciw: 0.1092, kld: 0.0432 };

const averageOf = (values: readonly number[]): number | null => (values.length === 0 ? null : mean(values));
const spreadOf = (values: readonly number[]): number | null => (values.length < 2 ? null : standardDeviation(values));
const shareOf = <T>(items: readonly T[], holds: (item: T) => boolean): number | null =>
  items.length === 0 ? null : items.filter((item) => holds(item)).length / items.length;

/** What every benchmark gave under one rule. */
const underRule = (outcomes: readonly StoppingOutcome[], name: string): readonly RuleOutcome[] =>
  outcomes.flatMap(({ rules }) => rules.filter(({ rule }) => rule === name));

const straddlesOne = ({ low, high }: RuleOutcome): boolean => low <= 1 && high >= 1;

const qualityTable = (outcomes: readonly StoppingOutcome[], notes: readonly string[]): StudyTable => ({
  title: 'Result quality: stopped against the static configuration',
  source: "Laaber et al., FSE'20, section 5.4.1, table 2",
  columns: [
    text('criterion'),
    count('benchmarks'),
    share('A/A not different'),
    share('mean change'),
    share('sd of change'),
    share('changed < 1 %'),
    share('changed < 2 %'),
    share('changed < 3 %'),
  ],
  rows: stoppingRules.map(({ name }) => {
    const own = underRule(outcomes, name);
    const changes = own.map(({ change }) => change);
    const below = (limit: number): number | null => shareOf(changes, (change) => change < limit);
    const aa = shareOf(own, straddlesOne);
    return [name, own.length, aa, averageOf(changes), spreadOf(changes), below(0.01), below(0.02), below(0.03)];
  }),
  notes,
});

const savingsRow = (project: string, outcomes: readonly StoppingOutcome[]): (string | number | null)[] => {
  const whole = outcomes.reduce((sum, { staticTimeNs }) => sum + staticTimeNs, 0);
  const saved = stoppingRules.flatMap(({ name }) => {
    const time = underRule(outcomes, name).reduce((sum, { timeNs }) => sum + timeNs, 0);
    return [(whole - time) / HOUR_NS, whole > 0 ? 1 - time / whole : null];
  });
  return [project, outcomes.length, whole / HOUR_NS, ...saved];
};

const savingsTable = (outcomes: readonly StoppingOutcome[]): StudyTable => {
  const projects = [...new Set(outcomes.map(({ project }) => project))];
  const bounds = Object.entries(overheadBounds).map(([name, bound]) => `${name} ${100 * bound} %`);
  return {
    title: 'Time saved by project',
    source: "Laaber et al., FSE'20, section 5.4.2, table 3",
    columns: [
      text('project'),
      count('benchmarks'),
      number('static (h)'),
      ...stoppingRules.flatMap(({ name }) => [number(`${name} saved (h)`), share(`${name} saved`)]),
    ],
    rows: [
      ...projects.map((project) =>
        savingsRow(
          project,
          outcomes.filter((one) => one.project === project),
        ),
      ),
      ...(outcomes.length === 0 ? [] : [savingsRow('Total', outcomes)]),
    ],
    notes: [`deciding is counted at the most that it may cost of warm-up iterations: ${bounds.join(', ')}`],
  };
};

const placesTable = (outcomes: readonly StoppingOutcome[], { liftCaps }: StoppingFacts): StudyTable => {
  const caps = `${Math.floor(paperConfig.wiMax * liftCaps)} warm-up iterations and ${Math.floor(paperConfig.fMax * liftCaps)} forks`;
  return {
    title: 'Where it stopped, and how often it was not stable by then',
    source: "Laaber et al., FSE'20, sections 5.4.1 and 5.4.2",
    columns: [
      text('criterion'),
      number('warm-up iterations'),
      number('sd of iterations'),
      number('forks'),
      number('sd of forks'),
      share('forks not stable'),
      share('benchmarks not stable'),
    ],
    rows: stoppingRules.map(({ name }) => {
      const own = underRule(outcomes, name);
      const forks = own.flatMap((one) => one.forks);
      const warmups = forks.map(({ warmup }) => warmup);
      const numbers = own.map((one) => one.forks.length);
      const unstable = shareOf(forks, ({ stable }) => !stable);
      const open = shareOf(own, ({ stable }) => !stable);
      return [name, averageOf(warmups), spreadOf(warmups), averageOf(numbers), spreadOf(numbers), unstable, open];
    }),
    notes: [`the most allowed: ${caps}, or what the measurements hold; where it is reached, raise it with --lift-caps`],
  };
};

const costTable = ({ decisionCostsNs }: StoppingFacts): StudyTable => ({
  title: 'Cost of a decision after an iteration of 1 s with 1 000 sampled invocations',
  source: "Laaber et al., FSE'20, section 5.4.2",
  columns: [text('criterion'), number('here (ms)'), share('here'), share("FSE'20"), share('at most')],
  rows: stoppingRules.flatMap(({ name, criteria }) => {
    const cost = decisionCostsNs[name];
    if (cost === undefined) return [];
    const bound = criteria.reduce((sum, criterion: StabilityCriterion) => sum + overheadBounds[criterion], 0);
    return [[name, cost / 1e6, cost / SECOND_NS, published[name] ?? null, bound]];
  }),
  notes: ['measured while this was made: the only figures here that differ from run to run'],
});

const benchmarkTable = (outcomes: readonly StoppingOutcome[]): StudyTable => ({
  title: 'Every benchmark',
  source: 'the figures behind the tables above',
  columns: [
    text('project'),
    text('benchmark'),
    text('criterion'),
    count('forks'),
    text('warm-up iterations of each'),
    count('forks not stable'),
    text('stable'),
    ratio('at least'),
    ratio('at most'),
    share('change'),
    share('saved'),
  ],
  rows: outcomes.flatMap(({ project, label, staticTimeNs, rules }) =>
    rules.map(({ rule, forks, stable, low, high, change, timeNs }) => [
      project,
      label,
      rule,
      forks.length,
      forks.map(({ warmup }) => warmup).join(' '),
      forks.filter((fork) => !fork.stable).length,
      stable ? 'yes' : 'no',
      Number.isFinite(high) ? low : null,
      Number.isFinite(high) ? high : null,
      change,
      staticTimeNs > 0 ? 1 - timeNs / staticTimeNs : null,
    ]),
  ),
  notes: ['at least, at most: 99 % interval of the ratio of means, stopped over static'],
});

/**
 * Dynamic reconfiguration on recorded data: how often it changes the result, what it saves, where it stops and what deciding costs.
 *
 * @param outcomes of `stoppingOutcome`, in the order in which benchmarks are to be listed.
 * Source: Laaber et al., FSE'20, section 5.
 */
export const stoppingStudy = (outcomes: readonly StoppingOutcome[], facts: StoppingFacts): Study => {
  const reading = facts.like === 'paper' ? 'the text of the paper' : "the authors' extension of JMH (jmh-reconfigure)";
  const notes = [
    `criteria as in ${reading}; all, any: the three together`,
    'static: iterations 51 to 100 of the first five forks, or the second half of what there is',
    ...(facts.tooShort.length === 0
      ? []
      : [
          `fewer than two runs of four iterations, or no time measured: ${facts.tooShort.join(', ')}; ` +
            'record more and longer runs (--runs, --iterations)',
        ]),
  ];
  return {
    kind: 'stopping',
    tables: [
      qualityTable(outcomes, notes),
      savingsTable(outcomes),
      placesTable(outcomes, facts),
      costTable(facts),
      benchmarkTable(outcomes),
    ],
  };
};
