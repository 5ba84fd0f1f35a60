import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decideGate, isSuspected } from '@deadheat/analysis';
import type { Outcome, SessionResult } from '@deadheat/engine';
import { writeNamedFile } from '@deadheat/recording';
import {
  type Comparison,
  type Explanation,
  type Failure,
  type Interval,
  isResourceMetric,
  recordingFiles,
  type Metric,
  type Report,
} from '@deadheat/model';
import {
  renderPage,
  renderSummary,
  comparisonKey,
  createColors,
  proseWidth,
  detailLines,
  formatShare,
  missedShare,
  nameOf,
  renderReport,
  printable,
  type Pipeline,
} from '@deadheat/report';
import { UsageError } from 'deadheat/settings';
import type { FailLimit, OutputChoices } from '../command/output-options.ts';
import { type Exports, checkExports as checkFiles, reportStream, writeExport } from '../terminal/output.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { explainError } from '../errors/explain-error.ts';
import { exportFormats, exportRecording, type ExportFormat, formatOf, writeExported } from 'deadheat/internals';
import { presentable } from '../errors/presentable.ts';
import { resolveTerminalStyle } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface Finished {
  readonly report: Report;
  readonly outcome: Outcome;
  readonly choices: OutputChoices;
  readonly terminal: Terminal;
  /** `true` = `leavePage` is called next; absent = not. */
  readonly isFollowed?: boolean;
}

/** The formats that are asked for, with their files. */
function formatsOf(exports: Exports): readonly { readonly format: ExportFormat; readonly file: string }[] {
  return Object.entries(exports).map(([id, file]) => ({ format: formatOf(id, '--export'), file: file ?? '-' }));
}

/**
 * Looks whether every export has a format and can be written, before anything is measured or analysed.
 *
 * @param options.ofFiles `true` = result files of other tools are analysed; `false` when absent.
 * @throws UsageError where not
 */
export function checkExports(exports: Exports, { ofFiles = false }: { readonly ofFiles?: boolean } = {}): void {
  for (const { format, file } of formatsOf(exports)) {
    if (ofFiles && format.ofReport === null) {
      const what = `--export ${format.id} is made of a recording, and result files of other tools are none`;
      const others = exportFormats.filter(({ ofReport }) => ofReport !== null).map(({ id }) => id);
      throw new UsageError('CONFLICT', what, { hint: `${others.join(', ')} are made of every report.` });
    }
    checkFile(format, { file, flag: `--export ${format.id}:` });
  }
  checkFiles(exports);
}

/** @throws UsageError for standard output where a format cannot be written to it */
export function checkFile(
  { id, needsFile }: ExportFormat,
  { file, flag }: { readonly file: string; readonly flag: string },
): void {
  if (!needsFile || file !== '-') return;
  throw new UsageError('MISSING_VALUE', `${id} cannot be written to standard output`, {
    hint: `Name a file: ${flag}results.${id}`,
  });
}

/** Shows a report, writes its exports, reports what went wrong, also with an export, and returns the exit code. */
export async function finish({
  report: measured,
  outcome,
  choices,
  terminal,
  isFollowed = false,
}: Finished): Promise<ExitCode> {
  const report = gatedBy(measured, choices);
  const { exports, view } = choices;
  const stream = terminal[reportStream(exports)];
  const style = resolveTerminalStyle(choices.style, { stream, variables: terminal.env });
  const troubles = troublesOf(outcome, report);
  // Failures come first; without a result there is nothing else to say.
  for (const trouble of troubles) terminal.stderr.write(`deadheat: ${presentable(trouble)}\n`);
  if (outcome.kind === 'failed') for (const hint of failureHints(outcome.failures)) terminal.stderr.write(`${hint}\n`);
  const isEmpty = report.comparisons.length === 0 && outcome.kind === 'failed';
  if (report.comparisons.length > 0 || !(isEmpty || style.quiet))
    stream.write(renderReport(report, style, { ...view, isFollowed, isGated: choices.failOn !== null }));
  else if (!style.quiet) stream.write(`recording    ${printable(report.experiment.recording)}\n`);
  const limits = limitLines(report, choices);
  for (const line of [...limits, ...gateLines(report, choices)]) terminal.stderr.write(`deadheat: ${line}\n`);
  const compared = new Set(report.comparisons.map(comparisonKey));
  const absent = report.gate.benchmarks
    .filter((one) => one.outcome === 'not-measured' && !compared.has(comparisonKey(one)))
    .map((one) => `${nameOf(one)} has too few runs for a comparison`);
  const context = { troubles: [...troubles, ...limits, ...absent], view, pipeline: pipelineOf(terminal.env) };
  let unwritten: ExitCode | null = null;
  for (const { format, file } of formatsOf(exports)) {
    try {
      if (format.ofReport !== null) {
        writeExport(file, { content: format.ofReport(report, context), terminal });
      } else if (report.comparisons.length > 0) {
        await exportTo(file, { format, path: report.experiment.recording, terminal });
      }
    } catch (error) {
      // The other exports, the summary and the page can be written all the same.
      const { message, exitCode } = explainError(error, terminal.env);
      terminal.stderr.write(`${message}\n`);
      unwritten ??= exitCode;
    }
  }
  if (choices.jobSummary) leaveJobSummary(renderSummary(report, context), terminal);
  return unwritten ?? exitCodeOfOutcome(outcome, { report, choices });
}

type GateChoices = Pick<OutputChoices, 'failOn' | 'undecided' | 'layoutProof'>;

function policyOf({ failOn, undecided, layoutProof = false }: GateChoices): Parameters<typeof decideGate>[1] {
  return { against: failOn ?? 'slower', undecided, layoutProof };
}

/** A report whose gate is the one that was asked for. */
function gatedBy(report: Report, choices: GateChoices): Report {
  return { ...report, gate: decideGate(report.gate, policyOf(choices)) };
}

/** Writes a recording in another format to a file, `-` being standard output, and to standard error what that format has no place for. */
export async function exportTo(
  file: string,
  { format, path, terminal }: { readonly format: ExportFormat; readonly path: string; readonly terminal: Terminal },
): Promise<void> {
  const exported = await exportRecording(path, format);
  const { content, losses } = exported;
  if (file === '-' && content.kind === 'text') for (const piece of content.pieces) terminal.stdout.write(piece);
  else await writeExported(file, exported);
  for (const loss of losses) terminal.stderr.write(`deadheat: ${loss}\n`);
}

/** Failures, a sentence each. */
function troublesOf(outcome: Outcome, { gate }: Pick<Report, 'gate'>): readonly string[] {
  switch (outcome.kind) {
    case 'failed':
      return outcome.failures.map(({ message }) => message);
    case 'interrupted':
      return ['interrupted'];
    case 'time-limit':
      return [
        'the time limit (--max-time) passed before every benchmark had the runs that a result needs; raise it or choose a shorter command',
      ];
    case 'done':
      return gate.reason === 'nothing-judged'
        ? ['no benchmark was compared, so there is no verdict; the warnings say why']
        : [];
  }
}

/** Remedies for failures of the commands, a line each. */
function failureHints(failures: readonly Failure[]): readonly string[] {
  const hints = failures.map(({ code, message }) => {
    if (code !== 'EXIT_STATUS' || message.includes('--harness') || message.includes('\n')) return null;
    if (/Cannot find (module|package)|No module named|ModuleNotFound|ClassNotFound|NoClassDefFound/.test(message)) {
      return "Something that the command needs is not there. --setup 'npm ci' executes a command before the first run.";
    }
    return /not found|No such file/i.test(message)
      ? null
      : 'The option -i accepts an exit status other than 0, if that is how the command ends when all is well.';
  });
  return [...new Set(hints.filter((hint) => hint !== null))];
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

/** GitHub drops the whole summary of a step that is longer. */
const mostBytes = 2 ** 20;

/**
 * Appends a summary to the file that `GITHUB_STEP_SUMMARY` names, which GitHub shows with the job, and says so; nothing where it is
 * not set. A file that cannot be written is reported and changes nothing else.
 */
export function leaveJobSummary(summary: string, { stderr, env }: Pick<Terminal, 'stderr' | 'env'>): void {
  const path = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (path === '') return;
  try {
    const before = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (before + Buffer.byteLength(summary) + 1 > mostBytes) {
      stderr.write(
        `deadheat: the summary of the job has ${before} bytes already: GitHub would drop it with this one, which is left out\n`,
      );
      return;
    }
    appendFileSync(path, `${summary}\n`);
    stderr.write('deadheat: the result stands in the summary of the job too (--no-summary leaves it out)\n');
  } catch (error) {
    stderr.write(`deadheat: the summary of the job cannot be written: ${(error as Error).message}\n`);
  }
}

/**
 * Writes `report.html` beside `report.json` and says where it is. A page that cannot be written is reported and changes nothing
 * else: everything that was measured is in the recording already.
 */
export async function leavePage(
  { directory, report, points }: Pick<SessionResult, 'directory' | 'report' | 'points'>,
  {
    choices,
    terminal,
    explanation = null,
  }: {
    readonly choices: OutputChoices;
    readonly terminal: Terminal;
    /** Present where the page is written once more, with the functions behind the difference. */
    readonly explanation?: Explanation | null;
  },
): Promise<void> {
  const path = join(directory, recordingFiles.page);
  try {
    const page = renderPage({
      report: gatedBy(report, choices),
      points: points(),
      isGated: choices.failOn !== null,
      explanation,
    });
    await writeNamedFile(path, (file) => file.writeFile(page));
  } catch (error) {
    terminal.stderr.write(`deadheat: ${(error as Error).message} Make the page with: deadheat report\n`);
    return;
  }
  const stream = terminal[reportStream(choices.exports)];
  const style = resolveTerminalStyle(choices.style, { stream, variables: terminal.env });
  if (style.quiet || explanation !== null) return;
  const layout = { width: style.width ?? proseWidth, colors: createColors(style) };
  for (const line of detailLines([{ label: 'report', text: path }], layout)) stream.write(`${line}\n`);
}

/** Relation of a report to a limit of `--fail-on`, and the comparisons that are the reason; none where it is kept. */
interface JudgedLimit {
  readonly limit: FailLimit;
  readonly outcome: 'kept' | 'exceeded' | 'open' | 'unknown';
  readonly by: readonly Comparison[];
}

/**
 * A limit is `exceeded` if the whole interval of a comparison lies above it, `open` if a part of one does that `--undecided` does not let pass, and `unknown` if a
 * comparison lacks the metric. `time` is the time that decides, or where a resource decides the first time beside it.
 */
function judgeLimit(
  { comparisons }: Pick<Report, 'comparisons'>,
  { limit, undecided, layoutProof }: { readonly limit: FailLimit } & Pick<OutputChoices, 'undecided' | 'layoutProof'>,
): JudgedLimit {
  const { metric, share } = limit;
  const found = comparisons
    .filter((one) => one.controlOf === undefined && !(layoutProof === true && metric === 'time' && isSuspected(one)))
    .map((comparison) => {
      const isMeant = (one: Metric): boolean => one === metric || (metric === 'time' && !isResourceMetric(one));
      // A verdict that was refused or not confirmed leaves nothing excluded.
      const isRefused = comparison.bounds.high === Number.MAX_VALUE;
      const { interval: own } = comparison;
      if (isMeant(comparison.metric)) {
        return { comparison, interval: isRefused ? { ...own, low: 0, high: Number.MAX_VALUE } : own };
      }
      const other = comparison.otherMetrics.find((one) => isMeant(one.metric));
      return { comparison, interval: other?.interval ?? null };
    });
  const most = undecided === 'pass' ? Infinity : Math.max(share, undecided === 'fail' ? 0 : undecided);
  const those = (outcome: JudgedLimit['outcome'], isOne: (interval: Interval | null) => boolean): JudgedLimit => ({
    limit,
    outcome,
    by: found.filter(({ interval }) => isOne(interval)).map(({ comparison }) => comparison),
  });
  const judged = [
    those('exceeded', (interval) => interval !== null && interval.low > 1 + share),
    those('unknown', (interval) => interval === null),
    those('open', (interval) => interval !== null && interval.high > 1 + most),
  ];
  return judged.find(({ by }) => by.length > 0) ?? { limit, outcome: 'kept', by: [] };
}

const mostNamed = 3;

const limitWords: Readonly<Record<Exclude<JudgedLimit['outcome'], 'kept'>, string>> = {
  exceeded: 'exceeded by',
  open: 'not excluded for',
  unknown: 'not judged, since it was not measured for',
};

/** `limit rss>5%: exceeded by sort`; nothing for a limit that is kept. */
function limitLines(
  report: Pick<Report, 'comparisons'>,
  { limits, ...choices }: Pick<OutputChoices, 'limits' | 'undecided' | 'layoutProof'>,
): readonly string[] {
  return limits.flatMap((one) => {
    const { outcome, by, limit } = judgeLimit(report, { limit: one, ...choices });
    if (outcome === 'kept') return [];
    const text = `limit ${limit.metric}>${formatShare(limit.share).replaceAll(' ', '')}`;
    return [`${text}: ${limitWords[outcome]} ${firstNames(by)}`];
  });
}

function firstNames(all: readonly Parameters<typeof nameOf>[0][]): string {
  const names = all.slice(0, mostNamed).map(nameOf).join(', ');
  return all.length > mostNamed ? `${names} and ${all.length - mostNamed} more` : names;
}

/** Longest list of benchmarks behind a gate that was not measured. */
const mostMissed = 5;

/** The outcome of a gate that was asked for; of one that was not measured what it could have missed, and how much longer would do. */
function gateLines({ comparisons, gate }: Report, { failOn }: Pick<OutputChoices, 'failOn'>): readonly string[] {
  if (failOn === null || gate.reason === 'nothing-judged') return [];
  if (gate.outcome === 'passed') return ['gate passed'];
  if (gate.outcome === 'failed') {
    return [`gate failed: ${firstNames(gate.benchmarks.filter(({ outcome }) => outcome === 'failed'))}`];
  }
  if (gate.outcome !== 'not-measured') return [];
  const open = gate.benchmarks.filter(({ outcome }) => outcome === 'not-measured');
  const keys = new Set(open.map(comparisonKey));
  const outlooks = comparisons
    .filter((one) => one.controlOf === undefined && keys.has(comparisonKey(one)))
    .flatMap(({ outlook }) => (outlook === null ? [] : [outlook.moreTimeNs]));
  const longer = outlooks.length < open.length ? null : outlooks.reduce((sum, ns) => sum + ns, 0);
  return [
    ...open.slice(0, mostMissed).map((one) => `gate not measured: ${nameOf(one)} ${missedShare(one, gate.against)}`),
    ...(open.length > mostMissed ? [`gate not measured: ${open.length - mostMissed} more`] : []),
    longer === null
      ? 'more runs may decide; --undecided pass or a limit such as 5% lets it pass'
      : `about ${Math.ceil(longer / 1e9)} s more would decide; --undecided pass or a limit such as 5% lets it pass`,
  ];
}

/**
 * The exit code of a finished report: refused when a control fired, a failure when nothing was compared although a gate was asked for, `slower` where the gate
 * that was asked for failed or a limit is exceeded, `notMeasured` where neither that nor the opposite was shown, else done.
 */
export function exitCodeOfReport(
  { comparisons, gate }: Pick<Report, 'comparisons' | 'gate'>,
  { limits, ...choices }: GateChoices & Pick<OutputChoices, 'limits'>,
): ExitCode {
  const { failOn } = choices;
  if (gate.reason === 'nothing-judged') {
    // A single run that somebody only looks at is no failure; a gate that compared nothing is.
    return failOn !== null || limits.length > 0 ? exitCodes.workload : exitCodes.done;
  }
  if (gate.outcome === 'abstained') return exitCodes.environment;
  const { outcome } = decideGate(gate, policyOf(choices));
  const judged = new Set(limits.map((limit) => judgeLimit({ comparisons }, { limit, ...choices }).outcome));
  if ((failOn !== null && outcome === 'failed') || judged.has('exceeded')) return exitCodes.slower;
  const isOpen = (failOn !== null && outcome === 'not-measured') || judged.has('open') || judged.has('unknown');
  return isOpen ? exitCodes.notMeasured : exitCodes.done;
}

/** The pipeline that this process is a step of, by the variables of GitHub and GitLab; `null` outside of both. */
function pipelineOf(variables: Readonly<Record<string, string | undefined>>): Pipeline | null {
  function valueOf(name: string): string | null {
    const value = variables[name] ?? '';
    return value === '' ? null : value;
  }
  const repository = valueOf('GITHUB_REPOSITORY');
  if (valueOf('GITHUB_ACTIONS') === 'true' && repository !== null) {
    const projectUrl = `${valueOf('GITHUB_SERVER_URL') ?? 'https://github.com'}/${repository}`;
    const run = valueOf('GITHUB_RUN_ID');
    const runUrl = run === null ? null : `${projectUrl}/actions/runs/${run}`;
    return {
      project: repository,
      projectUrl,
      commitPath: '/commit/',
      runUrl,
      artifactsUrl: runUrl === null ? null : `${runUrl}#artifacts`,
      folder: valueOf('GITHUB_WORKSPACE'),
    };
  }
  if (valueOf('GITLAB_CI') !== 'true') return null;
  const job = valueOf('CI_JOB_URL');
  return {
    project: valueOf('CI_PROJECT_PATH'),
    projectUrl: valueOf('CI_PROJECT_URL'),
    commitPath: '/-/commit/',
    runUrl: job,
    artifactsUrl: job === null ? null : `${job}/artifacts/browse`,
    folder: valueOf('CI_PROJECT_DIR'),
  };
}
