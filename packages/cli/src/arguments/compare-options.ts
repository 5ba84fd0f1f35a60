import {
  askedMethodSchema,
  paperSchema,
  stabilityCriterionSchema,
  stableRuleSchema,
  swapSchema,
} from '@deadheat/model';
import type { Command } from 'commander';
import {
  parseChoice,
  parseChoices,
  parseCount,
  parseCpus,
  parseDuration,
  parseLanes,
  parseShare,
  parseText,
} from 'deadheat/settings';
import { addJudgingOptions } from './judging-options.ts';
import { addExitOptions, addOutputOptions } from './output-options.ts';
import { parseParameterList } from './parameter-list.ts';
import { parseParameterScan, parseStepSize } from './parameter-scan.ts';
import { readLift } from './values/parse-lift.ts';

/** Adds every option of the comparison, grouped by what a person wants to change. */
export function addCompareOptions(command: Command): void {
  addSubjectOptions(command.optionsGroup('What to compare:'));
  addAmountOptions(command.optionsGroup('How much:'));
  addExecutionOptions(command.optionsGroup('How to run:'));
  addJudgingOptions(command.optionsGroup('Judging:'), {
    confidence: '0.99; 0.95 for --method async-duet and sequential',
    margin: '0',
    interval: 'expanded; bca for --method async-duet and sequential',
  });
  addExitOptions(command);
  command.option('--control', 'also measure A against itself, beside each comparison; exit 5 when that differs');
  addOutputOptions(command.optionsGroup('Output:'));
  command.option(
    '--output <DIR>',
    'folder of the recording (default: a new one in .deadheat)',
    text('--output', 'a folder'),
  );
}

function addSubjectOptions(command: Command): void {
  command
    .option(
      '-n, --command-name <NAME>',
      "name in reports; twice: A's, then B's",
      collect(text('--command-name', 'a name')),
    )
    .option(
      '-P, --parameter-scan <VAR> <MIN> <MAX>',
      'one comparison for each number from MIN to MAX; {VAR} stands for it in commands, names and hooks',
      collect(parseParameterScan),
    )
    .option('-D, --parameter-step-size <DELTA>', 'step of the scan (default: 1)', collect(parseStepSize))
    .option(
      '-L, --parameter-list <VAR> <A,B,C>',
      'one comparison for each value; with more lists and scans, for each combination',
      collect(parseParameterList),
    )
    .option(
      '--input <FILE>',
      'standard input of both commands (default: /dev/null)',
      text('--input', 'the name of a file'),
    )
    .option(
      '--harness',
      'the commands time their own iterations: bench files of @deadheat/harness, or any program of the workload protocol',
    )
    .option(
      '--resume <RECORDING>',
      'finish an experiment that was cut short; takes no commands',
      text('--resume', 'the folder of a recording'),
    );
}

function addAmountOptions(command: Command): void {
  command
    .option('-r, --runs <N>', 'exactly N runs; a run is one execution of each side', parseCount('--runs', 1))
    .option('-m, --min-runs <N>', 'at least N runs (default: 20, and 5 s)', parseCount('--min-runs', 1))
    .option('-M, --max-runs <N>', 'at most N runs', parseCount('--max-runs', 1))
    .option('-w, --warmup <N>', 'runs before the measured ones (default: 0)', parseCount('--warmup', 0))
    .option(
      '--until <WHAT>',
      'decided: go on until the verdict is safe, however often it was looked at, or cannot be within --max-time or --max-runs',
      parseChoice('--until', ['decided']),
    )
    .option(
      '--precision <SHARE>',
      'go on until the interval, one that holds at every look, reaches no further than this to each side: 0.5%',
      parseShare('--precision', { zero: 'refused', example: '0.5%' }),
    )
    .option(
      '--max-time <TIME>',
      'begin no further run of a comparison after this, once there are 5 (default: 60s; none with --runs, and with --stable alone)',
      parseDuration('--max-time'),
    )
    .option('--quick', 'the same as --until decided --confidence 95% --margin 2% --max-time 20s')
    .option('--rigorous', 'the same as --precision 0.5% --confidence 99% --margin 0 --max-time 10m')
    .option(
      '--iterations <N>',
      'executions of each side in a run of async-duet (default: 10); with --harness iterations of each benchmark (default: 40)',
      parseCount('--iterations', 1),
    )
    .option(
      '--warmup-iterations <N>',
      'with --harness: first iterations of a run that are not judged (default: half of them)',
      parseCount('--warmup-iterations', 0),
    )
    .option(
      '--stable <CRITERIA>',
      'with --harness: end the warm-up of a run, and then the runs, when they are stable by cv, rciw or kld, or several: cv,kld',
      parseChoices('--stable', stabilityCriterionSchema.options),
    )
    .option(
      '--combine <HOW>',
      'with --stable: all criteria must agree (default), or any may decide',
      parseChoice('--combine', stableRuleSchema.shape.combine.options),
    )
    .option('--lift-caps <N>', 'with --stable: allow N times as much while nothing is stable (default: 1)', readLift)
    .option(
      '--like <WHAT>',
      "the procedure of a paper: icpe20 (Bulej et al.: sync-duet, percentile interval) or thesis (Drozdik: async-duet, BCa); with --stable: paper = the criteria as printed (default), jmh-reconfigure = as in the authors' code",
      parseChoice('--like', [...paperSchema.options, ...stableRuleSchema.shape.like.options]),
    );
}

function addExecutionOptions(command: Command): void {
  const hook = (flag: string): ((value: string) => string) => text(flag, 'a command');
  command
    .option(
      '--method <METHOD>',
      'auto (default: pilot runs choose), tandem, sync-duet, async-duet or sequential',
      parseChoice('--method', askedMethodSchema.options),
    )
    .option(
      '--swap <WHEN>',
      'the sides of a duet trade cores at every pair (default), at random each run, or never: pair, run, never',
      parseChoice('--swap', swapSchema.options),
    )
    .option(
      '--lanes <N>',
      'tandems at once, each on a core of its own; all takes every core (default: cores less one, at least 1)',
      parseLanes('--lanes'),
    )
    .option('--unpaired', 'judge sequential runs as two independent samples (RMIT) instead of as pairs')
    .option(
      '--cpus <LIST>',
      "cores of tandems, such as 0,1,2; in a duet A's, then B's (default: chosen)",
      parseCpus('--cpus'),
    )
    .option('--seed <TEXT>', 'everything random comes from it (default: a new one, shown)', text('--seed', 'a text'))
    .option('--timeout <TIME>', 'longest time of one execution: 10s (default: no limit)', parseDuration('--timeout'))
    .option('--run-timeout <TIME>', 'longest time of one run: 60s (default: no limit)', parseDuration('--run-timeout'))
    .option(
      '--fill',
      'with --harness, in a sync-duet (the method that it means): the side that is done first works on, unmeasured, until the other is done',
    )
    .option(
      '--trade-every <N>',
      'with --harness: the sides trade cores after every N iterations of a run, too',
      parseCount('--trade-every', 1),
    )
    .option('-s, --setup <CMD>', 'once for each side, before the first run', hook('--setup'))
    .option('-p, --prepare <CMD>', "before every run; twice: A's, then B's", collect(hook('--prepare')))
    .option('-C, --conclude <CMD>', "after every run; twice: A's, then B's", collect(hook('--conclude')))
    .option('-c, --cleanup <CMD>', 'once for each side, after the last run', hook('--cleanup'))
    .option(
      '-S, --shell <SHELL>',
      'default (/bin/sh, only for commands with shell syntax), none, or a shell for all commands',
      text('--shell', 'default, none or the command line of a shell'),
    )
    .option('-N', 'no shell: the same as --shell=none')
    .option('-i, --ignore-failure', 'a command may end with another status than 0')
    .option('--show-output', 'let the commands write to the terminal');
}

function text(flag: string, meaning: string): (value: string) => string {
  return parseText(flag, meaning);
}

/** Parser of an option that may be given several times: the values in order. */
function collect<Value>(
  parse: (value: string) => Value,
): (value: string, before?: readonly Value[]) => readonly Value[] {
  return (value, before = []) => [...before, parse(value)];
}
