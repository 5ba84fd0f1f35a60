export { analyseImported, type ImportedAnalysis } from './analyse-imported.ts';
export { duetCsvColumns, formats } from './import/formats.ts';
export { readMeasuredFile, type MeasuredFile } from './measured-files.ts';
export { columnRoles, type ColumnMap, type ColumnRole, type FormatReader } from './import/adapter.ts';
export { ImportError, type ImportErrorCode } from './import/import-error.ts';
export { importFile, type ImportOptions } from './import/import-file.ts';
export { fileSource, type ImportSource } from './import/import-source.ts';
export type { ImportedBenchmark, ImportedFile, ImportedRun, ImportedSummary } from './import/imported-file.ts';
export { LineArrivals, type Arrival } from './parse/place-iterations.ts';
export { outputRecords, recordLines } from './parse/output-record.ts';
export {
  type OutputParser,
  type ParsedIteration,
  type ParserContext,
  ParserError,
  type ParserErrorCode,
} from './parse/output-parser.ts';
export { matchLines, type MatchedLine, type PatternLimits } from './parse/match-lines.ts';
export { OutputTail, readsAsItComes } from './parse/output-tail.ts';
export { parseText } from './parse/parse-text.ts';
export { fillResults, findResults, readResults, writtenResults, type ResultFiles } from './parse/result-files.ts';
export { runModule, type ModuleLimits } from './parse/run-module.ts';
