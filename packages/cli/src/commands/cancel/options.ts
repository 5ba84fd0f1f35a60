import { parseText, UsageError } from 'deadheat/settings';
import { cancel } from './cancel.ts';
import type { Subcommand } from '../subcommand.ts';

/** `deadheat cancel`: ends an experiment of a fleet. */
export const cancelSubcommand: Subcommand = ({ create, choose }) =>
  create('cancel')
    .summary('end an experiment of a fleet')
    .description('Ends an experiment of a fleet: runs under way are ended, what is in stays.')
    .usage('EXPERIMENT --fleet URL')
    .argument('<experiment>', 'its id, or the beginning of it')
    .option('--fleet <URL>', 'the fleet: postgres://user@host/name', parseText('--fleet', 'a URL'))
    .helpOption('-h, --help', 'show this help')
    .action((experiment: string, { fleet: url }: { readonly fleet?: string }) => {
      if (url === undefined) {
        throw new UsageError('MISSING_VALUE', 'cancel needs --fleet', {
          hint: 'Such as: --fleet postgres://ci@db.example.org/deadheat.',
        });
      }
      choose((terminal) => cancel({ url, experiment }, terminal));
    });
