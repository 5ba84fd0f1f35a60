export { firedCanaries, isCanary, type CanaryAlarm } from './changes/canaries.ts';
export type { LevelChange, SeriesQuantity } from './changes/levels.ts';
export { type PairStep, pairSteps } from './changes/pair-levels.ts';
export { seriesLevels, usualLeastChange } from './changes/series-levels.ts';
export { seriesHealth, type SeriesHealth } from './changes/series-health.ts';
export { HistoryError } from './history-error.ts';
export {
  canaryProject,
  changeTriageSchema,
  mostTriageText,
  triageStateSchema,
  type ChangeTriage,
  type History,
  type HistoryNote,
  type HistoryPoint,
  type SeriesName,
  type StoredRecording,
} from './history.ts';
export { drawHolder, leasedByOthers, withLease } from './lease.ts';
export { checkPlace, isDatabaseUrl, openHistory } from './open-history.ts';
export { countVerdicts, groupBy, inOrder, isAgainst, newestOfEach, seriesKey } from './points.ts';
export { connect, databaseFailure, endConnection } from './postgres/connect.ts';
export { createSchema, hasSchema, inTransaction, leaseSql } from './postgres/schema.ts';
