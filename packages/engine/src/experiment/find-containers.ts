import type { Benchmark, ContainerEngineName, ContainerFacts } from '@deadheat/model';
import { EngineError } from '../engine-error.ts';
import { ContainerError, findContainerEngine, inspectImages, type ContainerEngine } from '../run/index.ts';

/** What runs an experiment's containers, and what they are made of. */
export interface FoundContainers {
  readonly engine: ContainerEngine;
  readonly facts: ContainerFacts;
}

/**
 * Finds the engine and the images that an experiment needs; `null` when it runs nothing in containers.
 *
 * @throws ContainerError `ENGINE_MISSING`, `ENGINE_FAILED` or `IMAGE_MISSING`
 */
export async function findContainers(
  benchmarks: readonly Pick<Benchmark, 'name' | 'containers'>[],
  wanted: ContainerEngineName | null,
): Promise<FoundContainers | null> {
  const first = benchmarks.find(({ containers }) => containers !== null);
  if (first === undefined) return null;
  const engine = await findContainerEngine(wanted).catch((error: unknown) => {
    if (!(error instanceof ContainerError)) throw error;
    throw new ContainerError(error.code, `A and B of ${first.name} cannot be started: ${error.message}`, {
      cause: error,
    });
  });
  const images = await inspectImages(engine, benchmarks);
  return { engine, facts: { engine: engine.name, version: engine.version, images } };
}

/**
 * Refuses to go on with other images than an experiment began with.
 *
 * @throws EngineError `CANNOT_RESUME_HERE`
 */
export function checkSameImages(recorded: ContainerFacts | undefined, found: ContainerFacts): void {
  for (const [name, { id }] of Object.entries(recorded?.images ?? {})) {
    const now = found.images[name]?.id;
    if (now === id) continue;
    throw new EngineError(
      'CANNOT_RESUME_HERE',
      `This experiment cannot go on here: it began with the image ${name} = ${id}, which is ${now ?? 'gone'} now. ` +
        'Tag the image that it began with by that name again, or begin a new experiment.',
    );
  }
}
