import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { ContainerEngineName } from '@deadheat/model';
import { isRunning, parseHolder } from '@deadheat/sync';
import { ContainerError, findContainerEngine, type ContainerEngine } from './container-engine.ts';

/** A container of an experiment and whether that still runs. */
interface FoundContainer extends Pick<LabelledContainer, 'name' | 'experiment'> {
  readonly engine: ContainerEngineName;
  /** True while the experiment's process runs, so that the container stays. */
  readonly inUse: boolean;
}

interface CleanUpOptions {
  /** `null` = every one that is here. */
  readonly engine: ContainerEngineName | null;
  /** `true` removes what is abandoned; `false` lists it only. */
  readonly remove: boolean;
}

/**
 * Finds containers that experiments have made, and removes those whose experiment's process is gone. Containers of others
 * are never looked at.
 *
 * @throws ContainerError `ENGINE_MISSING` when the engine that is asked for, or any, is not here; `ENGINE_FAILED` when
 *   one does not work
 */
export async function cleanUpContainers({
  engine: wanted,
  remove,
}: CleanUpOptions): Promise<readonly FoundContainer[]> {
  const found: FoundContainer[] = [];
  let missing: ContainerError | null = null;
  const names: readonly ContainerEngineName[] = wanted === null ? ['podman', 'docker'] : [wanted];
  let engines = 0;
  for (const name of names) {
    try {
      const engine = await findContainerEngine(name);
      engines += 1;
      const containers = (await listLabelledContainers(engine)).map((container) => ({
        container,
        inUse: isInUse(container),
      }));
      const abandoned = containers.filter(({ inUse }) => !inUse).map(({ container }) => container);
      if (remove) await removeContainers(engine, abandoned);
      for (const { container, inUse } of containers) {
        found.push({ engine: name, name: container.name, experiment: container.experiment, inUse });
      }
    } catch (error) {
      // A client without its service, as docker's often is, has no containers either.
      if (!(error instanceof ContainerError) || wanted !== null) throw error;
      missing ??= error;
    }
  }
  if (engines === 0 && missing !== null) throw missing;
  return found;
}

/** A container of some experiment. */
interface LabelledContainer {
  readonly id: string;
  readonly name: string;
  readonly experiment: string;
  /** The {@link ProcessIdentity} of the experiment's process as JSON. */
  readonly owner: string;
  /** Folders of this machine that were made for its run. */
  readonly files: readonly string[];
}

interface Inspected {
  readonly Id: string;
  readonly Name: string;
  readonly Config?: { readonly Labels?: Readonly<Record<string, string>> | null };
}

/**
 * Every container that has the label of an experiment, running or not.
 *
 * @throws ContainerError `ENGINE_FAILED`
 */
async function listLabelledContainers(engine: ContainerEngine): Promise<readonly LabelledContainer[]> {
  const listed = await engine.demand(['ps', '--all', '--quiet', '--no-trunc', `--filter=label=${experimentLabel}`]);
  const ids = listed.split('\n').filter((id) => id !== '');
  if (ids.length === 0) return [];
  // A container that is removed meanwhile makes the call fail; the others are still reported.
  const { stdout } = await engine.call(['container', 'inspect', ...ids]);
  return (JSON.parse(stdout) as readonly Inspected[]).map(({ Id, Name, Config }) => ({
    id: Id,
    name: Name.replace(/^\//, ''),
    experiment: Config?.Labels?.[experimentLabel] ?? '',
    owner: Config?.Labels?.[ownerLabel] ?? '',
    files: (Config?.Labels?.[filesLabel] ?? '').split(':').filter(isOurs),
  }));
}

/**
 * Removes containers, and the folders that were made for them.
 *
 * @throws ContainerError `ENGINE_FAILED`
 */
async function removeContainers(engine: ContainerEngine, containers: readonly LabelledContainer[]): Promise<void> {
  if (containers.length === 0) return;
  await engine.demand(engine.removal(containers.map(({ id }) => id)));
  for (const file of containers.flatMap(({ files }) => files)) rmSync(file, { recursive: true, force: true });
}

/** A label may hold any text; one that describes no process has no owner. */
function isInUse({ owner }: LabelledContainer): boolean {
  const holder = parseHolder(owner);
  return holder !== null && isRunning(holder);
}

/** True for a path that `RunFolders` makes: a label may hold any text. */
function isOurs(path: string): boolean {
  return path.startsWith('/') && !path.includes('/../') && /^deadheat-[A-Za-z0-9]{6,}$/.test(basename(path));
}

/** The experiment that a container belongs to, by its id; every container of ours has this label. */
export const experimentLabel = 'deadheat';
/** The process that looks after it, as JSON. */
export const ownerLabel = 'deadheat.owner';
/** Folders of this machine that it was given, separated by colons. */
export const filesLabel = 'deadheat.files';
