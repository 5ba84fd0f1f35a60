import type { Command } from 'commander';
import { cancelExperiment } from '@deadheat/fleet';
import { parseText, UsageError } from 'deadheat/settings';
import { addPlaintextOption, type RawPlaintextOption, withPlaintext } from '../terminal/plaintext-option.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

/** `deadheat cancel`: ends an experiment of a fleet. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  return addPlaintextOption(create('cancel'))
    .description(
      'Cancels an experiment of a fleet. Runs that are being executed are stopped; results that are already stored are kept.',
    )
    .usage('EXPERIMENT --fleet URL')
    .argument('<experiment>', 'its id, or the beginning of it')
    .option('--fleet <URL>', 'database of the fleet: postgres://user@host/name', parseText('--fleet', 'a URL'))
    .helpOption('-h, --help', 'show this help')
    .action((experiment: string, raw: RawPlaintextOption & { readonly fleet?: string }) => {
      const { fleet: url } = raw;
      if (url === undefined) {
        throw new UsageError('MISSING_VALUE', 'cancel needs --fleet', {
          hint: 'Such as: --fleet postgres://ci@db.example.org/deadheat.',
        });
      }
      choose((terminal) => cancel({ url, experiment }, withPlaintext(raw, terminal)));
    });
}

/** `deadheat cancel`. Returns the exit code. */
export async function cancel(
  { url, experiment }: { readonly url: string; readonly experiment: string },
  { env, stdout }: Terminal,
): Promise<ExitCode> {
  const { id, wasRunning } = await cancelExperiment(url, { experiment, variables: env });
  stdout.write(wasRunning ? `cancelled ${id}; what is in stays\n` : `${id} was over already\n`);
  return exitCodes.done;
}
