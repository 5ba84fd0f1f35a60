import { mean, standardDeviation } from '@deadheat/stats';
import { paperConfig, count, number, ratio, share, text, type StudyTable } from '@deadheat/analysis';
import { type IterationLengths, iterationLengthTable } from './iteration-length.ts';
import { benchmarkTime, jmhDefaults, suiteTimeNs, timesAgainstDefault } from './suite-time.ts';
import {
  overheadBounds,
  stoppingRules,
  type RuleOutcome,
  type StoppingOutcome,
  type StoppingStudyOptions,
} from './stopping-outcome.ts';
import { type Study } from './study.ts';

/** What is known besides the outcomes. */
export interface StoppingFacts extends Pick<StoppingStudyOptions, 'like' | 'liftCaps'> {
  /** Measured cost of a decision by rule, ns. */
  readonly decisionCostsNs: Readonly<Record<string, number>>;
  /** Benchmarks that were too short to be replayed. */
  readonly tooShort: readonly string[];
  /** Those of the same benchmarks; absent = not asked for. */
  readonly lengths?: readonly (IterationLengths | null)[];
}

const hourNs = 3.6e12;
const secondNs = 1e9;
/** FSE'20, section 5.4.2. */
const published: Readonly<Partial<Record<string, number>>> = { cv: 0.0088, rciw: 0.1092, kld: 0.0432 };

function averageOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : mean(values);
}
function spreadOf(values: readonly number[]): number | null {
  return values.length < 2 ? null : standardDeviation(values);
}
function shareOf<T>(items: readonly T[], holds: (item: T) => boolean): number | null {
  return items.length === 0 ? null : items.filter((item) => holds(item)).length / items.length;
}

/**
 * What a rule would have taken, ns: what was recorded, and for each warm-up iteration what a decision costs as it was measured; where it was
 * not, the most that it should cost.
 */
function chargedNs({ rule, timeNs, warmupNs, forks }: RuleOutcome, { decisionCostsNs }: StoppingFacts): number {
  const costNs = decisionCostsNs[rule];
  if (costNs !== undefined) return timeNs + costNs * forks.reduce((sum, { warmup }) => sum + warmup, 0);
  return timeNs + warmupNs * boundOf(rule);
}

function boundOf(rule: string): number {
  const criteria = stoppingRules.find(({ name }) => name === rule)?.criteria ?? [];
  return criteria.reduce((sum, criterion) => sum + overheadBounds[criterion], 0);
}

/** What every benchmark gave under one rule. */
function underRule(outcomes: readonly StoppingOutcome[], name: string): readonly RuleOutcome[] {
  return outcomes.flatMap(({ rules }) => rules.filter(({ rule }) => rule === name));
}

function qualityTable(outcomes: readonly StoppingOutcome[], notes: readonly string[]): StudyTable {
  return {
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
      const aa = shareOf(own, ({ low, high }) => low <= 1 && high >= 1);
      return [name, own.length, aa, averageOf(changes), spreadOf(changes), below(0.01), below(0.02), below(0.03)];
    }),
    notes,
  };
}

function savingsRow(
  project: string,
  outcomes: readonly StoppingOutcome[],
  facts: StoppingFacts,
): (string | number | null)[] {
  const whole = outcomes.reduce((sum, { staticTimeNs }) => sum + staticTimeNs, 0);
  const saved = stoppingRules.flatMap(({ name }) => {
    const time = underRule(outcomes, name).reduce((sum, rule) => sum + chargedNs(rule, facts), 0);
    return [(whole - time) / hourNs, whole > 0 ? 1 - time / whole : null];
  });
  return [project, outcomes.length, whole / hourNs, ...saved];
}

/** A row for each project, and one for all of them. */
function byProject<Row>(
  outcomes: readonly StoppingOutcome[],
  row: (project: string, outcomes: readonly StoppingOutcome[]) => Row,
): readonly Row[] {
  const projects = [...new Set(outcomes.map(({ project }) => project))];
  const own = projects.map((project) =>
    row(
      project,
      outcomes.filter((one) => one.project === project),
    ),
  );
  return outcomes.length === 0 ? [] : [...own, row('Total', outcomes)];
}

function savingsTable(outcomes: readonly StoppingOutcome[], facts: StoppingFacts): StudyTable {
  return {
    title: 'Time saved by project',
    source: "Laaber et al., FSE'20, section 5.4.2, table 3",
    columns: [
      text('project'),
      count('benchmarks'),
      number('static (h)'),
      ...stoppingRules.flatMap(({ name }) => [number(`${name} saved (h)`), share(`${name} saved`)]),
    ],
    rows: byProject(outcomes, (project, own) => savingsRow(project, own, facts)),
    notes: [
      'forks with their starts and warm-up as they were recorded, where that is known, and for each warm-up iteration a decision as it was ' +
        'measured here (below)',
    ],
  };
}

/** The suite as it was recorded beside what JMH would make of it. */
function suiteTable(outcomes: readonly StoppingOutcome[]): StudyTable {
  const [before, later] = [jmhDefaults['1.20 and before'], jmhDefaults['1.21 and later']].map(
    (dimensions) => benchmarkTime(dimensions).totalNs,
  ) as [number, number];
  return {
    title: 'Time of the suite as recorded, and by the defaults of JMH',
    source: "Laaber et al., FSE'20, sections 2 and 3.3, figure 2, table 1",
    columns: [
      text('project'),
      count('benchmarks'),
      number('recorded (h)'),
      number('JMH 1.20 (h)'),
      number('JMH 1.21 (h)'),
      share('shorter than JMH 1.21'),
      share('5 times'),
      share('10 times'),
      share('longer'),
    ],
    rows: byProject(outcomes, (project, own) => {
      const times = own.map(({ recordedTimeNs }) => recordedTimeNs);
      const { decreased, fivefold, tenfold, increased } = timesAgainstDefault(times, later);
      const suites = [times, times.map(() => before), times.map(() => later)].map(
        (all) => suiteTimeNs(all.map((timeNs) => ({ timeNs, combinations: 1 }))) / hourNs,
      );
      return [project, own.length, ...suites, decreased, fivefold, tenfold, increased];
    }),
    notes: [
      'benchmarks: parameter combinations, each side by itself; JMH makes 10 forks of 20 + 20 iterations of 1 s, from 1.21 on 5 of 5 + 5 of 10 s',
    ],
  };
}

function placesTable(outcomes: readonly StoppingOutcome[], { liftCaps }: StoppingFacts): StudyTable {
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
}

function costTable({ decisionCostsNs }: StoppingFacts): StudyTable {
  return {
    title: 'Cost of a decision after an iteration of 1 s with 1 000 sampled invocations',
    source: "Laaber et al., FSE'20, section 5.4.2",
    columns: [text('criterion'), number('here (ms)'), share('here'), share("FSE'20"), share('at most')],
    rows: stoppingRules.flatMap(({ name }) => {
      const cost = decisionCostsNs[name];
      return cost === undefined ? [] : [[name, cost / 1e6, cost / secondNs, published[name] ?? null, boundOf(name)]];
    }),
    notes: ['measured while this was made: with the times saved the only figures here that differ from run to run'],
  };
}

function benchmarkTable(outcomes: readonly StoppingOutcome[]): StudyTable {
  return {
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
    notes: [
      'at least, at most: 99 % interval of the ratio of means, stopped over static; saved: without what deciding costs',
    ],
  };
}

/**
 * Dynamic reconfiguration on recorded data: how often it changes the result, what it saves, where it stops and what deciding costs.
 *
 * @param outcomes of `stoppingOutcome`, in the order in which benchmarks are to be listed.
 * Source: Laaber et al., FSE'20, section 5.
 */
export function stoppingStudy(outcomes: readonly StoppingOutcome[], facts: StoppingFacts): Study {
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
      savingsTable(outcomes, facts),
      placesTable(outcomes, facts),
      costTable(facts),
      benchmarkTable(outcomes),
      suiteTable(outcomes),
      ...iterationLengthTable(facts.lengths ?? []),
    ],
  };
}
