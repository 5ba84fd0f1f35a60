export { GrowingFloats } from './columns.ts';
export { type IterationChunk, iterationChunks } from './iteration-chunks.ts';
export { journalTrials } from './journal.ts';
export { sealLine } from './journal-line.ts';
export { openFile, openTable, type RandomAccess, type RowGroup } from './parquet.ts';
export { makeArtifactFolder, writeNamedFile } from './durable-files.ts';
export { type IterationRow, furtherMetrics, iterationRows, reportedBenchmark } from './iteration-row.ts';
export { iterationColumns, metricColumnNames, writeIterationsParquet } from './iterations-parquet.ts';
export {
  type MeasuredEntry,
  type MeasuredRecording,
  type RecordedName,
  benchmarksDiffer,
  findRecorded,
  findRecording,
  isSameName,
  measure,
  measureRecorded,
  recordedNames,
  refuseUnmatched,
} from './measure.ts';
export { positionInJson } from './malformed-json.ts';
export { createRecording, openRecording } from './open-recording-writer.ts';
export { isRunningText, ownIdentityText } from './process-identity.ts';
export { readRecording, readReport } from './read-recording.ts';
export { RecordError } from './record-error.ts';
export { lockRecording } from './recording-lock.ts';
export type { RecordingWriter } from './recording-writer.ts';
export { repairRecording } from './repair-recording.ts';
export { loadPackage } from './load-package.ts';
export { tool } from './tool.ts';
export { type RecordedSides, type RecordedTrials, TrialRecords } from './trial-records.ts';
export type { RecordedBenchmark } from './workload-record/iteration-table.ts';
export { readWholeLines, readWorkloadRecord } from './workload-record/read-workload-record.ts';
export { recordVersion } from './workload-record/record-parser.ts';
export { RecordTail } from './workload-record/record-tail.ts';
