import { languages, workloadNames, workloads, type Language, type WorkloadName } from '@deadheat/workloads';
import type { Command } from 'commander';
import { nearestWord, parseChoice, parseCount, parseDuration, parseShare, UsageError } from 'deadheat/settings';
import { runWorkload } from './workload.ts';
import type { Subcommand, SubcommandContext } from '../subcommand.ts';
import { buildLoad } from './build-load.ts';
import { listWorkloads } from './list-workloads.ts';

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
export const workloadSubcommand: Subcommand = (context) => {
  const known = [...workloadNames, 'load', 'list'];
  const workload = context
    .create('workload')
    .summary('artificial workloads of a known amount of work, and a load')
    .description(
      'Artificial workloads of a known amount of work, to try the tool on known answers, and a competing load.',
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
  const list = context.create('list').summary('what there is, and what one step of it is');
  workload.addCommand(list.description('Lists the workloads.').action(() => context.choose(listWorkloads)));
  return workload.addHelpText(
    'after',
    `
Examples:
  deadheat 'deadheat workload integer' 'deadheat workload integer --slower 3%'
      is a slowdown of 3 % seen here?
  deadheat workload load --mode bursts --cores all &
      something that competes, while other things are measured`,
  );
};

function buildOne(workload: WorkloadName, { create, choose }: SubcommandContext): Command {
  const { step, uses } = workloads[workload];
  return create(workload)
    .summary(`${step} (${uses})`)
    .description(
      `Does a known amount of work; a step: ${step}. Alone it prints the times of its iterations, started by deadheat it ` +
        'takes part in the comparison.',
    )
    .optionsGroup('How much:')
    .option(
      '--duration <TIME>',
      'calibrate an iteration for this time, once for this machine (default: 50ms)',
      parseDuration('--duration'),
    )
    .option('--amount <N>', 'units of 100 steps an iteration, instead', parseCount('--amount', 1))
    .option(
      '--slower <SHARE>',
      'that much more work than the other options say: 3%',
      parseShare('--slower', { zero: 'allowed', example: '3%' }),
    )
    .option(
      '--iterations <N>',
      'iterations, unless deadheat says how many (default: 20)',
      parseCount('--iterations', 1),
    )
    .optionsGroup('How:')
    .option(
      '--language <LANGUAGE>',
      'js or c, which needs a compiler the first time (default: js)',
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
