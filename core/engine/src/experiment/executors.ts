import { resolve } from 'node:path';
import {
  DeadheatError,
  configOf,
  inLayout,
  resourcesOf,
  type Experiment,
  type Benchmark,
  type ContainerEngineName,
  type ContainerFacts,
  type ResourceMetric,
} from '@deadheat/model';
import { ownHolder } from '@deadheat/sync';
import type { Abilities } from '../plan/choose-method.ts';
import { ContainerExecutor } from '../run/container/container-executor.ts';
import { NativeExecutor } from '../run/native/native-executor.ts';
import { PortableExecutor } from '../run/portable/portable-executor.ts';
import { SideFolders } from '../run/side-folders.ts';
import type { Executor } from '../run/executor.ts';
import {
  ContainerError,
  findContainerEngine,
  inspectImages,
  type ContainerEngine,
} from '../run/container/container-engine.ts';
import type { Confinement } from '../run/container/confinement.ts';

interface ExecutorFacts {
  readonly abilities: Abilities;
  readonly containers: FoundContainers | null;
  /** The recording's. */
  readonly folder: string;
  /** Folders of the sides, which all lanes have in common; absent = new ones. */
  readonly sideFolders?: SideFolders;
  /** Limits of programs of other people; absent = the programs are those of the user who runs the experiment. */
  readonly guests?: GuestRules;
}

/** Limits of programs of other people. */
export interface GuestRules {
  readonly confinement: Confinement;
  /** Variables that programs and hooks outside of containers inherit. */
  readonly inherited: NodeJS.ProcessEnv;
}

/** More than an experiment has benchmarks. */
const mostPrograms = 1 << 20;

/** The number by which executors know the programs of a benchmark in a layout; `null` = it has one build a side. */
export function programNumber(benchmark: number, layout: number | null): number {
  return benchmark + (layout ?? 0) * mostPrograms;
}

/** The benchmarks of an experiment with their numbers, in all their layouts. */
function programsOf(benchmarks: readonly Benchmark[]): readonly (readonly [number, Benchmark])[] {
  return benchmarks.flatMap((benchmark, index) =>
    benchmark.layouts === undefined
      ? [[index, benchmark] as const]
      : benchmark.layouts.A.map((_, layout) => [programNumber(index, layout), inLayout(benchmark, layout)] as const),
  );
}

/** Prepares executors for the programs of all benchmarks. */
export async function definePrograms(executors: readonly Executor[], benchmarks: readonly Benchmark[]): Promise<void> {
  for (const [number, benchmark] of programsOf(benchmarks)) {
    await Promise.all(executors.map(async (executor) => executor.define(number, benchmark)));
  }
}

/** One executor a lane; those that were started are closed when another cannot be. */
export async function startExecutors(experiment: Experiment, facts: ExecutorFacts): Promise<readonly Executor[]> {
  const { benchmarks, lanes } = experiment.config;
  const sideFolders =
    facts.containers === null ? await SideFolders.make(programsOf(benchmarks).map(([, one]) => one)) : null;
  const own = sideFolders === null ? facts : { ...facts, sideFolders };
  const begun = await Promise.allSettled(Array.from({ length: lanes }, async () => startExecutor(experiment, own)));
  const executors = begun.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const failed = begun.find((start) => start.status === 'rejected');
  if (failed === undefined) return executors;
  await Promise.all(executors.map(async (executor) => executor.close()));
  await sideFolders?.remove();
  throw failed.reason;
}

/** Starts the executor of an experiment's programs on this machine, which executes one run at a time. */
async function startExecutor(
  { id, config, machine }: Experiment,
  { abilities, containers, folder, sideFolders, guests }: ExecutorFacts,
): Promise<Executor> {
  const { confinement = null, inherited = process.env } = guests ?? {};
  const output = config.showOutput ? 'inherit' : 'null';
  // Below two CPUs of quota, a side that spins would use up the CPU time of the other.
  const wait = machine.cpuQuota !== null && machine.cpuQuota < 2 ? 'yield' : 'spin';
  if (containers !== null) {
    const { engine } = containers;
    return new ContainerExecutor({
      engine,
      confinement,
      inherited,
      experiment: id,
      owner: JSON.stringify(ownHolder()),
      folder: resolve(folder),
      output,
      wait,
    });
  }
  const folders = sideFolders ?? (await SideFolders.make(programsOf(config.benchmarks).map(([, one]) => one)));
  if (!abilities.nativeCalls) return new PortableExecutor({ output, folders, inherited });
  return NativeExecutor.start({ output, wait, folders, inherited, resources: allResources(config) });
}

/** The engine of an experiment's containers, and their images. */
interface FoundContainers {
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
 * @throws DeadheatError `CANNOT_RESUME_HERE`
 */
export function checkSameImages(recorded: ContainerFacts | undefined, found: ContainerFacts): void {
  for (const [name, { id }] of Object.entries(recorded?.images ?? {})) {
    const now = found.images[name]?.id;
    if (now === id) continue;
    throw new DeadheatError(
      'CANNOT_RESUME_HERE',
      `This experiment cannot go on here: it began with the image ${name} = ${id}, which is ${now ?? 'gone'} now. ` +
        'Tag the image that it began with by that name again, or begin a new experiment.',
    );
  }
}

/** All metrics besides time by which any benchmark of an experiment is compared. */
function allResources(config: Experiment['config']): readonly ResourceMetric[] {
  return [...new Set(config.benchmarks.flatMap((benchmark) => resourcesOf(configOf(config, benchmark))))];
}
