import { parseCount, parseCpus, parseText, UsageError } from 'deadheat/settings';
import { parseLabel, type Label } from '../../arguments/values/parse-label.ts';
import { several } from '../../arguments/values/several.ts';
import { worker } from './worker.ts';
import type { Subcommand } from '../subcommand.ts';

interface RawWorkerOptions {
  readonly fleet?: string;
  readonly label?: readonly Label[];
  readonly allowRepository?: readonly string[];
  readonly allowImage?: readonly string[];
  readonly allowCommands?: true;
  readonly cpus?: readonly number[];
  readonly cpu?: number;
  readonly directory?: string;
  readonly lockDirectory?: string;
}

/** `deadheat worker`: makes runs for a fleet. */
export const workerSubcommand: Subcommand = ({ create, choose }) => {
  const command = create('worker')
    .summary('make runs for a fleet on this machine')
    .description(
      'Makes runs for a fleet until it is ended, one at a time; one worker a machine. It executes nothing but what it was ' +
        'started to allow; docs/fleet.md tells what that means.',
    )
    .usage('--fleet URL [options]')
    .action((raw: RawWorkerOptions) => {
      const { fleet: url } = raw;
      if (url === undefined) {
        throw new UsageError('MISSING_VALUE', 'worker needs --fleet', {
          hint: 'Such as: --fleet postgres://worker@db.example.org/deadheat.',
        });
      }
      const permissions = {
        repositories: raw.allowRepository ?? [],
        images: raw.allowImage ?? [],
        commands: raw.allowCommands ?? false,
      };
      if (!permissions.commands && permissions.repositories.length === 0 && permissions.images.length === 0) {
        throw new UsageError('MISSING_VALUE', 'the worker would refuse everything: nothing is allowed', {
          hint: 'Add --allow-repository URL, --allow-image NAME or --allow-commands.',
        });
      }
      const request = {
        url,
        permissions,
        labels: Object.fromEntries(raw.label ?? []),
        cpus: raw.cpus ?? null,
        ownCpu: raw.cpu ?? null,
        folder: raw.directory ?? null,
        lockFolder: raw.lockDirectory ?? null,
      };
      choose((terminal) => worker(request, terminal));
    });
  return command
    .option('--fleet <URL>', 'the fleet: postgres://user@host/name', parseText('--fleet', 'a URL'))
    .option(
      '--label <NAME=VALUE>',
      'what the machine is, such as region=eu; several times for more',
      several(parseLabel('--label')),
    )
    .option(
      '--allow-repository <URL>',
      'execute what commits of this repository describe; with a / at the end all that begin so; several times for more',
      several(parseText('--allow-repository', 'a URL')),
    )
    .option(
      '--allow-image <NAME>',
      'execute containers of this image; with a / at the end all that begin so; several times for more',
      several(parseText('--allow-image', 'the name of an image')),
    )
    .option('--allow-commands', 'execute whatever a submitter asks for')
    .option('--cpus <LIST>', 'the CPUs of the sides, such as 0,1 (default: chosen)', parseCpus('--cpus'))
    .option(
      '--cpu <N>',
      'the CPU that the worker itself keeps to while a run is timed (default: one that is not measured)',
      parseCount('--cpu', 0),
    )
    .option(
      '--directory <DIR>',
      'folder for its id, clones and results that are not stored yet (default: ~/.local/state/deadheat/worker)',
      parseText('--directory', 'a folder'),
    )
    .option(
      '--lock-directory <DIR>',
      'folder of the lock that one worker a machine holds (default: /run/lock/deadheat-worker)',
      parseText('--lock-directory', 'a folder'),
    )
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Examples:
  deadheat worker --fleet postgres://worker@db.example.org/deadheat --allow-repository https://github.com/example/
      runs what commits of these repositories describe
  deadheat worker --fleet postgres://worker@db.example.org/deadheat --allow-image registry.example.org/bench/ --label region=eu
      runs containers of these images`,
    );
};
