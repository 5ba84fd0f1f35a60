import { join } from 'node:path';
import {
  explain,
  type Explanation,
  renderCollapsed,
  renderFlamePage,
  renderJson,
  renderMarkdown,
  renderPprof,
  renderSpeedscope,
  renderText,
} from '@deadheat/explain';
import { DeadheatError, type ExperimentConfig, type Report } from '@deadheat/model';
import { writeNamedFile } from '@deadheat/recording';
import type { FinishedSession } from 'deadheat/internals';
import type { OutputChoices } from '../command/output-options.ts';
import { presentable } from '../errors/presentable.ts';
import { withInterruption } from '../terminal/interruption.ts';
import { type Exports, createNoticeWriter, reportStream, writeExport } from '../terminal/output.ts';
import { resolveTerminalStyle, type StyleChoice } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The page with the flame graph, in the folder of the recording. */
const pageFile = 'explain.html';

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

/** Explains a recorded comparison with progress on standard error, and leaves its page in the recording. */
export async function explainRecording(
  { directory, ...request }: ExplainRecording,
  {
    exports,
    style,
    terminal,
  }: { readonly exports: Exports<ExplanationFormat>; readonly style: StyleChoice; readonly terminal: Terminal },
): Promise<void> {
  const { stderr, env } = terminal;
  const shown = resolveTerminalStyle(style, { stream: stderr, variables: env });
  function onPair(done: number, of: number): void {
    if (shown.interactive && !shown.quiet)
      stderr.write(`\r\u001b[Kexplain: pair ${done} of ${of}${done === of ? '\r\u001b[K' : ''}`);
  }
  const explanation = await withInterruption((signal) => explain({ ...request, inherited: env, signal, onPair }));
  const stream = terminal[reportStream(exports)];
  const textStyle = resolveTerminalStyle(style, { stream, variables: env });
  if (!textStyle.quiet) stream.write(`\n${renderText(explanation, textStyle)}`);
  const page = join(directory, pageFile);
  try {
    await writeNamedFile(page, (file) => file.writeFile(renderFlamePage(explanation)));
    if (!textStyle.quiet) stream.write(`page         ${page}\n`);
  } catch (error) {
    stderr.write(`deadheat: ${(error as Error).message} The explanation above is complete without this page.\n`);
  }
  for (const [format, file] of Object.entries(exports) as [ExplanationFormat, string][]) {
    if (format === 'pprof') await writeNamedFile(file, (handle) => handle.writeFile(renderPprof(explanation)));
    else writeExport(file, { content: texts[format](explanation), terminal });
  }
}

const texts: Readonly<Record<Exclude<ExplanationFormat, 'pprof'>, (explanation: Explanation) => string>> = {
  json: renderJson,
  markdown: renderMarkdown,
  collapsed: renderCollapsed,
  speedscope: renderSpeedscope,
};

/**
 * Explains a comparison that has just ended, where B is slower or faster; otherwise it says why not. What goes wrong is a line on standard error: the
 * verdict, and the exit code, stay as they are.
 */
export async function explainClear(
  { directory, experiment, report }: Pick<FinishedSession, 'directory' | 'experiment' | 'report'>,
  { choices, terminal }: { readonly choices: OutputChoices; readonly terminal: Terminal },
): Promise<void> {
  const notice = createNoticeWriter(choices, terminal);
  const isClear = report.comparisons.some(
    ({ verdict, controlOf }) => controlOf === undefined && (verdict === 'slower' || verdict === 'faster'),
  );
  if (!isClear) return notice('--explain: no benchmark is slower or faster, so there is nothing to explain');
  // An export of the report may own standard output.
  const isTaken = reportStream(choices.exports) === 'stderr';
  const streams = isTaken ? { ...terminal, stdout: terminal.stderr } : terminal;
  try {
    await explainRecording(
      { directory, config: experiment.config, report, benchmark: null, pairs: defaultPairs, maxTimeNs: null },
      { exports: {}, style: choices.style, terminal: streams },
    );
  } catch (error) {
    if (!(error instanceof DeadheatError)) throw error;
    terminal.stderr.write(`deadheat: not explained: ${presentable(error.message)}\n`);
  }
}

export const defaultPairs = 20;
