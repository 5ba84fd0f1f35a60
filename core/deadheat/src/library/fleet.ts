import type { ExperimentDraft, SessionResult } from '@deadheat/engine';
import type { Commits, EngineEvent } from '@deadheat/model';
import { loadPackage } from '@deadheat/recording';
import type { Changes } from '../config/changes.ts';

/** The origin of the programs of an experiment that a fleet executes. */
interface CodeRequest {
  /** `here` = every worker has them; else a revision of the repository around the file. */
  readonly what: string;
  /** URL of the repository; `null` = that of the remote `origin`. */
  readonly repository: string | null;
}

/** A fleet, and which of its workers execute an experiment. */
export interface FleetRequest {
  /** Database of the fleet: `postgres://user@host/name`. */
  readonly url: string;
  /** Number of workers; `null` = all that run. */
  readonly hosts: number | null;
  /** Labels that a worker must have. */
  readonly labels: Readonly<Record<string, string>>;
  /** `null` = images where the file has nothing else, and HEAD otherwise. */
  readonly code: CodeRequest | null;
  /** Number of other hosts that must confirm a slower benchmark; `null` = none. */
  readonly confirm: number | null;
  /** Ids of the only workers that may be used; absent or empty = all. */
  readonly workers?: readonly string[] | undefined;
  /** The runs of experiments with a higher priority are taken first; absent = 0. */
  readonly priority?: number | undefined;
}

/** Connections and listeners of an experiment that others execute. */
export interface FleetControl {
  readonly signal: AbortSignal;
  readonly onEvent: (event: EngineEvent) => void;
  readonly onNotice: (text: string) => void;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** An experiment for a fleet. */
export interface FleetExperimentFacts extends FleetControl {
  readonly draft: ExperimentDraft;
  /** Folder for the recording; `null` = a new one below `parent`. */
  readonly directory: string | null;
  readonly parent: string;
  readonly commits?: Commits;
  readonly tool: { readonly name: string; readonly version: string };
  /** The file that describes the experiment; `null` = none does. */
  readonly file: string | null;
  readonly changes: Changes;
}

/** An experiment that was left to the workers of a fleet. */
export interface DetachedExperiment {
  /** Its id. */
  readonly experiment: string;
  /** Folder of its recording, which has none of the measured runs yet. */
  readonly directory: string;
  /** False where it was interrupted before the workers had it, and cancelled. */
  readonly isLeft: boolean;
}

/** The scheduler that hands runs to the workers of a fleet. */
export interface FleetScheduler {
  /** Has the runs executed by workers; recording and verdict are made here. */
  run(request: FleetRequest, facts: FleetExperimentFacts): Promise<SessionResult>;
  /** Leaves an experiment to the workers. */
  detach(request: FleetRequest, facts: FleetExperimentFacts): Promise<DetachedExperiment>;
  /** Gathers the remaining runs of the experiment in a folder; with `leaves` an interruption leaves it to the workers. */
  resume(
    directory: string,
    control: FleetControl & { readonly toolVersion: string; readonly leaves: boolean },
  ): Promise<SessionResult>;
}

/** Schedulers of places of runs, as packages export them. */
const schedulers = {
  fleet: { package: '@deadheat/track', exported: 'fleetScheduler', user: 'an experiment on a fleet' },
  cluster: { package: '@deadheat/track', exported: 'clusterScheduler', user: 'an experiment on a cluster' },
} as const;

/** @throws DeadheatError `PACKAGE_MISSING` */
export async function loadScheduler<Scheduler = FleetScheduler>(place: keyof typeof schedulers): Promise<Scheduler> {
  const { package: name, ...wanted } = schedulers[place];
  return loadPackage<Scheduler>(name, wanted);
}
