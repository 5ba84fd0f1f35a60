import { realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ExperimentDraft, type GuestRules, openRunner, type Runner } from '@deadheat/engine';
import { type Benchmark, type Experiment, experimentSchema } from '@deadheat/model';
import { Versions } from '@deadheat/versions';
import { type Code, codeSchema } from '../code.ts';
import { FleetError, isSameVersion } from '../fleet-error.ts';
import { checkCode, checkPrograms, confinementOf, guestEnvironment, type Permissions } from './permissions.ts';
import { checkOutCommit, type CheckOutPlaces } from './repository-place.ts';

/** Reads the experiment that a file in a checkout describes. */
export type ReadExperiment = (request: {
  /** Folder of the checkout. */
  readonly folder: string;
  /** Folder of the checkout for side A; `null` = both sides are of `folder`. */
  readonly base: string | null;
  /** From there. */
  readonly file: string;
  readonly changes: Readonly<Record<string, unknown>>;
}) => ExperimentDraft | Promise<ExperimentDraft>;

/** A row of the fleet's experiments. */
export interface SubmittedExperiment {
  readonly id: string;
  readonly toolVersion: string;
  readonly definition: unknown;
  readonly code: unknown;
}

export interface PrepareOptions {
  readonly permissions: Permissions;
  /** Limits of containers; absent ones are the usual. */
  readonly confinement?: Partial<GuestRules['confinement']>;
  /** Environment of the worker, of which programs inherit a part. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly toolVersion: string;
  readonly readExperiment: ReadExperiment;
  /** Folder of the worker: its id, clones, and results until they are stored. */
  readonly folder: string;
  /** CPUs for the sides; `null` = choose. */
  readonly cpus: readonly number[] | null;
  /** CPU on which the worker itself runs while a run is timed; `null` = one that no side uses, if there is one. */
  readonly ownCpu: number | null;
  /** The most runs at the same time; absent or `null` = as many as the experiment asks for and this machine has cores for. */
  readonly lanes?: number | null;
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
 * @throws FleetError `OTHER_VERSION`, `NOT_ALLOWED_HERE`, `RUN_REFUSED`; DeadheatError; and as `openRunner`
 */
export async function prepareExperiment(
  submitted: SubmittedExperiment,
  options: PrepareOptions,
): Promise<PreparedExperiment> {
  const { permissions, toolVersion, readExperiment, folder, cpus, ownCpu, lanes, signal } = options;
  const guests: GuestRules = {
    confinement: confinementOf(options.confinement ?? {}),
    inherited: guestEnvironment(options.variables, permissions.variables ?? []),
  };
  const { experiment, code } = read(submitted, toolVersion);
  checkCode(code, permissions);
  const versions = new Versions();
  const directory = join(folder, 'experiments', submitted.id.replaceAll(/[^\w-]/g, '-'));

  async function close(): Promise<void> {
    await versions.releaseAll();
    await rm(directory, { recursive: true, force: true });
  }

  try {
    const places = { folder: join(folder, 'repositories'), versions, inherited: guests.inherited, signal };
    const described =
      code.kind === 'commit'
        ? await fromCommit(experiment, { code, places, readExperiment })
        : experiment.config.benchmarks;
    const benchmarks = checkPrograms(described, { code, permissions });
    // The output of programs does not belong on the terminal of the worker.
    const config = { ...experiment.config, benchmarks: [...benchmarks], showOutput: false };
    const own: Experiment = { ...experiment, config };
    const runner = await openRunner({ experiment: own, directory, cpus, ownCpu, mostLanes: lanes ?? null, guests });
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
async function fromCommit(
  { config: { benchmarks } }: Experiment,
  facts: {
    readonly code: Extract<Code, { readonly kind: 'commit' }>;
    readonly places: CheckOutPlaces;
    readonly readExperiment: ReadExperiment;
  },
): Promise<readonly Benchmark[]> {
  const { code, places, readExperiment } = facts;
  const { file, changes, commit, base } = code;
  const checkout = await checkOutCommit(code, places);
  const other = base === undefined ? null : await checkOutCommit({ ...code, commit: base }, places);
  if (!isInside(checkout.folder, file)) {
    throw new FleetError('NOT_ALLOWED_HERE', `this worker reads no file outside of the commit: ${file}`);
  }
  const draft = await readQuietly(
    () => readExperiment({ folder: checkout.folder, base: other?.folder ?? null, file, changes }),
    code,
  );
  const isSame =
    draft.benchmarks.length === benchmarks.length &&
    draft.benchmarks.every(({ name, params }, index) => {
      const submitted = benchmarks[index];
      return name === submitted?.name && JSON.stringify(params) === JSON.stringify(submitted.params);
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

/** Checks whether a file of a folder is one, also when links are followed; one that is not there is reported when it is read. */
function isInside(folder: string, file: string): boolean {
  if (file.startsWith('/') || file.split('/').includes('..')) return false;
  try {
    return realpathSync(join(folder, file)).startsWith(`${realpathSync(folder)}/`);
  } catch {
    return true;
  }
}

/**
 * Reads a file of a commit. Who submits may name any file there and need not be able to read the repository: that it cannot be used is
 * all that is said.
 *
 * @throws FleetError `RUN_REFUSED`
 */
async function readQuietly<Value>(
  read: () => Value,
  { file, commit }: Extract<Code, { readonly kind: 'commit' }>,
): Promise<Awaited<Value>> {
  try {
    return await read();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    throw new FleetError(
      'RUN_REFUSED',
      `${file} of the commit ${commit.slice(0, 10)} cannot be used${code}. deadheat plan, in a checkout of that commit, says why`,
      { cause },
    );
  }
}
