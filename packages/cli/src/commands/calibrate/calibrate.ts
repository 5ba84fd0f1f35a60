import { iterationsToSeeShift } from '@deadheat/analysis';
import { startExperiment, type ExperimentDraft } from '@deadheat/engine';
import type { Benchmark } from '@deadheat/model';
import type { CompareInvocation } from '../../arguments/invocation.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { reportStream } from '../../export/report-stream.ts';
import { calibrationTables } from './calibration-tables.ts';
import { renderStudy } from '../../terminal/study-table.ts';
import { resolveTerminalStyle } from '../../terminal/style.ts';
import { tool } from '../../version.ts';
import { draftOfCommands } from '../../experiment/draft-of-commands.ts';
import { calibrationParameter, readCalibration, type LengthOfRuns } from '../../calibration/read-calibration.ts';
import { writeExport } from '../../experiment/finish.ts';
import { runWithProgress } from '../../experiment/run-with-progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** How long and how many the runs of a calibration are. */
export interface CalibrationDesign {
  /** Rarest shifts to be seen, shifts an iteration. */
  readonly shiftRate: number;
  readonly longRuns: number;
  readonly shortRuns: number;
  /** Measured iterations of a short run. */
  readonly shortIterations: number;
  /** Iterations before the measured ones, in every run. */
  readonly warmup: number;
}

/** `deadheat calibrate`. Returns the exit code. */
export async function calibrateCommands(
  invocation: CompareInvocation,
  { design, terminal }: { readonly design: CalibrationDesign; readonly terminal: Terminal },
): Promise<number> {
  const draft = draftOfCommands(invocation, terminal);
  return runWithProgress(
    (control) =>
      startExperiment({
        ...control,
        draft: toCalibration(draft, design),
        directory: invocation.output,
        parent: '.deadheat',
        tool,
      }),
    {
      choices: invocation,
      terminal,
      show: async ({ directory }) => {
        const programs = await readCalibration(directory);
        const stream = terminal[reportStream(invocation.exports)];
        const style = resolveTerminalStyle(invocation.style, { stream, variables: terminal.env });
        stream.write(renderStudy({ tables: calibrationTables(programs) }, style));
        if (!style.quiet) stream.write(`\nPlan an experiment with it: deadheat plan '${directory}' --budget 10m\n`);
        const content = `${JSON.stringify({ schema: 'deadheat.calibration/1', directory, programs }, null, 2)}\n`;
        writeExport(invocation.exports.json, { content, terminal });
        return exitCodes.done;
      },
    },
  );
}

/** Every benchmark twice, in long runs and in short ones. */
function toCalibration(draft: ExperimentDraft, design: CalibrationDesign): ExperimentDraft {
  const entry = (benchmark: Benchmark, length: LengthOfRuns): Benchmark => ({
    ...benchmark,
    params: { ...benchmark.params, [calibrationParameter]: length },
    own: {
      ...benchmark.own,
      stop: { kind: 'runs', runs: length === 'long' ? design.longRuns : design.shortRuns },
      maxTimeNs: null,
      leastRuns: 1,
      warmup: { kind: 'fixed', iterations: design.warmup },
      iterations: design.warmup + (length === 'long' ? iterationsToSeeShift(design.shiftRate) : design.shortIterations),
    },
  });
  return {
    ...draft,
    benchmarks: draft.benchmarks.flatMap((benchmark) => [entry(benchmark, 'long'), entry(benchmark, 'short')]),
  };
}
