/*
 * The parts of the command that subcommands of other packages use: declarations of commands and options, and output to the terminal.
 */
export { plaintextOptions, recordingOptions, styleOptions } from '../command/common-options.ts';
export { defineCommand, type Command, type Family } from '../command/define-command.ts';
export {
  choice,
  choices,
  count,
  exportOption,
  flag,
  group,
  option,
  several,
  share,
  text,
  type Option,
  type ValueParser,
  type ValuesOf,
} from '../command/option.ts';
export { parsePenalty, readingOptions, toImportOptions } from '../command/reading-options.ts';
export { toVersionChoices, versionOptions } from '../command/version-options.ts';
export { workerOptions, parseLabel } from '../command/worker-options.ts';
export { exitCodes, type ExitCode } from '../errors/exit-codes.ts';
export { explainError } from '../errors/explain-error.ts';
export { explainQuietly } from '../experiment/explain-recording.ts';
export { mergeParts } from '../experiment/merge-parts.ts';
export { eraseLine } from '../terminal/guarded.ts';
export { withInterruption } from '../terminal/interruption.ts';
export {
  checkExports,
  checkWritable,
  type Exports,
  reportStream,
  writeExport,
  writePieces,
  writeText,
} from '../terminal/output.ts';
export { withPlaintext, type Terminal } from '../terminal/terminal.ts';
export { createWorkProgress } from '../terminal/progress.ts';
export { resolveTerminalStyle, type StyleChoice } from '../terminal/style.ts';
export { writeFailures, withProgress } from '../terminal/with-progress.ts';
export { commandPath, version } from '../version.ts';
export { badValue, parseConfidence, parseCpus, parseDuration, UsageError } from 'deadheat/settings';
