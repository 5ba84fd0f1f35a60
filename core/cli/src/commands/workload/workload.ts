import { nearestWord } from '@deadheat/model';
import { chooseTimeUnit, countOf, formatTime, type TimeUnit, alignCells } from '@deadheat/report';
import {
  agreeOnAmount,
  type Language,
  languages,
  type LoneRun,
  maximumAmount,
  runAlone,
  stepsPerUnit,
  takePart,
  type WorkloadName,
  workloadNames,
  type WorkloadOrder,
  workloads,
} from '@deadheat/workloads';
import type { Command } from 'commander';
import { parseChoice, parseCount, parseDuration, parseShare, UsageError } from 'deadheat/settings';
import type { Terminal } from '../../terminal/terminal.ts';
import type { SubcommandContext } from '../subcommand.ts';
import { buildLoad } from './load.ts';

interface RawWorkloadOptions {
  readonly language?: Language;
  readonly duration?: number;
  readonly iterations?: number;
  readonly amount?: number;
  readonly slower?: number;
}

const defaultDurationNs = 50e6;
const defaultIterations = 20;

/** `deadheat workload`: the artificial workloads and the load, as programs. */
export function buildSubcommand(context: SubcommandContext): Command {
  const known = [...workloadNames, 'load', 'list'];
  const workload = context
    .create('workload')
    .description(
      'Runs artificial workloads with a known amount of work, with which you can test deadheat on differences that you know; and a load that competes with other programs.',
    )
    .usage(
      `${workloadNames.join('|')} [options]\n       deadheat workload load [options]\n       deadheat workload list`,
    )
    .enablePositionalOptions()
    .helpCommand(false)
    .argument('<name>')
    .action((name: string) => {
      const nearest = nearestWord(name.toLowerCase(), known);
      throw new UsageError('BAD_VALUE', `there is no workload '${name}'`, {
        hint: nearest === null ? `There are ${known.join(', ')}.` : `Did you mean ${nearest}?`,
      });
    });
  for (const name of workloadNames) workload.addCommand(buildOne(name, context));
  workload.addCommand(buildLoad(context));
  const list = context.create('list').summary('list the workloads, and what one step of each does');
  workload.addCommand(list.description('Lists the workloads.').action(() => context.choose(listWorkloads)));
  return workload.addHelpText(
    'after',
    `
Examples:
  deadheat 'deadheat workload integer' 'deadheat workload integer --slower 3%'
      does deadheat find a slowdown of 3 % on this machine?
  deadheat workload load --mode bursts --cores all &
      disturb the measurements that are made at the same time
`,
  );
}

function buildOne(workload: WorkloadName, { create, choose }: SubcommandContext): Command {
  const { step, uses } = workloads[workload];
  return create(workload)
    .summary(`${step} (${uses})`)
    .description(
      `Does a known amount of work. One step is: ${step}. Started alone, it prints the times of its iterations; started by deadheat, it takes part in the comparison.`,
    )
    .optionsGroup('Amount of work:')
    .option(
      '--duration <TIME>',
      'duration of an iteration; the amount of work is calibrated for it once on this machine (default: 50ms)',
      parseDuration('--duration'),
    )
    .option(
      '--amount <N>',
      'amount of work in an iteration, in units of 100 steps, instead of --duration',
      parseCount('--amount', 1),
    )
    .option(
      '--slower <SHARE>',
      'do this much more work than the other options ask for: 3%',
      parseShare('--slower', { zero: 'allowed', example: '3%' }),
    )
    .option(
      '--iterations <N>',
      'number of iterations, when deadheat does not set it (default: 20)',
      parseCount('--iterations', 1),
    )
    .optionsGroup('How to run:')
    .option(
      '--language <LANGUAGE>',
      'language of the workload: js, or c, which needs a C compiler at the first use (default: js)',
      parseChoice('--language', languages),
    )
    .action((raw: RawWorkloadOptions) => {
      const { language = 'js', duration, amount, slower = 0, iterations = defaultIterations } = raw;
      if (amount !== undefined && duration !== undefined) {
        throw new UsageError('CONFLICT', '--amount and --duration both say how much work an iteration is', {
          hint: 'Give one of them.',
        });
      }
      const size =
        amount === undefined
          ? ({ kind: 'duration', durationNs: duration ?? defaultDurationNs } as const)
          : ({ kind: 'amount', amount } as const);
      choose((terminal) => runWorkload({ workload, language, size, slower, iterations }, terminal));
    });
}

/** Writes what workloads there are. */
async function listWorkloads({ stdout }: Pick<Terminal, 'stdout'>): Promise<number> {
  const rows = workloadNames.map((name) => [name, workloads[name].uses, `a step: ${workloads[name].step}`]);
  rows.push(['load', 'cores', 'not measured: competes with what is']);
  for (const line of alignCells(rows))
    stdout.write(`${line}
`);
  return 0;
}

/** A workload as it was asked for. */
interface WorkloadInvocation {
  readonly workload: WorkloadName;
  readonly language: Language;
  /** How much an iteration does before `slower` is added. */
  readonly size:
    { readonly kind: 'amount'; readonly amount: number } | { readonly kind: 'duration'; readonly durationNs: number };
  /** Work added, as a fraction. */
  readonly slower: number;
  readonly iterations: number;
}

/** Variables of which one at least is there when deadheat started this process. */
const signs = ['DEADHEAT_SIDE', 'DEADHEAT_PAGE', 'DEADHEAT_RECORD'];

/** `deadheat workload NAME`: takes part in a comparison, or alone writes the times of its iterations. */
async function runWorkload(invocation: WorkloadInvocation, { stdout, env }: Terminal): Promise<number> {
  const { workload, language, size, slower, iterations } = invocation;
  const base =
    size.kind === 'amount' ? size.amount : agreeOnAmount({ workload, language, durationNs: size.durationNs });
  const amount = Math.round(base * (1 + slower));
  if (amount > maximumAmount) {
    throw new UsageError('BAD_VALUE', `an iteration of ${amount} units is more than ${maximumAmount}`, {
      hint: 'Do less in one iteration, and more iterations.',
    });
  }
  const order = { workload, amount, iterations };
  if (signs.some((name) => (env[name] ?? '') !== '')) return takePart(order, language);
  stdout.write(workloadTable(runAlone(order, language), { ...order, language }));
  return 0;
}

/** The iterations of a workload that ran alone: what it did, a row an iteration, the extremes and the median. */
export function workloadTable(
  { iterations, result }: LoneRun,
  { workload, language, amount }: WorkloadOrder & { readonly language: Language },
): string {
  const walls = iterations.map(({ startNs, endNs }) => (endNs - startNs) / 1e9);
  const cpus = iterations.map(({ cpuNs }) => (cpuNs === null ? null : cpuNs / 1e9));
  const unit = chooseTimeUnit(medianOf(walls));
  const rows = walls.map((wall, index) => [String(index + 1), formatTime(wall, unit), formatOr(cpus[index], unit)]);
  const known = cpus.filter((cpu) => cpu !== null);
  const overall = (name: string, of: (values: readonly number[]) => number): string[] => [
    name,
    formatTime(of(walls), unit),
    known.length === 0 ? 'unknown' : formatTime(of(known), unit),
  ];
  const table = [
    ['iteration', 'time', 'CPU time'],
    ...rows,
    overall('min', (values) => Math.min(...values)),
    overall('median', medianOf),
    overall('max', (values) => Math.max(...values)),
  ];
  const lines = alignCells(table, () => true);
  const steps = countOf(amount * stepsPerUnit, 'step');
  return [
    `${workload} (${language}): --amount ${amount} = ${steps} an iteration`,
    `a step: ${workloads[workload].step}; result ${result}`,
    '',
    ...lines,
    '',
  ].join('\n');
}

function formatOr(seconds: number | null | undefined, unit: TimeUnit): string {
  return seconds === null || seconds === undefined ? 'unknown' : formatTime(seconds, unit);
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
