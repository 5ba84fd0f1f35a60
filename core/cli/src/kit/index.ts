/*
 * The parts of the command that subcommands of other packages use: declarations of commands and options, and output to the terminal.
 */
export { filterOptions, plaintextOptions, recordingOptions, styleOptions } from '../command/common-options.ts';
export { defineCommand, type Command, type CommandEntry, type Family } from '../command/define-command.ts';
export { measuringOptions, type MeasuringValues } from '../command/measuring-options.ts';
export {
  choice,
  choices,
  count,
  exportOption,
  flag,
  group,
  omit,
  option,
  pick,
  several,
  share,
  text,
  type Option,
  type Options,
  type OptionsFor,
  type ValueParser,
  type ValuesOf,
} from '../command/option.ts';
export { exitOptions, outputOptions, toOutputChoices, type OutputChoices } from '../command/output-options.ts';
export {
  parsePenalty,
  readingOptions,
  toImportOptions,
  type Penalty,
  type ReadingValues,
} from '../command/reading-options.ts';
export { toVersionChoices, versionOptions } from '../command/version-options.ts';
export { workerOptions, parseLabel, type Label, type WorkerValues } from '../command/worker-options.ts';
export { exitCodes, type ExitCode } from '../errors/exit-codes.ts';
export { explainError } from '../errors/explain-error.ts';
export { mergeParts } from '../experiment/merge-parts.ts';
export { presentable } from '../errors/presentable.ts';
export { eraseLine } from '../terminal/guarded.ts';
export { withInterruption } from '../terminal/interruption.ts';
export {
  checkExports,
  checkWritable,
  createNoticeWriter,
  reportStream,
  writeExport,
  writePieces,
  writeText,
  type Exports,
} from '../terminal/output.ts';
export { withPlaintext } from '../terminal/plaintext-option.ts';
export { createWorkProgress } from '../terminal/progress.ts';
export { resolveTerminalStyle, type StyleChoice, type TerminalStyle } from '../terminal/style.ts';
export type { Terminal } from '../terminal/terminal.ts';
export { writeFailures, withProgress } from '../terminal/with-progress.ts';
export { commandPath, version } from '../version.ts';
export { badValue, parseConfidence, parseCpus, parseDuration, UsageError } from 'deadheat/settings';
