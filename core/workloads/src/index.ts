export { agreeOnAmount, maximumAmount } from './agree-on-amount.ts';
export { stepsPerUnit, workloadNames, workloads, type WorkloadName } from './javascript/workloads.ts';
export { languages, runAlone, workloadCommand, type Language, type WorkloadOrder } from './workload-command.ts';
export { burstPhases, leastMeanNs, leastPeriodNs, startLoad, type LoadOptions } from './load/start-load.ts';
export { takePart } from './take-part.ts';
