import { existsSync, writeFileSync } from 'node:fs';
import { planDimensions, type PlanningGoal } from '@deadheat/analysis';
import { configOf, type Experiment, type Side } from '@deadheat/model';
import { stringify } from 'yaml';
import type { StyleChoice } from '../../arguments/invocation.ts';
import { exitCodes, type ExitCode } from '../../errors/exit-codes.ts';
import { UsageError } from 'deadheat/settings';
import { planTables } from './plan-tables.ts';
import { renderStudy } from '../../terminal/study-table.ts';
import { resolveTerminalStyle } from '../../terminal/style.ts';
import { checkExports, writeExport } from '../../experiment/finish.ts';
import { toPlannedFile } from './planned-file.ts';
import type { PlannedProgram } from './planned-program.ts';
import { readCalibration, type CalibratedProgram } from '../../calibration/read-calibration.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export type WantedResult = PlanningGoal;

interface PlanChoices {
  readonly wanted: WantedResult;
  /** What the interval is of. */
  readonly of: Side | 'ratio';
  /** `null` = as calibrated. */
  readonly confidence: number | null;
  /** File for the experiment; `-` = stdout. */
  readonly write: string;
  readonly json: string | null;
  readonly style: StyleChoice;
  readonly terminal: Terminal;
}

/** `deadheat plan`. Returns the exit code. */
export async function planExperiment(recording: string, choices: PlanChoices): Promise<ExitCode> {
  const { of, write, json, terminal } = choices;
  checkExports({ json });
  if (write !== '-' && existsSync(write)) {
    throw new UsageError('BAD_VALUE', `${write} exists already, and a plan overwrites nothing`, {
      hint: 'Move it away, or name another file: --write FILE.',
    });
  }
  const programs = await readCalibration(recording, of);
  const planned = programs.map((program) => planProgram(program, { ...choices, programs: programs.length }));
  const subject = of === 'ratio' ? '' : `side ${of} alone: `;
  const file = `# ${subject}${describe(choices.wanted)}; from ${recording}\n${stringify(toPlannedFile(planned, of))}`;
  const stream = terminal[write === '-' || json === '-' ? 'stderr' : 'stdout'];
  const style = resolveTerminalStyle(choices.style, { stream, variables: terminal.env });
  stream.write(renderStudy({ tables: planTables(planned, of) }, style));
  if (write === '-') terminal.stdout.write(file);
  else {
    writeFileSync(write, file, { flag: 'wx' });
    const then = of === 'ratio' ? '' : `, then see the interval of ${of}: deadheat analyse --segments .deadheat`;
    if (!style.quiet) stream.write(`\nwritten: ${write}; run it with: deadheat run ${write}${then}\n`);
  }
  const data = planned.map(({ program: { entry, costs, benchmarks }, dimensions, warmup, confidence, lanes }) => ({
    program: entry.name,
    method: methodOf(programs[0]?.experiment, entry),
    ...dimensions,
    timeNs: dimensions.timeNs / lanes,
    warmup,
    confidence,
    costs,
    benchmarks: benchmarks.map(({ benchmark, params, model }, k) => ({
      benchmark,
      params,
      model,
      halfWidth: dimensions.halfWidths[k],
      optimal: dimensions.optimal[k],
    })),
  }));
  const content = `${JSON.stringify({ schema: 'deadheat.planned/1', of, goal: choices.wanted, programs: data }, null, 2)}\n`;
  writeExport(json, { content, terminal });
  return exitCodes.done;
}

function methodOf(experiment: Experiment | undefined, entry: CalibratedProgram['entry']): string | null {
  return experiment === undefined ? null : configOf(experiment.config, entry).method;
}

function planProgram(
  program: CalibratedProgram,
  { wanted, confidence: asked, programs }: PlanChoices & { readonly programs: number },
): PlannedProgram {
  const config = configOf(program.experiment.config, program.entry);
  const confidence = asked ?? config.confidence;
  const lanes = config.method === 'tandem' ? config.lanes : 1;
  const goal: PlanningGoal =
    wanted.kind === 'budget' ? { ...wanted, timeNs: (wanted.timeNs * lanes) / programs } : wanted;
  const dimensions = planDimensions({
    models: program.benchmarks.map(({ model }) => model),
    costs: program.costs,
    goal,
    rules: { confidence },
  });
  if (dimensions === null) {
    const least = `a run costs ${(program.costs.runNs / 1e9).toFixed(1)} s before its first measured iteration`;
    throw new UsageError('BAD_VALUE', `${program.entry.name}: nothing reaches this (${describe(wanted)}); ${least}`, {
      hint: wanted.kind === 'budget' ? 'Give it at least five runs: a larger --budget.' : 'Ask for less.',
    });
  }
  const { warmup } = config;
  return { program, dimensions, warmup: warmup.kind === 'fixed' ? warmup.iterations : 0, confidence, lanes };
}

function describe(wanted: WantedResult): string {
  const percent = (share: number): string => `${Number((100 * share).toPrecision(4))} %`;
  switch (wanted.kind) {
    case 'budget':
      return `the most that can be known in ${Math.round(wanted.timeNs / 1e9)} s`;
    case 'half-width':
      return `an interval of at most ${percent(Math.expm1(wanted.halfWidth))} to each side`;
    case 'detect':
      return `a slowdown of ${percent(wanted.slowdown)} found in ${percent(wanted.power)} of experiments`;
  }
}
