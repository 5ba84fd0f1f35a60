import {
  DeadheatError,
  configOf,
  methodFacts,
  sharesCore,
  type Benchmark,
  type ExperimentConfig,
  type Machine,
  type Method,
  type Warning,
  stopRuleOf,
} from '@deadheat/model';
import { getAffinity, hasNativeCalls, sharedMemoryDirectory } from '@deadheat/sync';
import type { MachineKey } from '../recorded/merge-recordings.ts';
import { chooseCpus } from '../host/choose-cpus.ts';
import { machineWarnings } from '../host/machine-warnings.ts';
import { areQuiet } from '../host/quiet-cores.ts';
import { readMachine } from '../host/read-machine.ts';
import { readOnlineCpus, readSmtSiblings } from '../host/cpu-topology.ts';
import { chooseMethod, findObstacle, type Abilities, type MethodObstacle } from '../plan/choose-method.ts';
import { mostParts, shareOf } from '../plan/part-of-runs.ts';

/** A configuration before this machine was looked at. */
export interface ExperimentDraft extends Omit<ExperimentConfig, MachineKey> {
  /** CPUs that the user asked for; `null` = choose. */
  readonly cpus: readonly number[] | null;
  /** Tandems at once that the user asked for; absent or `null` = as many as there are cores for them where all are quiet, else one less, at least one. */
  readonly lanes?: number | 'all' | null;
}

/** An experiment as this machine would run it. */
export interface FittedExperiment {
  readonly config: ExperimentConfig;
  readonly machine: Machine;
  readonly warnings: readonly Warning[];
}

/**
 * Chooses cores, and methods that this machine can offer; starts nothing.
 *
 * @throws DeadheatError for CPUs that cannot be used
 */
export async function fitExperiment(draft: ExperimentDraft): Promise<FittedExperiment> {
  return fitToMachine(draft, readAbilities());
}

/**
 * The obstacle to a method on this machine, for which `fitExperiment` takes another method; `null` = none.
 *
 * @param cpus the CPUs that the user asked for; `null` = all that may be used
 */
export function obstacleHere(method: Method, cpus: readonly number[] | null = null): MethodObstacle | null {
  const here = readAbilities();
  return findObstacle(method, cpus === null ? here : { ...here, usableCpus: cpus });
}

/** @throws DeadheatError `OUTPUTS_NOT_SEEN` */
function checkOutputsAreSeen({ benchmarks, sameOutput }: ExperimentDraft): void {
  const unseen = benchmarks.find(
    ({ own, containers }) => (own.sameOutput ?? sameOutput) === true && containers !== null,
  );
  if (unseen === undefined) return;
  throw new DeadheatError(
    'OUTPUTS_NOT_SEEN',
    `${unseen.name}: same-output was asked for, but what a program prints in a container is not compared. Leave it out, or compare the outputs by hand.`,
  );
}

/**
 * `fitExperiment` for abilities that are known.
 *
 * @param isQuiet whether nothing else uses these CPUs
 */
export async function fitToMachine(
  draft: ExperimentDraft,
  abilities: Abilities,
  isQuiet: (cpus: readonly number[]) => Promise<boolean> = areQuiet,
): Promise<FittedExperiment> {
  checkOutputsAreSeen(draft);
  const picked = pickCpus(draft, abilities);
  const offered: Abilities = draft.cpus === null ? abilities : { ...abilities, usableCpus: draft.cpus };
  const [first] = draft.benchmarks;
  const { choice, warnings } = chooseMethod(draft, offered, first?.workload);
  const benchmarks = draft.benchmarks.map((benchmark) => {
    const { own, workload } = benchmark;
    if (own.method === undefined && own.pilotRuns === undefined) return benchmark;
    const { method = draft.method, pilotRuns = draft.pilotRuns, fill = draft.fill } = own;
    const wanted = { method, pilotRuns, ...(fill ? { fill } : {}) };
    return { ...benchmark, own: { ...own, ...chooseMethod(wanted, offered, workload).choice } };
  });
  const single: ExperimentConfig = { ...draft, ...choice, benchmarks, ...picked, lanes: 1 };
  const machine = await readMachine({ usableCpus: abilities.usableCpus, cpus: single.cpus });
  const threads = single.tandemCpus.flatMap((cpu) => readSmtSiblings(cpu) ?? [cpu]);
  const mayUseAll = machine.cpuQuota === null || machine.cpuQuota >= single.tandemCpus.length;
  const lanes = await chooseLanes(single, draft.lanes ?? null, async () => mayUseAll && isQuiet(threads));
  const config: ExperimentConfig = { ...single, lanes };
  return { config, machine, warnings: [...warnings, ...warningsFor(machine, config)] };
}

/**
 * Number of tandems that run at once, at most the number of runs. More than one only where nothing but the programs themselves could
 * meet: hooks of a run, copies of a folder, files that are compared, containers and output at the terminal are for one run at a time, unless the user asks for lanes.
 *
 * @param mayUseAll whether all cores are free; asked only where it matters
 * @param asked by the user; `null` = as many as there are cores for them where all are quiet; else one less, at least one
 * @throws DeadheatError `TOO_MANY_LANES`
 */
async function chooseLanes(
  config: ExperimentConfig,
  asked: number | 'all' | null,
  mayUseAll: () => Promise<boolean>,
): Promise<number> {
  const { benchmarks, showOutput } = config;
  const cores = config.tandemCpus.length;
  const inContainers = benchmarks.some(({ containers }) => containers !== null);
  if (asked !== null && asked !== 1 && inContainers) {
    throw new DeadheatError(
      'TOO_MANY_LANES',
      'Several tandems at the same time were asked for, but the programs run in containers, where only one tandem can run at a time.',
    );
  }
  if (typeof asked === 'number' && asked > cores) {
    throw new DeadheatError(
      'TOO_MANY_LANES',
      `${asked} tandems at the same time need ${asked} cores, and there ${cores === 1 ? 'is one' : `are ${cores}`} for them here. Ask for at most ${cores}, or for all.`,
    );
  }
  const most = Math.min(cores, mostTandems(config));
  if (asked !== null) return Math.max(1, Math.min(asked === 'all' ? cores : asked, most));
  function mayMeet(benchmark: Benchmark): boolean {
    const {
      hooks: { A, B },
      results,
      scratch,
    } = benchmark;
    return (
      configOf(config, benchmark).sameFiles !== undefined ||
      [A, B].some(({ prepare, conclude }) => prepare !== null || conclude !== null) ||
      results.A !== null ||
      results.B !== null ||
      scratch.A !== null ||
      scratch.B !== null
    );
  }
  if (inContainers || showOutput || benchmarks.some(mayMeet)) return 1;
  const fewer = Math.max(1, Math.min(cores - 1, most));
  return fewer < Math.min(cores, most) && (await mayUseAll()) ? fewer + 1 : fewer;
}

/** Most runs of an experiment that can be tandems; Infinity without a limit. */
function mostTandems(config: ExperimentConfig): number {
  return config.benchmarks.reduce((sum, benchmark) => {
    const { method, stop } = configOf(config, benchmark);
    if (!sharesCore(method)) return sum;
    return sum + stopRuleOf(stop).mostRuns;
  }, 0);
}

/** The abilities of this machine. */
export function readAbilities(): Abilities {
  return {
    usableCpus: getAffinity(),
    sharedMemory: sharedMemoryDirectory() !== null,
    nativeCalls: hasNativeCalls(),
  };
}

/**
 * The CPUs of an experiment, by their use.
 *
 * @throws DeadheatError for CPUs that cannot be used
 */
export function pickCpus(
  draft: Pick<ExperimentDraft, 'cpus'>,
  { usableCpus }: Abilities,
): Pick<ExperimentConfig, 'cpus' | 'tandemCpus' | 'sequentialCpus'> {
  const { duet, tandem, alone } = chooseCpus({
    usableCpus,
    smtSiblingsOf: (cpu) => readSmtSiblings(cpu),
    onlineCpus: readOnlineCpus(),
    ...(draft.cpus === null ? {} : { requested: draft.cpus }),
  });
  return { cpus: duet, tandemCpus: [...tandem], sequentialCpus: [...alone] };
}

function warningsFor(machine: Machine, config: ExperimentConfig): readonly Warning[] {
  const hasDuet = config.benchmarks.some((benchmark) => {
    const { method, pilotRuns } = configOf(config, benchmark);
    return pilotRuns === 0 && methodFacts[method].cpus === 'one-each';
  });
  return machineWarnings(machine, { cpus: config.cpus, hasDuet });
}

/**
 * Checks whether the runs of an experiment can be divided into this number of parts.
 *
 * @returns the name of the machine of each part; `null` = it has none
 * @throws DeadheatError `CANNOT_DIVIDE` where a number of runs is not known beforehand, or would leave a part without runs
 */
export function checkParts(config: Omit<ExperimentConfig, MachineKey>, count: number): readonly (string | null)[] {
  const shares = Array.from({ length: count }, (_, index) => shareOf({ index: index + 1, count }, config));
  const machines = shares[0]?.machine.count ?? 0;
  for (const benchmark of config.benchmarks) {
    const own = configOf({ ...config, cpus: [0, 0], tandemCpus: [], sequentialCpus: [], lanes: 1 }, benchmark);
    const { fixedRuns } = stopRuleOf(own.stop);
    if (fixedRuns === null) {
      throw new DeadheatError(
        'CANNOT_DIVIDE',
        `${benchmark.name} cannot be divided into parts: how many runs it gets is known only at its end. ` +
          'Give it a number of runs in the file: runs: 40',
      );
    }
    const most = mostParts({ ...own, runs: fixedRuns });
    if (machines <= most) continue;
    const units = config.machines === undefined ? 'parts' : 'machines';
    const blocks = most < fixedRuns ? ` in ${most} blocks of two that trade cores` : '';
    throw new DeadheatError(
      'CANNOT_DIVIDE',
      `${benchmark.name} has ${fixedRuns} runs${blocks}, too few for ${machines} ${units}. Make at most ${most} ${units}, or more runs.`,
    );
  }
  return shares.map(({ name }) => name);
}
