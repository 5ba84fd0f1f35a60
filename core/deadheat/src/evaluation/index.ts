/*
 * How well this machine and the methods of measuring do: the doctor, the studies of artificial workloads, simulated recordings,
 * and what an experiment is planned from. For the command alone; it may change with any version.
 */
export { type Diagnosis, examineMachine, findDisturbances } from './doctor/diagnosis.ts';
export { type DoctorFacts, type Finding } from './doctor/facts.ts';
export type { DoctorMeasurement, DoctorStep, MethodSight } from './doctor/measure.ts';
export { renderDiagnosis } from './doctor/render-diagnosis.ts';
export { doctorDefaults, type DoctorRequest, quickDoctor } from './doctor/request.ts';
export {
  type CalibratedProgram,
  type CalibrationDesign,
  calibrationDraft,
  type CalibrationSource,
  calibrationTables,
  draftToCalibrate,
  holdsResults,
  readCalibration,
  usualCalibration,
} from './planning/calibration.ts';
export {
  describeGoal,
  planDocument,
  type PlannedProgram,
  planPrograms,
  type PlanRequest,
  planTables,
  toPlannedFile,
} from './planning/planned-experiment.ts';
export { type DimensionChoice, type SimulationPlan, simulateRecordings } from './simulation/run-simulation.ts';
export { measureStudy, type StudyStep } from './study/measure.ts';
export { type Neighbour, neighbours, renderStudyRequest, studyMethods, type StudyRequest } from './study/request.ts';
export { studySteady } from './study/steady.ts';
export { studyStopping } from './study/stopping.ts';
export { studyRecordings } from './study/study-recordings.ts';
export { findWarmup, findWarmupOfRecording, type WarmupRequest } from './warmup.ts';
