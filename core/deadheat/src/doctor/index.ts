/*
 * The diagnosis of this machine, and artificial workloads of a known amount. For the command alone; it may change with any version.
 */
export { sizeWorkloads, type SizedWorkload, timesOf, workloadSide } from './artificial-workloads.ts';
export { examineMachine } from './diagnosis.ts';
export type { DoctorStep } from './measure.ts';
export { renderDiagnosis } from './render-diagnosis.ts';
export { doctorDefaults, type DoctorRequest, quickDoctor } from './request.ts';
