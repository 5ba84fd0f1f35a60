import type { Command } from 'commander';
import { sides, type Side } from '@deadheat/model';
import { parseChoice, parseDuration, parseText, UsageError } from 'deadheat/settings';
import { runProtocolCheck } from './protocol.ts';
import type { Subcommand, SubcommandContext } from '../subcommand.ts';

const defaultTimeoutNs = 10e9;

interface RawCheckOptions {
  readonly side?: Side | 'both';
  readonly timeout?: number;
  readonly exportJson?: string;
}

/** `deadheat protocol`: what concerns programs that take part in a duet themselves. */
export const protocol: Subcommand = (context) =>
  context
    .create('protocol')
    .summary('hold a program against the workload protocol')
    .description('For authors of programs that take part in a duet (docs/formats/protocol.md).')
    .enablePositionalOptions()
    .allowExcessArguments()
    .action((_options: object, { args: [word] }: Command) => {
      const what = word === undefined ? 'protocol needs to be told what to do' : `protocol has no subcommand ${word}`;
      throw new UsageError('UNKNOWN_SUBCOMMAND', what, { hint: 'There is one: deadheat protocol check -- PROGRAM' });
    })
    .addCommand(buildCheck(context));

function buildCheck({ create, choose }: SubcommandContext): Command {
  return create('check')
    .summary('run a program and say which rules of the protocol it keeps')
    .description(
      'Runs a program against a peer and a runner that are played, in several scenarios, ' +
        'and says for each rule of docs/formats/protocol.md whether the program keeps it.',
    )
    .usage('[options] -- PROGRAM [ARGUMENT...]')
    .passThroughOptions()
    .argument('[words...]')
    .option(
      '--side <SIDE>',
      'what the program is to be: A, B or both (default: both)',
      parseChoice('--side', [...sides, 'both']),
    )
    .option(
      '--timeout <TIME>',
      'how long it may take to start, for an iteration and to end (default: 10s)',
      parseDuration('--timeout'),
    )
    .option(
      '--export-json <FILE>',
      'write all that was found as JSON (- = stdout)',
      parseText('--export-json', 'the name of a file, or - for stdout'),
    )
    .addHelpText('after', checkHelp)
    .action((argv: readonly string[], { side = 'both', timeout, exportJson }: RawCheckOptions) => {
      if (argv.length === 0) {
        throw new UsageError('MISSING_COMMAND', 'protocol check needs the program that is to be checked', {
          hint: 'Put it and its arguments last: deadheat protocol check -- python3 bench.py',
        });
      }
      const check = {
        argv,
        sides: side === 'both' ? sides : [side],
        timeoutNs: timeout ?? defaultTimeoutNs,
        json: exportJson ?? null,
      };
      choose((terminal) => runProtocolCheck(check, terminal));
    });
}

const checkHelp = `
Examples:
  deadheat protocol check -- ./sort 0
  deadheat protocol check --side B --timeout 1m -- java -cp build Sort 0

The program is started as it is named, without a shell. Give it short iterations
and let the runner or DEADHEAT_ITERATIONS say how many: no rule is about speed.

Exit codes: 0 every rule held; 2 usage; 4 a rule was broken, or the program did
not start; 5 there is no shared memory here; 130 interrupted.`;
