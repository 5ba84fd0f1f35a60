export { type RunPlace, longPilotNs } from './experiment/benchmark-state.ts';
export { cleanUpContainers } from './run/container/leftover-containers.ts';
export { type CollectedRun, CollectedRuns } from './experiment/collected-runs.ts';
export type { Outcome, SessionResult } from './experiment/experiment-state.ts';
export {
  type ExperimentDraft,
  type FittedExperiment,
  checkParts,
  fitExperiment,
  obstacleHere,
} from './experiment/fit-experiment.ts';
export type { GuestRules } from './experiment/executors.ts';
export { type ForeignRun, type Runner, type WantedRun, openRunner, readOwnMachine } from './experiment/runner.ts';
export { type PartOptions, resumeExperiment, startExperiment } from './experiment/start-experiment.ts';
export { type Stress, createStressProbe, readPressure } from './host/stress-probe.ts';
export { applyTuning, pendingRestore, restoreTuning } from './host/tuning/apply-tuning.ts';
export { defaultTuning, settingFiles, tuningNames } from './host/tuning/find-tuning.ts';
export { tuningDirectory } from './host/tuning/tuning-state.ts';
export { type MethodObstacle, pilotLeaders } from './plan/choose-method.ts';
export type { Part } from './plan/part-of-runs.ts';
export { planTrial, roundOrder } from './plan/plan-trial.ts';
export { analyseRecorded, reportRecorded } from './recorded/analyse-recorded.ts';
export { mergeRecordings } from './recorded/merge-recordings.ts';
export { RecordingMerger } from './recorded/recording-merger.ts';
export { quoteTail, runProgram } from './run-program.ts';
