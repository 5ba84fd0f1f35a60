export { agreeOnAmount, calibrate, maximumAmount } from './agree-on-amount.ts';
export type { AmountRequest } from './agree-on-amount.ts';
export { buildProgram } from './c/build-program.ts';
export type { ProgramName } from './c/build-program.ts';
export {
  cacheWork,
  createCacheData,
  floatWork,
  integerWork,
  createMemoryData,
  memoryWork,
  stepsPerUnit,
  workloadNames,
  workloads,
} from './javascript/workloads.ts';
export type { Workload, WorkloadName } from './javascript/workloads.ts';
export { languages, workloadCommand } from './workload-command.ts';
export type { Language, WorkloadOrder } from './workload-command.ts';
export { burstPhases, leastMeanNs, type LoadPlan, type Phase } from './load/burst-phases.ts';
export { startLoad, type Load, type LoadOptions } from './load/start-load.ts';
export { runAlone } from './run-alone.ts';
export type { WorkloadIteration, LoneRun } from './run-alone.ts';
export { takePart } from './take-part.ts';
export { WorkloadError, type WorkloadErrorCode } from './workload-error.ts';
