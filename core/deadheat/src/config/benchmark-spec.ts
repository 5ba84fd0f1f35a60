import type { ExperimentDraft } from '@deadheat/engine';
import type { experimentDefaults, Hooks, LinePattern, Settings, Side, Waiver, Workload } from '@deadheat/model';
import type { ShellChoice } from '../draft/resolve-command.ts';
import { type ExperimentKey, type ExperimentLayer, experimentTable } from '../settings/experiment-table.ts';
import type { Parameter } from '../settings/parameters.ts';
import type { Path } from '../settings/problem.ts';

/** A text of the file and where it stands; it keeps its `{NAME}`. */
export interface PlacedText {
  readonly text: string;
  readonly path: Path;
}

/** A container's network where the file names none: a loopback, and nothing that takes time to set up or disturbs. */
export const defaultNetwork = 'none';

/** The container of a side. */
export interface ContainerSpec {
  readonly image: PlacedText;
  readonly cpus: number | null;
  readonly memoryBytes: number | null;
  readonly network: string;
  /** `null` = the file does not say. */
  readonly writable: boolean | null;
  /** Paths in the container. */
  readonly keep: readonly string[];
  /** File in the container that is read in place of what the program prints; `null` = none. */
  readonly output: string | null;
}

/** One side as the file describes it, inheritance done. */
export interface SideSpec {
  readonly command: PlacedText;
  /** Name in reports; `null` = the command line. */
  readonly name: string | null;
  /** From the folder of the file; `null` = that folder. In a container a folder of its own, `null` = the image's. */
  readonly cwd: PlacedText | null;
  /** Folder, from that of the file, of which it gets a copy; `null` = none. */
  readonly scratch: PlacedText | null;
  /** File that its program writes for the parser; `null` = what it prints is read. */
  readonly results: PlacedText | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly shell: ShellChoice;
  readonly hooks: Readonly<Hooks>;
  /** `null` = it is executed on the machine itself. */
  readonly container: ContainerSpec | null;
}

/** A benchmark as the file describes it, before its parameters are filled in. */
export interface BenchmarkSpec {
  readonly name: string;
  /** Where it stands. */
  readonly path: Path;
  readonly workload: Workload;
  readonly lines: LinePattern | null;
  /** Its name or path; `null` = there is none. */
  readonly parser: PlacedText | null;
  readonly input: PlacedText | null;
  readonly parameters: readonly Parameter[];
  readonly sides: Readonly<Record<Side, SideSpec>>;
  /** Name of the version that is side A; `null` = the sides are no versions. */
  readonly baseline: string | null;
  /** First part of the names of what is kept of containers. */
  readonly suite: string;
  /** True if `$$` in the commands of synchronised duets is the name of a barrier of the Java agent. */
  readonly agentBarrier: boolean;
  /** `null` = it may not be slower. */
  readonly waiver: Waiver | null;
  /** True if a run in containers that its time limit ends counts with the iterations that it has recorded until then. */
  readonly countsCut: boolean;
  /** Settings of each method that it is measured by. */
  readonly methods: readonly Settings[];
}

/** Experiment that a file describes, independent of the format. */
export interface ExperimentSpec extends Pick<ExperimentDraft, keyof typeof experimentDefaults | 'cpus' | 'machines'> {
  /** `null` = called after the file's folder. */
  readonly name: string | null;
  readonly seed: string | null;
  /** `null` = as many as there are cores for them where all are quiet, else one less, at least one. */
  readonly lanes: number | 'all' | null;
  /** True if A is also measured against itself. */
  readonly control: boolean;
  readonly benchmarks: readonly BenchmarkSpec[];
}

/** All but those that are read apart. */
const choiceKeys = (Object.keys(experimentTable) as ExperimentKey[]).filter(
  (key) => !/^(name|seed|show-output)$/.test(key),
);

/** Choices for a whole experiment that layers make; the last layer counts. */
export function choicesOf(...layers: readonly ExperimentLayer[]): Partial<ExperimentSpec> {
  const choices = layers.flatMap((layer) => choiceKeys.map((key) => [key, layer[key]] as const));
  return Object.fromEntries(choices.filter(([, value]) => value !== undefined));
}
