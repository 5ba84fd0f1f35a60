import type { ContainerEngineName } from '@deadheat/model';
import { isRunningText } from '@deadheat/recording';
import {
  ContainerError,
  findContainerEngine,
  listLabelledContainers,
  removeContainers,
  type LabelledContainer,
} from '../run/index.ts';

/** A container of an experiment and whether that still runs. */
export interface FoundContainer extends Pick<LabelledContainer, 'name' | 'experiment'> {
  readonly engine: ContainerEngineName;
  /** True while the experiment's process runs, so that the container stays. */
  readonly inUse: boolean;
}

export interface CleanUpOptions {
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
        inUse: isRunningText(container.owner),
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
