import { workloadFacts, methodFacts, type Method, type Settings, sides, stopRuleOf } from '@deadheat/model';
import type { FullPlan } from 'deadheat/internals';
import { countOf, formatShare, formatStretch, printable, createColors, warningLines, wrapText } from '@deadheat/report';

type PlanEntry = FullPlan['entries'][number];
type PlannedRun = FullPlan['rounds'][number][number];
type ExpectedTime = PlanEntry['expected'];

const width = 80;

/** A plan as text: what is executed by which methods, how often, in which order, and for how long. */
export function renderPlan(plan: FullPlan): string {
  const { name, seed, seedIsDrawn, schedule, cpus, entries, rounds, artifacts } = plan;
  const lines = [
    `Plan of ${name}: ${countOf(entries.length, 'measurement')}, nothing is run`,
    `Seed ${printable(seed)}, schedule ${schedule}, cores ${cpus.join(' and ')}`,
    ...(seedIsDrawn ? [`Every start draws another seed; --seed ${printable(seed)} keeps this one.`] : []),
    ...Object.entries(artifacts).map(([artifact, command]) => `Artifact ${artifact}: ${printable(command)}`),
    ...entries.flatMap((entry) => ['', ...entryLines(entry)]),
    '',
    'First runs, as number of the measurement and side started first:',
    ...rounds.map((round, index) => `  round ${index + 1}: ${round.map(runText).join(', ')}`),
    '',
    `Expected duration: ${totalText(plan)}`,
    ...(plan.warnings.length === 0 ? [] : ['']),
    ...warningLines(plan.warnings, { width, colors: createColors({ color: false }) }),
  ];
  return `${lines.join('\n')}\n`;
}

function entryLines({
  entry,
  benchmark,
  params,
  method,
  chosenBy,
  workload,
  settings,
  sides: both,
  expected,
}: PlanEntry): string[] {
  const parameters = Object.entries(params).map(([name, value]) => ` ${name}=${value}`);
  return [
    `${entry}. ${printable(`${benchmark}${parameters.join('')}`)}  ${methodText(method, { entry, chosenBy })}${workloadFacts[workload].timesItself ? `, ${workload}` : ''}`,
    ...wrapText(amount(settings, method), width - 3).map((line) => `   ${line}`),
    ...sides.flatMap((side) => {
      const { commandLine, argv, workingDirectory, scratch, environment, hooks } = both[side];
      return [
        `   ${side}  ${printable(commandLine)}`,
        `      executes ${printable(argv.join(' '))}`,
        ...(workingDirectory === null ? [] : [`      in ${printable(workingDirectory)}`]),
        ...(scratch === null ? [] : [`      in a copy of ${printable(scratch)}`]),
        ...Object.entries(environment).map(([name, value]) => `      with ${name}=${printable(value)}`),
        ...Object.entries(hooks).map(([name, command]) => `      ${name}: ${printable(command)}`),
      ];
    }),
    `   expected: ${expectedText(expected, settings)}`,
  ];
}

function methodText(method: Method, { entry, chosenBy }: Pick<PlanEntry, 'entry' | 'chosenBy'>): string {
  if (chosenBy === null) return method;
  return chosenBy === entry ? `auto, ${method} unless pilot runs choose another` : `auto, as chosen for ${chosenBy}`;
}

function amount(settings: PlanEntry['settings'], method: Method): string {
  const { stop, warmupRuns, warmup, stable, maxTimeNs } = settings;
  const each = stable !== null ? countOf(stable.measured, 'measured iteration') : lengthText(settings);
  const until = stopRuleOf(stop).until({ stretch: formatStretch, share: formatShare });
  const parts = [
    `${runsText(stop)} of ${each}`,
    ...(until === null ? [] : [until]),
    ...(stable === null ? [] : [warmupText(stable)]),
    ...(stable === null && warmup.kind === 'fixed' ? [`the first ${warmup.iterations} warm-up`] : []),
    ...(stable === null && warmup.kind === 'first-half' ? ['the first half warm-up'] : []),
    ...(stable === null && warmup.kind === 'time' ? [`the first ${formatStretch(warmup.timeNs)} warm-up`] : []),
    ...(warmupRuns === 0 ? [] : [`after ${countOf(warmupRuns, 'warm-up run')}`]),
    ...(maxTimeNs === null ? [] : [`no run begun after ${formatStretch(maxTimeNs)}`]),
    ...(methodFacts[method].together ? [] : [methodFacts[method].meaning]),
  ];
  return parts.join(', ');
}

function lengthText({ iterations, lengthNs = null }: PlanEntry['settings']): string {
  const time = lengthNs === null ? null : formatStretch(lengthNs);
  if (iterations === null) return time === null ? 'as many iterations as the program does' : time;
  return `${countOf(iterations, 'iteration')}${time === null ? '' : `, at most ${time}`}`;
}

function runsText(stop: Settings['stop']): string {
  const { fixedRuns, minRuns, mostRuns } = stopRuleOf(stop);
  if (fixedRuns !== null) return countOf(fixedRuns, 'run');
  return mostRuns === Infinity ? `at least ${countOf(minRuns, 'run')}` : `${minRuns} to ${mostRuns} runs`;
}

function warmupText({ criteria, combine, leastWarmup, mostWarmup, liftCaps }: NonNullable<Settings['stable']>): string {
  const by = criteria.join(combine === 'all' ? ' and ' : ' or ');
  const lifted = liftCaps === 1 ? '' : ` (limits times ${liftCaps})`;
  return `after ${leastWarmup} to ${mostWarmup} of warm-up, until it is stable by ${by}${lifted}`;
}

function runText({ entry, order, phase }: PlannedRun): string {
  return `${entry} ${order}${phase === 'measure' ? '' : phase === 'warmup' ? ' (warm-up)' : ' (pilot)'}`;
}

function expectedText(expected: ExpectedTime, { maxTimeNs }: PlanEntry['settings']): string {
  if (expected.runNs === null) return 'unknown until the first run';
  const limit = expected.mostNs === null && maxTimeNs === null ? ', without a limit' : '';
  return `${rangeText(expected)}${limit}; a run took ${formatRun(expected.runNs)} in ${expected.recording}`;
}

function totalText({ expected, entries, experimentTimeoutNs }: FullPlan): string {
  const unknown = entries.filter(({ expected: { runNs } }) => runNs === null).length;
  const limit = experimentTimeoutNs === null ? '' : `; ended after ${formatStretch(experimentTimeoutNs)} at the latest`;
  if (unknown === entries.length) return `unknown until the first run${limit}`;
  if (unknown > 0) return `unknown for ${countOf(unknown, 'measurement')} until the first run${limit}`;
  return `${rangeText(expected)}${limit}`;
}

function rangeText({ leastNs, mostNs }: Pick<ExpectedTime, 'leastNs' | 'mostNs'>): string {
  if (leastNs === null) return 'unknown';
  const [least, most] = [formatStretch(leastNs), mostNs === null ? null : formatStretch(mostNs)];
  if (most === null) return `at least ${least}`;
  return least === most ? `about ${least}` : `${least} to ${most}`;
}

function formatRun(ns: number): string {
  return ns < 1e9 ? `${(ns / 1e6).toFixed(1)} ms` : formatStretch(ns);
}
