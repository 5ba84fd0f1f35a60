import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import {
  type Command,
  count,
  defineCommand,
  exitCodes,
  explainError,
  flag,
  group,
  option,
  parseDuration,
  plaintextOptions,
  text,
  toVersionChoices,
  UsageError,
  versionOptions,
  withInterruption,
  withPlaintext,
  workerOptions,
} from '@deadheat/cli/kit';
import { canaryProject, openHistory } from '@deadheat/history';
import { parseAge } from '@deadheat/history/command';
import { DeadheatError } from '@deadheat/model';
import { formatDifference, percentDigits, printable, verdictWords } from '@deadheat/report';
import { Branch, type Commit, findCommit, originOf } from '@deadheat/versions';
import { ConfigError, type FleetRequest, runDraft, type VersionChoices } from 'deadheat/internals';
import { collect, type CollectorEvent, mostTries } from './collector.ts';
import { canaryDraft, type FleetPlace, measureCommit } from './measure-commit.ts';

const dayNs = 24 * 3600e9;
const needsRepository = ['repository'];

/** `deadheat history watch`: measures every new commit of a branch. */
export const watch: Command = defineCommand({
  description:
    'Follows a branch of a repository and stores a comparison of every new commit in a history. While there is no new commit, it measures commits again at which the performance seems to have changed, and then older commits that have no measurement. Once a day it measures a canary: an artificial workload compared with itself, which shows whether this machine can be trusted. It runs until it is interrupted. Without REPOSITORY it measures canaries only. More: docs/watch.md.',
  args: { '[repository]': 'a working tree on this machine, or the URL of a repository, which is cloned' },
  options: {
    ...group('What to measure:', {
      benchmarks: option('--benchmarks <FILE>', {
        help: 'file that describes the benchmarks, as for deadheat git without a command (docs/configuration.md)',
        parse: text('the name of a file'),
        needs: needsRepository,
      }),
      branch: option('--branch <NAME>', {
        help: 'branch to follow',
        parse: text('the name of a branch'),
        fallback: 'the one that is checked out, or the default branch of a URL',
        needs: needsRepository,
      }),
      commits: option('--commits <N>', {
        help: 'number of newest commits of the branch that are measured',
        parse: count(1),
        default: 100,
        needs: needsRepository,
      }),
      against: option('--against <COMMIT>', {
        help: 'compare every commit with this one, such as a release',
        parse: text('a commit'),
        fallback: 'the last measured commit before it',
        needs: needsRepository,
      }),
      ...versionOptions({ base: 'side A', head: 'side B' }),
      explain: flag('--explain', {
        help: 'when a commit is slower or faster, make further runs under the sampler of the runtime; the page of the change in the dashboard shows the functions that account for it (docs/explain.md)',
        needs: needsRepository,
        without: ['on'],
        why: 'the programs are with the workers',
      }),
      canary: option('--canary <TIME>', {
        help: 'time between two canaries of this machine, such as 6h; none = no canary',
        parse: parseCanary,
        fallback: '1d',
      }),
    }),
    ...group('Where to store it:', {
      store: option('--store <PLACE>', {
        help: 'the history: a folder, or postgres://user@host/name',
        parse: text('a folder or a URL'),
        default: '.deadheat',
      }),
      project: option('--project <NAME>', {
        help: 'name of the project in the history',
        parse: text('a name'),
        fallback: 'the name of the repository',
        needs: needsRepository,
      }),
      directory: option('--directory <DIR>', {
        help: 'folder of the clone and of the recordings that are not stored yet',
        parse: text('a folder'),
        fallback: '~/.local/state/deadheat/watch',
      }),
    }),
    ...group('Where to run (docs/fleet.md):', {
      on: {
        ...workerOptions.on,
        help: 'place where the runs are executed: here, or fleet:postgres://user@host/name, whose workers read the file in the repository',
      },
      hosts: option('--hosts <N>', {
        help: 'number of workers that execute the runs',
        parse: count(1),
        fallback: 'all',
        needs: ['on'],
      }),
      label: { ...workerOptions.label, needs: ['on'] },
      worker: { ...workerOptions.worker, needs: ['on'] },
      priority: { ...workerOptions.priority, needs: ['on'] },
    }),
    ...group('When:', {
      once: flag('--once', { help: 'end when there is nothing to do at the moment, for cron' }),
      stopAfter: option('--stop-after <TIME>', {
        help: 'begin no measurement after this time, and end',
        parse: parseDuration,
      }),
      poll: option('--poll <TIME>', {
        help: 'time between two looks for new commits',
        parse: parseDuration,
        fallback: '60s',
      }),
      ...plaintextOptions(),
    }),
  },
  act: async (values, { repository }, terminal) => {
    const { benchmarks, store, branch: branchName, against, commits, once, canary, poll, stopAfter } = values;
    const { env: variables, stderr } = withPlaintext(values, terminal);
    if (repository !== null && benchmarks === null) {
      throw new UsageError('MISSING_VALUE', 'history watch needs --benchmarks', {
        hint: 'Such as: --benchmarks deadheat.yaml.',
      });
    }
    if (repository === null && canary === 'none') {
      throw new UsageError('MISSING_VALUE', 'history watch needs a repository', {
        hint: 'Such as: deadheat history watch . --benchmarks deadheat.yaml. Without one it measures canaries only.',
      });
    }
    const { on, hosts, label, worker: workers, priority } = values;
    if (on !== null && on.name !== 'here' && on.name !== 'fleet')
      throw new UsageError('BAD_VALUE', `watch has no --on ${on.name}`);
    const labels = Object.fromEntries(label);
    const chosen = { hosts, labels, code: null, confirm: null, workers, priority: priority ?? 0 };
    const request = on?.name === 'fleet' ? { url: on.url, ...chosen } : null;
    const file = benchmarks ?? '';
    if (repository !== null && request === null && !existsSync(file)) {
      throw new ConfigError('CONFIG_NOT_FOUND', `There is no file ${file}.`, { file });
    }
    const choices = toVersionChoices(values);
    const states = variables['XDG_STATE_HOME'] ?? join(variables['HOME'] ?? homedir(), '.local', 'state');
    const directory = resolve(values.directory ?? join(states, 'deadheat', 'watch'));
    const place = /^postgres(?:ql)?:/.test(store) ? store : resolve(store);
    const onNotice = (text: string): void => void stderr.write(`${new Date().toISOString()} ${printable(text)}\n`);
    await withInterruption(async (signal) => {
      const folder = join(directory, `clone-${hashOf(repository ?? '')}`);
      const branch = repository === null ? null : await Branch.open(repository, { branch: branchName, folder, signal });
      // A branch that is not there is reported before anything is measured.
      await branch?.commits(1).catch(async () => {
        await branch.update();
        return branch.commits(1);
      });
      const project = values.project ?? branch?.name ?? canaryProject;
      if (branch !== null && project === canaryProject) {
        throw new DeadheatError('CONFLICT', `${canaryProject} is the project of the canaries: choose another one.`);
      }
      const fleet =
        branch === null || request === null
          ? null
          : await fleetPlace(branch, { request, file, choices, source: repository ?? '' });
      const outbox = join(directory, `outbox-${hashOf(place, project)}`);
      const control = { variables, signal, onNotice, onProgress: () => {} };
      await collect({
        branch,
        project,
        outbox,
        place,
        openStore: (cut) => openHistory(place, { forWriting: true, variables, signal: cut }),
        measure: (pair) => {
          if (branch === null) throw new RangeError('no branch is followed');
          const own = { file: fleet === null ? resolve(file) : file, fleet, project, outbox, explains: values.explain };
          return measureCommit(pair, { ...choices, ...control, ...own, repository: branch.repository });
        },
        against: branch === null ? null : await baselineOf(against, branch),
        canary:
          canary === 'none'
            ? null
            : {
                everyMs: (canary ?? dayNs) / 1e6,
                measure: async () => {
                  const output = join(outbox, `canary-${randomBytes(4).toString('hex')}`);
                  const { outcome } = await runDraft(canaryDraft(), { ...control, output }).settled;
                  if (outcome.kind === 'interrupted') throw new DeadheatError('INTERRUPTED', 'interrupted');
                  return output;
                },
              },
        mostCommits: repository === null ? 0 : commits,
        pollMs: (poll ?? 60e9) / 1e6,
        once,
        stopAfterMs: stopAfter === null ? null : stopAfter / 1e6,
        signal,
        onEvent: (event) => {
          if (event.kind === 'trouble') onNotice(`${explainError(event.error, variables).message} It is tried again.`);
          else describeCollected(event).forEach(onNotice);
        },
      });
    });
    return exitCodes.done;
  },
  examples: `
Examples:
  deadheat history watch . --benchmarks deadheat.yaml --build 'npm ci'
      follow the branch that is checked out here, and store in .deadheat

  deadheat history watch https://github.com/owner/parser --benchmarks parser.yaml --store postgres://ci@db.example.org/deadheat
  deadheat history watch . --benchmarks deadheat.yaml --once --stop-after 50m
      for cron: measure what there is, for less than an hour

  deadheat history watch --once --canary 6h --store postgres://ci@db.example.org/deadheat
      only the canary of this machine`,
});

function parseCanary(flag: string): (typed: string) => number | 'none' {
  return (typed) => (typed === 'none' ? typed : parseAge(flag)(typed));
}

const workWords = { new: 'new commit', confirm: 'again, to confirm', gap: 'fills a gap' } as const;

/** The event of a collector, in lines for its log. */
function describeCollected(event: Exclude<CollectorEvent, { readonly kind: 'trouble' }>): readonly string[] {
  switch (event.kind) {
    case 'began': {
      const { base, commit } = event.pair;
      return [`${commit.short} ${commit.subject}, against ${base.short} (${workWords[event.work]})`];
    }
    case 'canary-began':
      return ['canary of this machine'];
    case 'stored':
      return event.points.map(({ benchmark, verdict, ratio, experiment }) => {
        const difference = formatDifference(ratio.estimate, percentDigits(ratio));
        return `stored ${experiment}, ${benchmark}: ${difference} ${verdictWords[verdict]}`;
      });
    case 'failed': {
      const { commit, message, times, again } = event;
      const next = again === null ? 'it is not tried again' : `it is tried again after ${again}`;
      return [`${commit.slice(0, 12)} is skipped, attempt ${times} of ${mostTries}; ${next}: ${message}`];
    }
    case 'waiting':
      return ['waiting for new commits'];
  }
}

/** @throws UsageError for what workers could not get */
async function fleetPlace(
  { repository, isClone }: Branch,
  facts: {
    readonly request: FleetRequest;
    readonly file: string;
    readonly choices: VersionChoices;
    readonly source: string;
  },
): Promise<FleetPlace> {
  const { request, file, choices, source } = facts;
  const refused = (what: string, hint: string): UsageError => new UsageError('CONFLICT', what, { hint });
  if (choices.setup !== null || choices.bench !== null) {
    throw refused(
      'workers execute what the file of a commit says, and no setup or shared files beside it',
      'Say it in the file: build (docs/configuration.md).',
    );
  }
  if (repository.prefix !== '' || isAbsolute(file) || file.split('/').includes('..')) {
    throw refused(
      'workers read the file of the benchmarks from the commit',
      'Name the root of the repository, and the file by its path from there.',
    );
  }
  const origin = request.code?.repository ?? (isClone ? source : await originOf(repository));
  if (origin !== null) return { request, repository: origin };
  throw refused(
    'the repository has no remote origin, from which workers could get its commits',
    'Follow its URL instead.',
  );
}

async function baselineOf(against: string | null, { repository }: Branch): Promise<Commit | null> {
  if (against === null) return null;
  const found = (await findCommit(against, repository)) ?? (await findCommit(`origin/${against}`, repository));
  if (found !== null) return found;
  throw new DeadheatError('UNKNOWN_REVISION', `${against} is no commit of this repository.`);
}

function hashOf(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16);
}
