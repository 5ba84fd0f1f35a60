export { HistoryError, type HistoryErrorCode } from './history-error.ts';
export type * from './history.ts';
export { openHistory } from './open-history.ts';
export { checkPlace, isDatabaseUrl, withoutPasswords } from './place-url.ts';
export { connect } from './postgres/connect.ts';
export { databaseFailure } from './postgres/database-failure.ts';
export { makeSteps, schemaVersion, type Migration } from './postgres/schema-steps.ts';
export { countVerdicts, seriesKey } from './points.ts';
export { pointsOfRecording } from './recording/points-of-recording.ts';
