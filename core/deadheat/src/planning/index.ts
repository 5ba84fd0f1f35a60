/*
 * The plan of an experiment, and the calibration that it is made from. For the command alone; it may change with any version.
 */
export {
  type CalibratedProgram,
  type CalibrationDesign,
  calibrationDraft,
  calibrationTables,
  draftToCalibrate,
  holdsResults,
  readCalibration,
  usualCalibration,
} from './calibration.ts';
export {
  describeGoal,
  planDocument,
  type PlannedProgram,
  planPrograms,
  type PlanRequest,
  planTables,
  toPlannedFile,
} from './planned-experiment.ts';
export { type MeasuredRecording, readRecordingOrFiles } from './read-measured.ts';
