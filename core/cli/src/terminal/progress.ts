import { RunningRatio } from '@deadheat/analysis';
import { configOf, type EngineEvent, type Progress } from '@deadheat/model';
import { countOf, formatRatio, formatStretch, printable, createColors } from '@deadheat/report';
import { eraseLine } from './guarded.ts';
import { type TerminalStyle } from './style.ts';

/** Where progress is written. */
export interface ProgressStream {
  readonly write: (text: string) => unknown;
}

/** A sink for the engine's events. */
export interface ProgressReporter {
  readonly handle: (event: EngineEvent) => void;
  /** Erases the line that is being redrawn; to be called before anything else is written, and at the end. */
  readonly close: () => void;
}

const redrawMs = 100;
/** Below this share a guess of the time left is worth nothing. */
const leastShare = 0.05;

/**
 * Writes the progress of an experiment to `stream`. An interactive style redraws one line, only when a trial has finished
 * and at most ten times a second, so that nothing is drawn while a run is being timed; any other style writes a line
 * at the start and one at the end. `now` is in milliseconds. The line has the ratio of the runs so far, where commands are timed.
 */
export function createProgressReporter({
  stream,
  style,
  now,
}: {
  readonly stream: ProgressStream;
  readonly style: TerminalStyle;
  readonly now: () => number;
}): ProgressReporter {
  const colors = createColors(style);
  let names: readonly string[] = [];
  let ratios: readonly RunningRatio[] = [];
  let confidence = 0;
  let leastRuns = 0;
  let startedMs = 0;
  let drawnMs = Number.NEGATIVE_INFINITY;
  let shown = false;

  const close = (): void => {
    if (shown) stream.write(eraseLine);
    shown = false;
  };
  const draw = (progress: Progress): void => {
    if (now() - drawnMs < redrawMs) return;
    drawnMs = now();
    const ratio = ratios[progress.benchmark]?.ratio(confidence) ?? null;
    const soFar = ratio === null ? '' : `, so far ${formatRatio(ratio)}`;
    const line = clip(progressLine(progress, { names, leastRuns, soFar }), (style.width ?? 80) - 1);
    stream.write(`${eraseLine}${colors.dim(line)}`);
    shown = true;
  };
  const handle = (event: EngineEvent): void => {
    if (style.quiet) return;
    switch (event.kind) {
      case 'experiment-started':
        names = event.experiment.config.benchmarks.map(({ name }) => printable(name));
        ratios = names.map(() => new RunningRatio());
        confidence = event.experiment.config.confidence;
        leastRuns = event.experiment.config.leastRuns;
        startedMs = now();
        if (style.interactive) draw({ benchmark: 0, runs: 0, expectedRuns: null, elapsedNs: 0, share: 0, done: false });
        else stream.write(`${startLine(event)}\n`);
        break;
      case 'trial-finished':
        ratios[event.trial.benchmark]?.add(event.trial);
        if (style.interactive) draw(event.progress);
        break;
      case 'warning':
        break;
      case 'experiment-finished':
        close();
        if (!style.interactive) {
          stream.write(`deadheat: measured in ${formatStretch((now() - startedMs) * 1e6)}\n`);
        }
        break;
    }
  };
  return { handle, close };
}

function startLine({
  experiment,
  directory,
  resumedTrials,
}: Extract<EngineEvent, { kind: 'experiment-started' }>): string {
  const { seed, benchmarks, lanes } = experiment.config;
  const resumed = resumedTrials === 0 ? '' : `, ${countOf(resumedTrials, 'run')} recorded before`;
  const what = benchmarks.length === 1 ? '' : `${countOf(benchmarks.length, 'comparison')}, `;
  const methods = new Set(
    benchmarks.map((benchmark) => {
      const { method, pilotRuns } = configOf(experiment.config, benchmark);
      return pilotRuns > 0 ? 'auto' : method;
    }),
  );
  const asked = methods.size === 1 && methods.has('auto') ? 'method auto' : [...methods].join(', ');
  const many = lanes > 1 ? `, ${countOf(lanes, 'lane')}` : '';
  return `deadheat: ${what}${asked}${many}, seed ${printable(seed)}, recording ${printable(directory)}${resumed}`;
}

function progressLine(
  { benchmark, runs, expectedRuns, elapsedNs, share }: Progress,
  {
    names,
    leastRuns,
    soFar,
  }: { readonly names: readonly string[]; readonly leastRuns: number; readonly soFar: string },
): string {
  const position = names.length > 1 ? `${benchmark + 1} of ${names.length}: ` : '';
  // No time limit counts before there are so many.
  const open = runs < leastRuns ? `${runs} of at least ${countOf(leastRuns, 'run')}` : countOf(runs, 'run');
  const count = expectedRuns === null ? open : `${runs} of ${countOf(expectedRuns, 'run')}`;
  const left =
    share >= leastShare && share < 1 ? `, about ${formatStretch((elapsedNs * (1 - share)) / share)} left` : '';
  return `${position}${count}, ${Math.floor(share * 100)} %${left}${soFar}  ${names[benchmark] ?? ''}`;
}

function clip(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`;
}

/** Between two lines where a line cannot be redrawn. */
const lineMs = 10_000;

/** Progress of a computation. */
export interface WorkProgress {
  /** Adds `pieces` to those that are done. */
  readonly advance: (pieces: number) => void;
  /** Erases the line that is being redrawn, or says how long it took. */
  readonly close: () => void;
}

/**
 * Writes the progress of work on `total` pieces and its remaining duration to `stream`. An interactive style redraws one line, any other
 * writes a line at the start, every ten seconds and at the end.
 *
 * @param what names the pieces, such as `experiments`
 */
export function createWorkProgress(
  { what, total }: { readonly what: string; readonly total: number },
  {
    stream,
    style,
    now,
  }: { readonly stream: ProgressStream; readonly style: TerminalStyle; readonly now: () => number },
): WorkProgress {
  const started = now();
  let done = 0;
  let writtenMs = started;
  const write = (): void => {
    if (style.quiet || now() - writtenMs < (style.interactive ? redrawMs : lineMs)) return;
    writtenMs = now();
    const left = ((now() - started) * (total - done)) / done;
    const line = `${done} of ${total} ${what}, about ${formatStretch(left * 1e6)} left`;
    if (style.interactive) {
      stream.write(`${eraseLine}${createColors(style).dim(line.slice(0, (style.width ?? 80) - 1))}`);
    } else stream.write(`deadheat: ${line}\n`);
  };
  if (!style.quiet) stream.write(style.interactive ? `${total} ${what}` : `deadheat: ${total} ${what}\n`);
  return {
    advance: (pieces) => {
      done += pieces;
      if (done > 0 && done < total) write();
    },
    close: () => {
      if (style.quiet) return;
      if (style.interactive) stream.write(eraseLine);
      else stream.write(`deadheat: ${done} of ${total} ${what} in ${formatStretch((now() - started) * 1e6)}\n`);
    },
  };
}
