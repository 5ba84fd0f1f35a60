export { HistoryError } from './history-error.ts';
export type { History, MetricName, StoredRecording, VerdictCounts } from './history.ts';
export { drawHolder, leasedByOthers, withLease } from './lease.ts';
export { openHistory } from './open-history.ts';
export { checkPlace, isDatabaseUrl } from './open-history.ts';
export { connect } from './postgres/connect.ts';
export { databaseFailure } from './postgres/connect.ts';
export { createSchema, hasSchema, inTransaction, leaseSql } from './postgres/schema.ts';
export { countVerdicts, inOrder, newestOfEach, pointsBySeries, seriesKey } from './points.ts';
export { firedCanaries, isCanary, type CanaryAlarm } from './changes/canaries.ts';
export { seriesLevels, usualLeastChange, type LevelChange, type SeriesQuantity } from './changes/series-levels.ts';
export { canaryProject, type HistoryNote, type HistoryPoint, type SeriesName } from './history.ts';
export {
  changeTriageSchema,
  mostTriageText,
  triageStateSchema,
  type ChangeTriage,
  type TriageState,
} from './history.ts';
