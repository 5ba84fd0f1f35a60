export { GrowingFloats } from './columns.ts';
export { type IterationChunk, iterationChunks } from './iteration-chunks.ts';
export { journalTrials, sealLine } from './journal.ts';
export { refuseLinks } from './own-files.ts';
export { openFile, openTable, type RandomAccess, type RowGroup } from './parquet.ts';
export { makeArtifactFolder, makeFolder, writeNamedFile } from './durable-files.ts';
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
export { PackedTrials } from './packed-trials.ts';
export { createRecording, openRecording, type RecordingWriter } from './recording-writer.ts';
export { lockRecording } from './recording-lock.ts';
export { readExperiment, readExplanation, readRecording, readReport, readStoredReport } from './read-recording.ts';
export { sealDocument } from './record-seal.ts';
export { RecordError, systemErrorCode } from './record-error.ts';
export { repairRecording } from './repair-recording.ts';
export { loadPackage, tool } from './tool.ts';
export { type RecordedSides, type RecordedTrials, TrialRecords } from './trial-records.ts';
export type { RecordedBenchmark } from './workload-record/iteration-table.ts';
export { readWholeLines, readWorkloadRecord, RecordTail } from './workload-record/read-workload-record.ts';
export { recordVersion } from './workload-record/record-parser.ts';
