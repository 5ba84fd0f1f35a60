import {
  choice,
  type Command,
  count,
  defineCommand,
  type Family,
  group,
  option,
  parseDuration,
  share,
  type Terminal,
  UsageError,
} from '@deadheat/cli/kit';
import { chooseTimeUnit, countOf, formatTime, alignCells } from '@deadheat/report';
import {
  agreeOnAmount,
  type Language,
  languages,
  maximumAmount,
  runAlone,
  stepsPerUnit,
  takePart,
  type WorkloadName,
  workloadNames,
  type WorkloadOrder,
  workloads,
} from '@deadheat/workloads';
import { load } from './load.ts';

const usualDurationNs = 50e6;

/** `deadheat lab workload`: the artificial workloads and the load, as programs. */
export const workload: Family = {
  description:
    'Runs artificial workloads with a known amount of work, with which you can test deadheat on differences that you know; and a load that competes with other programs.',
  subcommands: [
    ...workloadNames.map((name) => ({
      name,
      summary: `${workloads[name].step} (${workloads[name].uses})`,
      load: async () => workloadOf(name),
    })),
    {
      name: 'load',
      summary: 'a load that competes with other programs, on all cores or on some',
      load: async () => load,
    },
    {
      name: 'list',
      summary: 'list the workloads, and what one step of each does',
      load: async () =>
        defineCommand({
          description: 'Lists the workloads.',
          act: (_values, _args, terminal) => listWorkloads(terminal),
        }),
    },
  ],
  examples: `
Examples:
  deadheat 'deadheat lab workload integer' 'deadheat lab workload integer --slower 3%'
      does deadheat find a slowdown of 3 % on this machine?
  deadheat lab workload load --mode bursts --cores all &
      disturb the measurements that are made at the same time`,
};

function workloadOf(name: WorkloadName): Command {
  return defineCommand({
    description: `Does a known amount of work. One step is: ${workloads[name].step}. Started alone, it prints the times of its iterations; started by deadheat, it takes part in the comparison.`,
    options: {
      ...group('Amount of work:', {
        duration: option('--duration <TIME>', {
          help: 'duration of an iteration; the amount of work is calibrated for it once on this machine',
          parse: parseDuration,
          fallback: '50ms',
        }),
        amount: option('--amount <N>', {
          help: 'amount of work in an iteration, in units of 100 steps',
          parse: count(1),
          without: ['duration'],
          why: 'both set the work of an iteration',
        }),
        slower: option('--slower <SHARE>', {
          help: 'do this much more work than the other options ask for: 3%',
          parse: share({ zero: 'allowed', example: '3%' }),
        }),
        iterations: option('--iterations <N>', {
          help: 'number of iterations, when deadheat does not set it',
          parse: count(1),
          default: 20,
        }),
      }),
      ...group('How to run:', {
        language: option('--language <LANGUAGE>', {
          help: 'language of the workload: js, or c, which needs a C compiler at the first use',
          parse: choice(languages),
          default: 'js',
        }),
      }),
    },
    act: ({ duration, amount, slower, iterations, language }, _args, terminal) => {
      const size =
        amount === null
          ? ({ kind: 'duration', durationNs: duration ?? usualDurationNs } as const)
          : ({ kind: 'amount', amount } as const);
      return runWorkload({ workload: name, language, size, slower: slower ?? 0, iterations }, terminal);
    },
  });
}

/** Writes the names of the workloads, and the step of each. */
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
  /** Work of an iteration before `slower` is added. */
  readonly size:
    { readonly kind: 'amount'; readonly amount: number } | { readonly kind: 'duration'; readonly durationNs: number };
  /** Work added, as a fraction. */
  readonly slower: number;
  readonly iterations: number;
}

/** Variables of which one at least is there when deadheat started this process. */
const signs = ['DEADHEAT_SIDE', 'DEADHEAT_PAGE', 'DEADHEAT_RECORD'];

/** Takes part in a comparison, or alone writes the times of its iterations. */
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
  { iterations, result }: ReturnType<typeof runAlone>,
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

function formatOr(seconds: number | null | undefined, unit: ReturnType<typeof chooseTimeUnit>): string {
  return seconds === null || seconds === undefined ? 'unknown' : formatTime(seconds, unit);
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
