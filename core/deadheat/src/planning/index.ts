/*
 * The plan of an experiment, and the calibration that it is made from. For the command alone; it may change with any version.
 */
export {
  type CalibratedProgram,
  calibrationDraft,
  calibrationTables,
  draftToCalibrate,
  holdsResults,
  readCalibration,
  usualCalibration,
  type MeasuredRecording,
  readRecordingOrFiles,
} from './calibration.ts';
export {
  describeGoal,
  planDocument,
  planPrograms,
  type PlanRequest,
  planTables,
  toPlannedFile,
} from './planned-experiment.ts';
