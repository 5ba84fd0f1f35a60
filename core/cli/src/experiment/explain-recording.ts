import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { explain, renderCollapsed, renderPprof, renderSpeedscope } from '@deadheat/explain';
import { DeadheatError, type ExperimentConfig, type Explanation, recordingFiles, type Report } from '@deadheat/model';
import { writeNamedFile } from '@deadheat/recording';
import { countOf, renderFunctions, renderFunctionsMarkdown } from '@deadheat/report';
import type { FinishedSession } from 'deadheat/internals';
import type { OutputChoices } from '../command/output-options.ts';
import { presentable } from '../errors/presentable.ts';
import { withInterruption } from '../terminal/interruption.ts';
import { type Exports, createNoticeWriter, reportStream, writeExport } from '../terminal/output.ts';
import { resolveTerminalStyle, type StyleChoice } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { leaveJobSummary } from './finish.ts';

/** Formats of `deadheat explain --export`, with what each writes. */
export const explanationFormats = {
  json: 'all functions with their intervals',
  markdown: 'the list, for a pull request',
  collapsed: 'stacks with the time of A and B, for flame graphs of other tools',
  speedscope: 'a profile of each side, for speedscope',
  pprof: 'the times of A and B and their difference, for go tool pprof',
} as const;
export type ExplanationFormat = keyof typeof explanationFormats;

export interface ExplainRecording {
  readonly directory: string;
  readonly config: ExperimentConfig;
  readonly report: Pick<Report, 'comparisons'>;
  readonly benchmark: string | null;
  readonly pairs: number;
  readonly maxTimeNs: number | null;
}

/** Explains a recorded comparison with progress on standard error, and keeps what it finds in the recording. */
export async function explainRecording(
  { directory, ...request }: ExplainRecording,
  {
    exports,
    style,
    terminal,
  }: { readonly exports: Exports<ExplanationFormat>; readonly style: StyleChoice; readonly terminal: Terminal },
): Promise<Explanation> {
  const { stderr, env } = terminal;
  const shown = resolveTerminalStyle(style, { stream: stderr, variables: env });
  function onPair(done: number, of: number): void {
    if (shown.quiet) return;
    if (shown.interactive) stderr.write(`\r\u001b[Kexplain: pair ${done} of ${of}${done === of ? '\r\u001b[K' : ''}`);
    else if (done === 0) stderr.write(`deadheat: explain: ${countOf(of, 'pair')} of runs under a sampler\n`);
  }
  const explanation = await withInterruption((signal) => explain({ ...request, inherited: env, signal, onPair }));
  const stream = terminal[reportStream(exports)];
  const textStyle = resolveTerminalStyle(style, { stream, variables: env });
  if (!textStyle.quiet) stream.write(`\n${renderFunctions(explanation, textStyle)}`);
  try {
    await keepExplanation(directory, explanation);
  } catch (error) {
    stderr.write(`deadheat: ${(error as Error).message} The explanation above is complete without this file.\n`);
  }
  for (const [format, file] of Object.entries(exports) as [ExplanationFormat, string][]) {
    if (format === 'pprof') await writeNamedFile(file, (handle) => handle.writeFile(renderPprof(explanation)));
    else writeExport(file, { content: texts[format](explanation), terminal });
  }
  return explanation;
}

/** Writes an explanation into its recording, where reports and histories find it. */
export async function keepExplanation(directory: string, explanation: Explanation): Promise<void> {
  await writeNamedFile(join(directory, recordingFiles.explanation), (file) => file.writeFile(toJson(explanation)));
}

function toJson(explanation: Explanation): string {
  return `${JSON.stringify(explanation)}\n`;
}

const texts: Readonly<Record<Exclude<ExplanationFormat, 'pprof'>, (explanation: Explanation) => string>> = {
  json: toJson,
  markdown: renderFunctionsMarkdown,
  collapsed: renderCollapsed,
  speedscope: renderSpeedscope,
};

/** A comparison that has just ended, whose programs are still there. */
type Ended = Pick<FinishedSession, 'directory' | 'report'> & {
  readonly experiment: Pick<FinishedSession['experiment'], 'config'>;
};

function requestOf({ experiment, report }: Omit<Ended, 'directory'>): Omit<ExplainRecording, 'directory'> {
  return { config: experiment.config, report, benchmark: null, pairs: defaultPairs, maxTimeNs: null };
}

function isClear({ comparisons }: Pick<Report, 'comparisons'>): boolean {
  return comparisons.some(
    ({ verdict, controlOf }) => controlOf === undefined && (verdict === 'slower' || verdict === 'faster'),
  );
}

/**
 * Explains a comparison that has just ended, where B is slower or faster; otherwise it says why not. What goes wrong is a line on standard error: the
 * verdict, and the exit code, stay as they are. Summaries in Markdown that were exported get the functions at their end.
 *
 * @returns `null` = it is not explained
 */
export async function explainClear(
  { directory, experiment, report }: Ended,
  { choices, terminal }: { readonly choices: OutputChoices; readonly terminal: Terminal },
): Promise<Explanation | null> {
  const { exports, style, jobSummary } = choices;
  if (!isClear(report)) {
    createNoticeWriter(
      choices,
      terminal,
    )('--explain: no benchmark is slower or faster, so there is nothing to explain');
    return null;
  }
  // An export of the report may own standard output.
  const isTaken = reportStream(exports) === 'stderr';
  const streams = isTaken ? { ...terminal, stdout: terminal.stderr } : terminal;
  try {
    const explanation = await explainRecording(
      { directory, ...requestOf({ experiment, report }) },
      { exports: {}, style, terminal: streams },
    );
    const text = `\n${renderFunctionsMarkdown(explanation)}`;
    for (const file of [exports['markdown'], exports['summary']]) {
      if (file === '-') terminal.stdout.write(text);
      else if (file != null) appendFileSync(file, text);
    }
    if (jobSummary) leaveJobSummary(text, terminal);
    return explanation;
  } catch (error) {
    if (!(error instanceof DeadheatError)) throw error;
    terminal.stderr.write(`deadheat: not explained: ${presentable(error.message)}\n`);
    return null;
  }
}

/** Explains a comparison that has just ended where B is slower or faster, without a terminal. @throws DeadheatError as `explain` */
export async function explainQuietly(
  { directory, experiment, report }: Ended,
  { variables, signal }: { readonly variables: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<void> {
  if (!isClear(report)) return;
  const request = requestOf({ experiment, report });
  await keepExplanation(directory, await explain({ ...request, inherited: variables, signal }));
}

export const defaultPairs = 20;
