import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  badValue,
  type Command,
  count,
  defineCommand,
  exitCodes,
  flag,
  option,
  parseCpus,
  parseDuration,
  parseLabel,
  plaintextOptions,
  several,
  text,
  UsageError,
  version,
  withInterruption,
  withPlaintext,
} from '@deadheat/cli/kit';
import { printable } from '@deadheat/report';
import { readChanges, readConfig, readInPlaces, type SidePlace } from 'deadheat/internals';
import { parseMemory } from 'deadheat/settings';
import { isSecretVariable } from '../worker/permissions.ts';
import type { ReadExperiment } from '../worker/prepare-experiment.ts';
import { isRepositoryAddress } from '../worker/repository-place.ts';
import { runWorker } from '../worker/run-worker.ts';
import { fleetOption } from './operate.ts';

/** `deadheat fleet worker`: executes runs for a fleet. */
export const worker: Command = defineCommand({
  description:
    'Executes runs for a fleet until it is stopped: tandems on as many cores as the experiment allows, every other run alone. There can be only one worker on a machine. A worker executes only the programs that its options allow; docs/fleet.md describes the rules.',
  options: {
    fleet: fleetOption,
    label: several('--label <NAME=VALUE>', {
      help: 'property of this machine that experiments can ask for, such as region=eu; may be repeated',
      parse: parseLabel,
    }),
    allowRepository: several('--allow-repository <URL>', {
      help: 'allow the programs that commits of this repository describe; a URL that ends in / allows all repositories whose URL begins with it; may be repeated',
      parse: parseRepository,
    }),
    allowImage: several('--allow-image <NAME>', {
      help: 'allow containers of this image; a name that ends in / allows all images whose name begins with it; may be repeated',
      parse: text('the name of an image'),
    }),
    allowCommands: flag('--allow-commands', { help: 'allow every command that a submitter asks for' }),
    allowNetwork: several('--allow-network <NAME>', {
      help: 'allow containers in this network of the container engine, such as bridge (default: containers have no network); may be repeated',
      parse: text('the name of a network'),
    }),
    allowVariable: several('--allow-variable <NAME>', {
      help: 'environment variable that submitted programs inherit from the worker beside PATH, HOME, the language and DEADHEAT_*; may be repeated',
      parse: parseVariable,
    }),
    containerMemory: option('--container-memory <SIZE>', {
      help: 'the most memory that a container may use, such as 4g',
      parse: parseMemory,
      fallback: '40 % of the memory of this machine',
    }),
    containerProcesses: option('--container-processes <N>', {
      help: 'the most processes and threads that a container may have at the same time',
      parse: count(1),
      fallback: '4096',
    }),
    cpus: option('--cpus <LIST>', {
      help: 'the CPUs of the two sides, such as 0,1',
      parse: parseCpus,
      fallback: 'deadheat chooses',
    }),
    cpu: option('--cpu <N>', {
      help: 'the CPU on which the worker process itself stays while a run is measured',
      parse: count(0),
      fallback: 'a CPU that is not used for measuring',
    }),
    lanes: option('--lanes <N>', {
      help: 'the most tandems that are run at the same time, each on a core of its own',
      parse: count(1),
      fallback: 'as many as the experiment asks for, else one less than there are cores',
    }),
    directory: option('--directory <DIR>', {
      help: "folder of the worker's id, its clones, and the results that are not stored in the database yet",
      parse: text('a folder'),
      fallback: '~/.local/state/deadheat/worker',
    }),
    lockDirectory: option('--lock-directory <DIR>', {
      help: 'folder of the lock that prevents a second worker on this machine',
      parse: text('a folder'),
      fallback: '/run/lock/deadheat-worker',
    }),
    lease: option('--lease <TIME>', {
      help: 'time after which a worker that gives no sign counts as gone, so that its runs go to others',
      parse: parseDuration,
      fallback: '30s',
    }),
    ...plaintextOptions(),
  },
  act: async (values, _args, terminal) => {
    const { containerMemory, containerProcesses, lease } = values;
    const permissions = {
      repositories: values.allowRepository,
      images: values.allowImage,
      networks: values.allowNetwork,
      variables: values.allowVariable,
      commands: values.allowCommands,
    };
    if (!permissions.commands && permissions.repositories.length === 0 && permissions.images.length === 0) {
      throw new UsageError('MISSING_VALUE', 'the worker would refuse everything: nothing is allowed', {
        hint: 'Add --allow-repository URL, --allow-image NAME or --allow-commands.',
      });
    }
    const { env, stderr } = withPlaintext(values, terminal);
    const state = env['XDG_STATE_HOME'] ?? join(env['HOME'] ?? homedir(), '.local', 'state');
    const locks = existsSync('/run/lock') ? '/run/lock' : tmpdir();
    await withInterruption((signal) =>
      runWorker({
        url: values.fleet,
        permissions,
        confinement: {
          ...(containerMemory === null ? {} : { memoryBytes: containerMemory }),
          ...(containerProcesses === null ? {} : { processes: containerProcesses }),
        },
        labels: Object.fromEntries(values.label),
        cpus: values.cpus,
        ownCpu: values.cpu,
        lanes: values.lanes,
        ...(lease === null ? {} : { leaseMs: lease / 1e6 }),
        variables: env,
        toolVersion: version,
        readExperiment: readSubmitted(env['PATH'] ?? ''),
        folder: values.directory ?? join(state, 'deadheat', 'worker'),
        lockFolder: values.lockDirectory ?? join(locks, 'deadheat-worker'),
        signal,
        onEvent: ({ message }) => stderr.write(`${new Date().toISOString()} ${printable(message)}\n`),
      }),
    );
    return exitCodes.done;
  },
  examples: `
Examples:
  deadheat fleet worker --fleet postgres://worker@db.example.org/deadheat --allow-repository https://github.com/example/
      execute what commits of these repositories describe
  deadheat fleet worker --fleet postgres://worker@db.example.org/deadheat --allow-image registry.example.org/bench/ --label region=eu
      execute containers of these images`,
});

function parseRepository(flag: string): (typed: string) => string {
  return (typed) => {
    if (isRepositoryAddress(typed)) return typed;
    throw badValue(flag, typed, {
      allowed: 'the URL of a repository (https, ssh or git), user@host:path, or an absolute path',
      hint: 'An address has no %, no backslashes and no blanks, and no name in it is empty, . or ..',
    });
  };
}

function parseVariable(flag: string): (typed: string) => string {
  return (typed) => {
    if (/^[A-Za-z_]\w*$/.test(typed) && !isSecretVariable(typed)) return typed;
    throw badValue(flag, typed, {
      allowed: 'the name of a variable that holds no secret',
      hint: 'Passwords, tokens and keys, and the variables of PostgreSQL, are never given to submitted programs.',
    });
  };
}

/** The reader of the experiments that a commit describes: as `deadheat run` would in that folder, or `deadheat git` in those of two commits. */
function readSubmitted(searchPath: string): ReadExperiment {
  return async ({ folder, base, file, changes: sent }) => {
    const changes = readChanges(sent);
    if (base === null) return readConfig(join(folder, file), { cwd: folder, searchPath, defaultSeed: '', changes });
    function placeOf(root: string): SidePlace {
      return { folder: root, root, label: basename(root), environment: {} };
    }
    const places = { A: placeOf(base), B: placeOf(folder) };
    return readInPlaces({ file }, { places, path: searchPath, seed: '', name: '', changes });
  };
}
