import type { Command } from 'commander';
import { printable } from '@deadheat/report';
import { describeCollected, watch, type WatchRequest } from '@deadheat/watch';
import type { FleetRequest } from 'deadheat/internals';
import { parseCount, parseDuration, parseText, UsageError } from 'deadheat/settings';
import { addVersionOptions, type RawVersionOptions, readVersionChoices } from '../arguments/version-options.ts';
import { parseAge } from '../arguments/values/parse-age.ts';
import { labelOption, priorityOption, type RawWorkerOptions, workerOption } from '../arguments/worker-options.ts';
import { explainError } from '../errors/explain-error.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { withInterruption } from '../terminal/interruption.ts';
import { addPlaintextOption, type RawPlaintextOption, withPlaintext } from '../terminal/plaintext-option.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

interface RawWatchOptions extends RawVersionOptions, RawPlaintextOption, RawWorkerOptions {
  readonly benchmarks?: string;
  readonly store?: string;
  readonly branch?: string;
  readonly project?: string;
  readonly against?: string;
  readonly commits?: number;
  readonly canary?: number | 'none';
  /** ns, also the other times. */
  readonly poll?: number;
  readonly stopAfter?: number;
  readonly once?: true;
  readonly directory?: string;
  readonly fleet?: string;
  readonly hosts?: number;
}

const usual = { store: '.deadheat', commits: 100, canaryNs: 24 * 3600e9, pollNs: 60e9 } as const;

/** `deadheat watch`: the collector. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('watch')
    .description(
      'Follows a branch of a repository and stores a comparison of every new commit in a history. While there is no new commit, it measures commits again at which the performance seems to have changed, and then older commits that have no measurement. Once a day it measures a canary: an artificial workload compared with itself, which shows whether this machine can be trusted. It runs until it is interrupted. Without REPOSITORY it measures canaries only. More: docs/watch.md.',
    )
    .usage('[REPOSITORY --benchmarks FILE] [options]')
    .argument('[repository]', 'a working tree on this machine, or the URL of a repository, which is cloned')
    .action((repository: string | undefined, raw: RawWatchOptions) => {
      const request = toRequest(repository ?? null, raw);
      choose((terminal) => runWatch(request, withPlaintext(raw, terminal)));
    });
  command
    .optionsGroup('What to measure:')
    .option(
      '--benchmarks <FILE>',
      'file that describes the benchmarks, as for deadheat git without a command (docs/configuration.md)',
      parseText('--benchmarks', 'the name of a file'),
    )
    .option(
      '--branch <NAME>',
      'branch to follow (default: the one that is checked out, or the default branch of a URL)',
      parseText('--branch', 'the name of a branch'),
    )
    .option(
      '--commits <N>',
      `number of newest commits of the branch that are measured (default: ${usual.commits})`,
      parseCount('--commits', 1),
    )
    .option(
      '--against <COMMIT>',
      'compare every commit with this one, such as a release (default: the last measured commit before it)',
      parseText('--against', 'a commit'),
    );
  addVersionOptions(command, { base: 'side A', head: 'side B' });
  command
    .option(
      '--canary <TIME>',
      'time between two canaries of this machine, such as 6h; none = no canary (default: 1d)',
      parseCanary,
    )
    .optionsGroup('Where to store it:')
    .option(
      '--store <PLACE>',
      `the history: a folder, or postgres://user@host/name (default: ${usual.store})`,
      parseText('--store', 'a folder or a URL'),
    )
    .option(
      '--project <NAME>',
      'name of the project in the history (default: the name of the repository)',
      parseText('--project', 'a name'),
    )
    .option(
      '--directory <DIR>',
      'folder of the clone and of the recordings that are not stored yet (default: ~/.local/state/deadheat/watch)',
      parseText('--directory', 'a folder'),
    )
    .optionsGroup('Where to run (docs/fleet.md):')
    .option(
      '--fleet <URL>',
      'execute the runs on the workers of a fleet, whose database is postgres://user@host/name; the file of the benchmarks is one of the repository then',
      parseText('--fleet', 'the URL of a fleet'),
    )
    .option('--hosts <N>', 'number of workers that execute the runs (default: all)', parseCount('--hosts', 1))
    .addOption(labelOption())
    .addOption(workerOption())
    .addOption(priorityOption())
    .optionsGroup('When:')
    .option('--once', 'end when there is nothing to do at the moment, for cron')
    .option('--stop-after <TIME>', 'begin no measurement after this time, and end', parseDuration('--stop-after'))
    .option('--poll <TIME>', 'time between two looks for new commits (default: 60s)', parseDuration('--poll'));
  return addPlaintextOption(command)
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Examples:
  deadheat watch . --benchmarks deadheat.yaml --setup 'npm ci'
      follow the branch that is checked out here, and store in .deadheat

  deadheat watch https://github.com/owner/parser --benchmarks parser.yaml --store postgres://ci@db.example.org/deadheat
  deadheat watch . --benchmarks deadheat.yaml --once --stop-after 50m
      for cron: measure what there is, for less than an hour

  deadheat watch --once --canary 6h --store postgres://ci@db.example.org/deadheat
      only the canary of this machine`,
    );
}

function toRequest(repository: string | null, raw: RawWatchOptions): WatchRequest {
  const { benchmarks, store = usual.store, project = null, canary = usual.canaryNs, poll = usual.pollNs } = raw;
  const { branch = null, against = null, commits = usual.commits, once = false, stopAfter = null } = raw;
  if (repository !== null && benchmarks === undefined) {
    throw new UsageError('MISSING_VALUE', 'watch needs --benchmarks', { hint: 'Such as: --benchmarks deadheat.yaml.' });
  }
  if (repository === null) {
    const idle = ['benchmarks', 'branch', 'commits', 'against', 'setup', 'benchPath', 'project'].find(
      (key) => key in raw,
    );
    if (idle !== undefined || canary === 'none') {
      throw new UsageError('MISSING_VALUE', 'watch needs a repository', {
        hint: 'Such as: deadheat watch . --benchmarks deadheat.yaml. Without one it measures canaries only.',
      });
    }
  }
  const choices = readVersionChoices(raw);
  return {
    followed:
      repository === null
        ? null
        : { repository, branch, file: benchmarks ?? '', fleet: toFleetRequest(raw), choices, against, commits },
    store,
    project,
    canaryNs: canary === 'none' ? null : canary,
    pollNs: poll,
    once,
    stopAfterNs: stopAfter,
    directory: raw.directory ?? null,
  };
}

function toFleetRequest(raw: RawWatchOptions): FleetRequest | null {
  const { fleet: url, hosts = null, label = [], worker, priority } = raw;
  if (url === undefined) {
    if (hosts === null && label.length === 0 && worker === undefined && priority === undefined) return null;
    throw new UsageError('CONFLICT', '--hosts, --label, --worker and --priority do nothing without --fleet', {
      hint: 'Add --fleet URL, or leave them out.',
    });
  }
  return { url, hosts, labels: Object.fromEntries(label), code: null, confirm: null, workers: worker ?? [], priority };
}

const parseTime = parseAge('--canary');

function parseCanary(value: string): number | 'none' {
  return value === 'none' ? value : parseTime(value);
}

/** `deadheat watch`. Returns the exit code. */
async function runWatch(request: WatchRequest, { env: variables, stderr }: Terminal): Promise<ExitCode> {
  const onNotice = (text: string): void => void stderr.write(`${new Date().toISOString()} ${printable(text)}\n`);
  await withInterruption((signal) =>
    watch(request, {
      variables,
      signal,
      onNotice,
      onProgress: () => {},
      onEvent: (event) => {
        if (event.kind === 'trouble') onNotice(`${explainError(event.error, variables).message} It is tried again.`);
        else describeCollected(event).forEach(onNotice);
      },
    }),
  );
  return exitCodes.done;
}
