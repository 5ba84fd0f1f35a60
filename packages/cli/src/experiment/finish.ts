import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Outcome } from '@deadheat/engine';
import type { Report } from '@deadheat/model';
import { renderSummary, renderTables } from '@deadheat/report';
import type { Exports, OutputChoices } from '../arguments/invocation.ts';
import { exitCodeOfReport } from './exit-code-of-report.ts';
import { exitCodes, type ExitCode } from '../errors/exit-codes.ts';
import { UsageError } from 'deadheat/settings';
import { toJunit } from '../export/formats/junit.ts';
import { reportStream } from '../export/report-stream.ts';
import { toCsv } from '../export/to-csv.ts';
import { toJson } from '../export/to-json.ts';
import { renderReport } from './render-report.ts';
import { resolveTerminalStyle } from '../terminal/style.ts';
import { leaveJobSummary } from './leave-job-summary.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface Finished {
  readonly report: Report;
  readonly outcome: Outcome;
  readonly choices: OutputChoices;
  readonly terminal: Terminal;
}

/** Shows a report, writes its exports, tells what went wrong, and returns the exit code. */
export function finish({ report, outcome, choices, terminal }: Finished): ExitCode {
  const { exports } = choices;
  const stream = terminal[reportStream(exports)];
  const style = resolveTerminalStyle(choices.style, { stream, variables: terminal.env });
  if (report.comparisons.length > 0 || !style.quiet) stream.write(renderReport(report, style));
  writeExport(exports.json, { content: toJson(report), terminal });
  writeExport(exports.csv, { content: toCsv(report), terminal });
  writeExport(exports.markdown, { content: renderTables(report), terminal });
  const troubles = troublesOf(outcome);
  const summary = renderSummary(report, { troubles });
  writeExport(exports.summary, { content: summary, terminal });
  writeExport(exports.junit, { content: toJunit(report, { troubles }), terminal });
  if (choices.jobSummary) leaveJobSummary(summary, terminal);
  for (const trouble of troubles) terminal.stderr.write(`deadheat: ${trouble}\n`);
  return exitCodeOfOutcome(outcome, { report, choices });
}

/**
 * Looks whether the exports can be written, before anything is measured.
 *
 * @throws UsageError for a file or folder that cannot be written
 */
export function checkExports(exports: Partial<Exports>): void {
  for (const [name, path] of Object.entries(exports)) {
    if (path !== null && path !== '-') checkWritable(`--export-${name}`, path);
  }
}

/**
 * Looks whether the file that a flag names can be written.
 *
 * @throws UsageError when it cannot
 */
export function checkWritable(flag: string, path: string): void {
  const why = whyNotWritable(path);
  if (why === null) return;
  throw new UsageError('BAD_VALUE', `${flag} '${path}' cannot be written: ${why}`, {
    hint: 'Name a file in a folder that exists and is yours.',
  });
}

function whyNotWritable(path: string): string | null {
  try {
    const exists = existsSync(path);
    if (exists && statSync(path).isDirectory()) return 'it is a folder';
    accessSync(exists ? path : dirname(resolve(path)), constants.W_OK);
    return null;
  } catch (cause) {
    return (cause as Error).message;
  }
}

/** Writes an export to its file, or to standard output for `-`; nothing for `null`. */
export function writeExport(
  path: string | null,
  { content, terminal }: { readonly content: string; readonly terminal: Terminal },
): void {
  if (path === null) return;
  if (path === '-') terminal.stdout.write(content);
  else writeFileSync(path, content);
}

/** What went wrong, a sentence each. */
function troublesOf(outcome: Outcome): readonly string[] {
  switch (outcome.kind) {
    case 'failed':
      return outcome.failures.map(({ message }) => message);
    case 'interrupted':
      return ['interrupted'];
    case 'time-limit':
      return ['the time limit (--max-time) passed without a result; raise it or choose a shorter command'];
    case 'done':
      return [];
  }
}

function exitCodeOfOutcome(outcome: Outcome, { report, choices }: Pick<Finished, 'report' | 'choices'>): ExitCode {
  switch (outcome.kind) {
    case 'failed':
      return exitCodes.workload;
    case 'interrupted':
      return exitCodes.interrupted;
    case 'time-limit':
      return exitCodes.timeLimit;
    case 'done':
      return exitCodeOfReport(report, choices);
  }
}
