/*
 * Internal functions of the library that the command uses. They may change with any version.
 */
export { attempt, type AttemptResult, endLoop, type LoopTools, startLoop } from './attempt/loop.ts';
export { findLoop, ledgerOf, type LoopState, readLedger } from './attempt/ledger.ts';
export { badConfig, ConfigError } from './config/config-error.ts';
export type { SideLayer } from './config/deadheat-file.ts';
export { explainIssues } from './config/explain-issues.ts';
export { noChanges, readChanges, type Changes } from './config/changes.ts';
export { type DuetbenchReader, findFile, readConfig, readObject, readTree } from './config/read-config.ts';
export { readParser } from './config/read-parser.ts';
export { ownSettings } from './config/to-benchmarks.ts';
export { findExecutable } from './draft/find-executable.ts';
export { commandNotStartable } from './draft/resolve-command.ts';
export { digestOf, distributionHere, programFiles } from './draft/program-files.ts';
export { splitWords } from './draft/split-words.ts';
export { slug, takesPart } from './draft/commands.ts';
export type { ExportFormat } from './export/export-format.ts';
export { exportFormats, formatOf, exportRecording, writeExported } from './export/export-formats.ts';
export { completeRecording } from './library/analyse.ts';
export {
  type DetachedExperiment,
  type FleetExperimentFacts,
  type FleetRequest,
  type FleetScheduler,
  loadScheduler,
} from './library/fleet.ts';
export type { RunOptions } from './library/options.ts';
export type { FullPlan } from './library/plan.ts';
export { detachRead, drawSeed, planRead, readExperiment, resumeSession, runDraft, runRead } from './library/run.ts';
export type { FinishedSession } from './library/running.ts';
export { bisect, type BisectOptions, type BisectRequest, type BisectResult } from './versions/bisect.ts';
export {
  draftOfPackages,
  draftOfRevisions,
  rewritten,
  withVersions,
  type Preparation,
  type VersionChoices,
  type VersionsDraft,
} from './versions/compare-versions.ts';
export { mapInWorkers } from './threads/map-in-workers.ts';
export { findNamedCommits, commitRefOf, readInPlaces, titleOf, type SidePlace } from './versions/sides.ts';
