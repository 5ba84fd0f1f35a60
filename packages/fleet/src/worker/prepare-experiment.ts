import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  findCommit,
  openRepository,
  Versions,
  openRunner,
  type ReadyVersion,
  type ExperimentDraft,
  type Runner,
} from '@deadheat/engine';
import { experimentSchema, type Benchmark, type Experiment } from '@deadheat/model';
import { codeSchema, type Code } from '../code.ts';
import { FleetError } from '../fleet-error.ts';
import { isSameVersion } from '../worker-rows.ts';
import { checkCode, checkPrograms, type Permissions } from './permissions.ts';

const execute = promisify(execFile);

/** Transports that git may use; those that execute a command from the URL are excluded. */
const environment = { GIT_ALLOW_PROTOCOL: 'https:ssh:git:file', GIT_TERMINAL_PROMPT: '0' };

/**
 * Makes the commit of an experiment ready in a folder: from a clone that is kept in `folder`, with its setup carried out once.
 *
 * @throws FleetError `RUN_REFUSED` when the repository does not answer or lacks the commit; VersionError as `Versions.checkOut`
 */
async function checkOutCommit(
  { repository: url, commit, setup }: Extract<Code, { readonly kind: 'commit' }>,
  { folder, versions, signal }: { readonly folder: string; readonly versions: Versions; readonly signal: AbortSignal },
): Promise<ReadyVersion> {
  const clone = join(folder, createHash('sha256').update(url).digest('hex').slice(0, 16));

  async function run(args: readonly string[], cwd: string): Promise<void> {
    try {
      await execute('git', [...args], { cwd, signal, env: { ...process.env, ...environment } });
    } catch (error) {
      const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : '';
      throw new FleetError('RUN_REFUSED', `git ${args[0] ?? ''} of ${url} failed: ${said ?? ''}`, { cause: error });
    }
  }

  if (!existsSync(clone)) {
    await mkdir(folder, { recursive: true });
    await rm(`${clone}.new`, { recursive: true, force: true });
    await run(['clone', '--quiet', '--no-checkout', '--', url, `${clone}.new`], folder);
    await rename(`${clone}.new`, clone);
  }
  const repository = await openRepository(clone, signal);
  if ((await findCommit(commit, repository)) === null) await run(['fetch', '--quiet', 'origin'], clone);
  const described = await findCommit(commit, repository);
  if (described === null) {
    throw new FleetError('RUN_REFUSED', `${url} holds no commit ${commit}. Push it, and submit the experiment again`);
  }
  return versions.checkOut({
    revision: { commit: described, label: described.short },
    what: `the commit ${described.short}`,
    setup,
    benchFiles: null,
    repository,
    fresh: false,
    onSetup: () => undefined,
  });
}

/** Reads the experiment that a file in a checkout describes. */
export type ReadExperiment = (request: {
  /** Folder of the checkout. */
  readonly folder: string;
  /** From there. */
  readonly file: string;
  readonly narrowing: Readonly<Record<string, unknown>>;
}) => ExperimentDraft;

/** A row of the fleet's experiments. */
export interface SubmittedExperiment {
  readonly id: string;
  readonly toolVersion: string;
  readonly definition: unknown;
  readonly code: unknown;
}

interface PrepareOptions {
  readonly permissions: Permissions;
  readonly toolVersion: string;
  readonly readExperiment: ReadExperiment;
  /** Folder of the worker. */
  readonly folder: string;
  readonly cpus: readonly number[] | null;
  readonly ownCpu: number | null;
  readonly signal: AbortSignal;
}

/** An experiment whose runs can be made here. */
export interface PreparedExperiment {
  readonly experiment: Experiment;
  readonly runner: Runner;
  close(): Promise<void>;
}

/**
 * Checks whether an experiment may be executed here, fetches its code, and prepares its runs. Nothing is executed
 * before that check.
 *
 * @throws FleetError `OTHER_VERSION`, `NOT_ALLOWED_HERE`, `RUN_REFUSED`; VersionError; and as `openRunner`
 */
export async function prepareExperiment(
  submitted: SubmittedExperiment,
  { permissions, toolVersion, readExperiment, folder, cpus, ownCpu, signal }: PrepareOptions,
): Promise<PreparedExperiment> {
  const { experiment, code } = read(submitted, toolVersion);
  checkCode(code, permissions);
  const versions = new Versions();
  const directory = join(folder, 'experiments', submitted.id.replaceAll(/[^\w-]/g, '-'));

  async function close(): Promise<void> {
    await versions.releaseAll();
    await rm(directory, { recursive: true, force: true });
  }

  try {
    const checkout =
      code.kind === 'commit'
        ? await checkOutCommit(code, { folder: join(folder, 'repositories'), versions, signal })
        : null;
    const benchmarks =
      code.kind === 'commit' && checkout !== null
        ? fromCommit(experiment, { code, checkout, readExperiment })
        : experiment.config.benchmarks;
    checkPrograms(benchmarks, { code, permissions });
    const own: Experiment = { ...experiment, config: { ...experiment.config, benchmarks: [...benchmarks] } };
    const runner = await openRunner({ experiment: own, directory, cpus, ownCpu });
    return {
      experiment: own,
      runner,
      close: async () => {
        try {
          await runner.close();
        } finally {
          await close();
        }
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function read(
  { toolVersion: theirs, definition, code }: SubmittedExperiment,
  ours: string,
): { readonly experiment: Experiment; readonly code: Code } {
  const experiment = isSameVersion(theirs, ours) ? experimentSchema.safeParse(definition) : null;
  const source = codeSchema.safeParse(code);
  if (experiment?.success === true && source.success) return { experiment: experiment.data, code: source.data };
  throw new FleetError(
    'OTHER_VERSION',
    `the experiment was submitted by deadheat ${theirs}, and this worker is deadheat ${ours}; nothing was executed. Run the same ` +
      'version on both',
  );
}

/** Takes the programs from the commit; the commands in the queue are not executed. */
function fromCommit(
  { config: { benchmarks } }: Experiment,
  facts: {
    readonly code: Extract<Code, { readonly kind: 'commit' }>;
    readonly checkout: ReadyVersion;
    readonly readExperiment: ReadExperiment;
  },
): readonly Benchmark[] {
  const { code, checkout, readExperiment } = facts;
  const { file, narrowing, commit } = code;
  if (file.startsWith('/') || file.split('/').includes('..')) {
    throw new FleetError('NOT_ALLOWED_HERE', `this worker reads no file outside of the commit: ${file}`);
  }
  const draft = readExperiment({ folder: checkout.folder, file, narrowing });
  const isSame =
    draft.benchmarks.length === benchmarks.length &&
    draft.benchmarks.every(({ name, params }, index) => {
      const other = benchmarks[index];
      return name === other?.name && JSON.stringify(params) === JSON.stringify(other.params);
    });
  if (!isSame) {
    throw new FleetError(
      'RUN_REFUSED',
      `${file} of the commit ${commit.slice(0, 10)} describes other benchmarks than were submitted. Commit and push the file, and ` +
        'submit it again',
    );
  }
  return draft.benchmarks.map((benchmark, index) => ({ ...benchmark, own: benchmarks[index]?.own ?? benchmark.own }));
}
