export { HistoryError } from './history-error.ts';
export type { HistoryErrorCode } from './history-error.ts';
export type * from './history.ts';
export { openHistory } from './open-history.ts';
export { checkPlace, isDatabaseUrl } from './place-url.ts';
export { connect } from './postgres/connect.ts';
export { databaseFailure } from './postgres/database-failure.ts';
export { createSchema, hasSchema, inTransaction, type DatabaseSchema } from './postgres/schema.ts';
export { countVerdicts, inOrder, newestOfEach, pointsBySeries, seriesKey } from './points.ts';
export { pointsOfRecording, recordingFolderName } from './recording/read-folder.ts';
export { canariesOf, firedCanaries, isCanary, type CanaryAlarm } from './changes/canaries.ts';
export {
  seriesLevels,
  usualLeastChange,
  type LevelChange,
  type SeriesLevels,
  type SeriesQuantity,
} from './changes/series-levels.ts';
export {
  canaryProject,
  historyNoteSchema,
  type HistoryNote,
  type HistoryPoint,
  type PointMetric,
  type SeriesName,
} from './history-point.ts';
export {
  commitName,
  historyCsv,
  renderCanaries,
  renderChanges,
  renderHistory,
  type HistoryDocument,
  type HistorySeries,
} from './render-history.ts';
export {
  changeTriageSchema,
  mostTriageText,
  triageStateSchema,
  type ChangeTriage,
  type TriageState,
} from './triage.ts';
