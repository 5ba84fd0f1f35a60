/*
 * The diagnosis of this machine, and artificial workloads of a known amount. For the command alone; it may change with any version.
 */
export { sizeWorkloads, type SizedWorkload, timesOf, workloadSide } from './artificial-workloads.ts';
export { type Diagnosis, examineMachine, findDisturbances } from './diagnosis.ts';
export { type DoctorFacts, type Finding } from './facts.ts';
export type { DoctorMeasurement, DoctorStep, MethodSight } from './measure.ts';
export { renderDiagnosis } from './render-diagnosis.ts';
export { doctorDefaults, type DoctorRequest, quickDoctor } from './request.ts';
