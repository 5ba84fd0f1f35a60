import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  isRepositoryAddress,
  isSecretVariable,
  type Permissions,
  type ReadExperiment,
  runWorker,
  type WorkerEvent,
  type WorkerOptions,
} from '@deadheat/fleet';
import { printable } from '@deadheat/report';
import { joinFiles, narrowDraft, readConfig, readNarrowing, type SidePlace } from 'deadheat/internals';
import { badValue, parseCount, parseCpus, parseDuration, parseMemory, parseText, UsageError } from 'deadheat/settings';
import { addPlaintextOption, type RawPlaintextOption, withPlaintext } from '../terminal/plaintext-option.ts';
import { type Label, parseLabel } from '../arguments/values/parse-label.ts';
import { several } from '../arguments/values/several.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { withInterruption } from '../terminal/interruption.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { tool } from '../version.ts';
import type { SubcommandContext } from './subcommand.ts';

interface RawWorkerOptions extends RawPlaintextOption {
  readonly fleet?: string;
  readonly label?: readonly Label[];
  readonly allowRepository?: readonly string[];
  readonly allowImage?: readonly string[];
  readonly allowNetwork?: readonly string[];
  readonly allowVariable?: readonly string[];
  readonly containerMemory?: number;
  readonly containerProcesses?: number;
  readonly allowCommands?: true;
  readonly cpus?: readonly number[];
  readonly cpu?: number;
  readonly lanes?: number;
  readonly directory?: string;
  readonly lockDirectory?: string;
  /** ns. */
  readonly lease?: number;
}

/** `deadheat worker`: makes runs for a fleet. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('worker')
    .description(
      'Executes runs for a fleet until it is stopped: tandems on as many cores as the experiment allows, every other run alone. There can be only one worker on a machine. A worker executes only the programs that its options allow; docs/fleet.md describes the rules.',
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
        networks: raw.allowNetwork ?? [],
        variables: raw.allowVariable ?? [],
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
        confinement: {
          ...(raw.containerMemory === undefined ? {} : { memoryBytes: raw.containerMemory }),
          ...(raw.containerProcesses === undefined ? {} : { processes: raw.containerProcesses }),
        },
        labels: Object.fromEntries(raw.label ?? []),
        cpus: raw.cpus ?? null,
        ownCpu: raw.cpu ?? null,
        lanes: raw.lanes ?? null,
        folder: raw.directory ?? null,
        lockFolder: raw.lockDirectory ?? null,
        leaseMs: raw.lease === undefined ? null : raw.lease / 1e6,
      };
      choose((terminal) => worker(request, withPlaintext(raw, terminal)));
    });
  return addPlaintextOption(command)
    .option('--fleet <URL>', 'database of the fleet: postgres://user@host/name', parseText('--fleet', 'a URL'))
    .option(
      '--label <NAME=VALUE>',
      'property of this machine that experiments can ask for, such as region=eu; may be repeated',
      several(parseLabel('--label')),
    )
    .option(
      '--allow-repository <URL>',
      'allow the programs that commits of this repository describe; a URL that ends in / allows all repositories whose URL begins with it; may be repeated',
      several(parseRepository),
    )
    .option(
      '--allow-image <NAME>',
      'allow containers of this image; a name that ends in / allows all images whose name begins with it; may be repeated',
      several(parseText('--allow-image', 'the name of an image')),
    )
    .option('--allow-commands', 'allow every command that a submitter asks for')
    .option(
      '--allow-network <NAME>',
      'allow containers in this network of the container engine, such as bridge (default: containers have no network); may be repeated',
      several(parseText('--allow-network', 'the name of a network')),
    )
    .option(
      '--allow-variable <NAME>',
      'environment variable that submitted programs inherit from the worker beside PATH, HOME, the language and DEADHEAT_*; may be repeated',
      several(parseVariable),
    )
    .option(
      '--container-memory <SIZE>',
      'the most memory that a container may use, such as 4g (default: 40 % of the memory of this machine)',
      parseMemory('--container-memory'),
    )
    .option(
      '--container-processes <N>',
      'the most processes and threads that a container may have at the same time (default: 4096)',
      parseCount('--container-processes', 1),
    )
    .option('--cpus <LIST>', 'the CPUs of the two sides, such as 0,1 (default: deadheat chooses)', parseCpus('--cpus'))
    .option(
      '--cpu <N>',
      'the CPU on which the worker process itself stays while a run is measured (default: a CPU that is not used for measuring)',
      parseCount('--cpu', 0),
    )
    .option(
      '--lanes <N>',
      'the most tandems that are run at the same time, each on a core of its own (default: as many as the experiment asks for, else one less than there are cores)',
      parseCount('--lanes', 1),
    )
    .option(
      '--directory <DIR>',
      "folder of the worker's id, its clones, and the results that are not stored in the database yet (default: ~/.local/state/deadheat/worker)",
      parseText('--directory', 'a folder'),
    )
    .option(
      '--lock-directory <DIR>',
      'folder of the lock that prevents a second worker on this machine (default: /run/lock/deadheat-worker)',
      parseText('--lock-directory', 'a folder'),
    )
    .option(
      '--lease <TIME>',
      'time after which a worker that gives no sign counts as gone, so that its runs go to others (default: 30s)',
      parseDuration('--lease'),
    )
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Examples:
  deadheat worker --fleet postgres://worker@db.example.org/deadheat --allow-repository https://github.com/example/
      execute what commits of these repositories describe
  deadheat worker --fleet postgres://worker@db.example.org/deadheat --allow-image registry.example.org/bench/ --label region=eu
      execute containers of these images
`,
    );
}

function parseRepository(value: string): string {
  if (isRepositoryAddress(value)) return value;
  throw badValue('--allow-repository', value, {
    allowed: 'the URL of a repository (https, ssh or git), user@host:path, or an absolute path',
    hint: 'An address has no %, no backslashes and no blanks, and no name in it is empty, . or ..',
  });
}

function parseVariable(value: string): string {
  if (/^[A-Za-z_]\w*$/.test(value) && !isSecretVariable(value)) return value;
  throw badValue('--allow-variable', value, {
    allowed: 'the name of a variable that holds no secret',
    hint: 'Passwords, tokens and keys, and the variables of PostgreSQL, are never given to submitted programs.',
  });
}

interface WorkerRequest extends Pick<WorkerOptions, 'confinement'> {
  readonly url: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly permissions: Permissions;
  readonly cpus: readonly number[] | null;
  /** CPU of the worker itself. */
  readonly ownCpu: number | null;
  /** `null` = as many as the experiment asks for and the machine has cores for. */
  readonly lanes: number | null;
  /** `null` = below the user's folder of states. */
  readonly folder: string | null;
  /** `null` = one for the machine. */
  readonly lockFolder: string | null;
  /** `null` = the usual. */
  readonly leaseMs: number | null;
}

/** `deadheat worker`. Returns the exit code. */
export async function worker({ leaseMs, ...request }: WorkerRequest, terminal: Terminal): Promise<ExitCode> {
  const { env, stderr } = terminal;
  const state = env['XDG_STATE_HOME'] ?? join(env['HOME'] ?? homedir(), '.local', 'state');
  const locks = existsSync('/run/lock') ? '/run/lock' : tmpdir();
  await withInterruption((signal) =>
    runWorker({
      ...request,
      ...(leaseMs === null ? {} : { leaseMs }),
      variables: env,
      toolVersion: tool.version,
      readExperiment: readSubmitted(env['PATH'] ?? ''),
      folder: request.folder ?? join(state, 'deadheat', 'worker'),
      lockFolder: request.lockFolder ?? join(locks, 'deadheat-worker'),
      signal,
      onEvent: (event) => {
        stderr.write(`${new Date().toISOString()} ${printable(describe(event))}\n`);
      },
    }),
  );
  return exitCodes.done;
}

function describe(event: WorkerEvent): string {
  switch (event.kind) {
    case 'ready':
      return `worker ${event.worker} is ready`;
    case 'run-started':
      return (
        `${event.experiment} ${event.name}: ${event.phase === 'pilot' ? 'pilot run' : 'run'} ${event.run} of ${event.benchmark}` +
        (event.method === null ? '' : ` by ${event.method}`)
      );
    case 'run-stored':
      return `${event.experiment}: stored`;
    case 'run-dropped':
      return 'a finished run was dropped: it was given to another worker in the meantime';
    case 'run-ended':
      return `${event.experiment}: ${event.why === 'cancelled' ? 'cancelled' : 'given back'}`;
    case 'run-refused':
      return `${event.experiment}: refused: ${event.message}`;
    case 'disk-full':
      return `${event.message}; until then this worker takes no runs, and what it had in hand goes to others`;
    case 'disk-found':
      return 'there is room on the disk again';
    case 'connection-lost':
      return `${event.message} Waiting for it`;
    case 'connection-found':
      return 'the database is there again';
  }
}

/** How a worker reads what a commit describes: as `deadheat run` would in that folder, or `deadheat git` in those of two commits. */
function readSubmitted(searchPath: string): ReadExperiment {
  return ({ folder, base, file, narrowing: told }) => {
    const narrowing = readNarrowing(told);
    if (base === null) {
      return narrowDraft(
        readConfig(join(folder, file), { cwd: folder, searchPath, defaultSeed: '', typed: narrowing.settings }),
        narrowing,
      );
    }
    const placeOf = (root: string): SidePlace => ({ folder: root, root, label: basename(root), environment: {} });
    const places = { A: placeOf(base), B: placeOf(folder) };
    return joinFiles({ file, narrowing }, { places, path: searchPath, seed: '', name: '' });
  };
}
