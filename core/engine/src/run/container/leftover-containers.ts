import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { ContainerEngine } from './container-engine.ts';

/** A container of some experiment. */
export interface LabelledContainer {
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
export async function listLabelledContainers(engine: ContainerEngine): Promise<readonly LabelledContainer[]> {
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
export async function removeContainers(
  engine: ContainerEngine,
  containers: readonly LabelledContainer[],
): Promise<void> {
  if (containers.length === 0) return;
  await engine.demand(engine.removal(containers.map(({ id }) => id)));
  for (const file of containers.flatMap(({ files }) => files)) rmSync(file, { recursive: true, force: true });
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
