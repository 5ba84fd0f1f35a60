export { analyseRecorded } from './recorded/analyse-recorded.ts';
export { checkParts } from './experiment/check-parts.ts';
export {
  checkProtocol,
  type CheckedRule,
  type CheckProtocolOptions,
  type ProtocolCheck,
  type ProtocolProblem,
} from './conformance/check-protocol.ts';
export { cleanUpContainers, type CleanUpOptions, type FoundContainer } from './experiment/clean-up-containers.ts';
export { EngineError, type EngineErrorCode } from './engine-error.ts';
export {
  obstacleHere,
  fitExperiment,
  resumeExperiment,
  startExperiment,
  type ExperimentDraft,
  type FittedExperiment,
  type PartOptions,
  type StartOptions,
} from './experiment/start-experiment.ts';
export { findRecording } from './recorded/find-recording.ts';
export { Gathering, type GatheredRun } from './experiment/collected-runs.ts';
export * from './host/index.ts';
export { MergeError, type MergeErrorCode } from './recorded/merge-error.ts';
export { mergeRecordings, type MergeOptions, type MergedParts } from './recorded/merge-recordings.ts';
export { longPilotNs, type RunPlace } from './experiment/benchmark-state.ts';
export { RecordingMerger, type MergedRecording, type MergerOptions } from './recorded/recording-merger.ts';
export { measureRecorded, type MeasuredRecording } from './recorded/measure-recorded.ts';
export {
  decideStop,
  pilotLeaders,
  planTrial,
  roundOrder,
  type MethodObstacle,
  type Part,
  type PlannedTrial,
  type Standing,
  type StopDecision,
} from './plan/index.ts';
export { ProfileError, type ProfileErrorCode, type Runtime } from './profile/index.ts';
export {
  profileProgram,
  type ProfiledProgram,
  type ProfiledRun,
  type ProfileProgramOptions,
} from './profile/profile-program.ts';
export * from './record/index.ts';
export * from './run/index.ts';
export { reportRecorded, type RecordedReport } from './recorded/report-recorded.ts';
export {
  openRunner,
  readOwnMachine,
  type ForeignRun,
  type Runner,
  type RunnerOptions,
  type WantedRun,
} from './experiment/runner.ts';
export { runSession, type SessionOptions } from './experiment/session.ts';
export type { Outcome, SessionResult } from './experiment/session-result.ts';
export {
  commitsBetween,
  findCommit,
  openRepository,
  originOf,
  readRange,
  resolveRevisions,
  VersionError,
  type Commit,
  type InstalledPackage,
  type ReadyVersion,
  type Repository,
  type Revision,
  type RevisionRequest,
  type VersionErrorCode,
} from './versions/index.ts';
export { Versions } from './versions/versions.ts';
