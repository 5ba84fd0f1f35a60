import {
  sides,
  type Comparison,
  type Experiment,
  type HyperfineResult,
  type Report,
  type Side,
  type Warning,
} from '@deadheat/model';
import type { GateResult } from '../gate/judge-gate.ts';
import { steadyStatesOf } from '../steady-state/steady-states.ts';

/** Parts of a report. */
interface ReportParts {
  readonly experiment: Experiment;
  readonly comparisons: readonly Comparison[];
  readonly gate: GateResult;
  /** Folder of the recording, as it is to be named in the report. */
  readonly directory: string;
  /** Result files of other tools, where there is no recording. */
  readonly files?: readonly string[];
  /** True if every planned run is in. */
  readonly complete: boolean;
  /** Beside the experiment's own. */
  readonly warnings: readonly Warning[];
}

function withoutRepeats(warnings: readonly Warning[]): Warning[] {
  return [...new Map(warnings.map((warning) => [`${warning.code} ${warning.message}`, warning])).values()];
}

/** The report of an experiment and its result. */
export function reportOf(parts: ReportParts): Report {
  const { experiment, comparisons, files } = parts;
  const { hosts, parts: divided } = experiment;
  const { config } = experiment;
  const window = comparisons.find(({ segments }) => segments !== undefined)?.segments?.window;
  const benchmarks = steadyStatesOf(comparisons);
  return {
    schema: 'deadheat.report/1',
    tool: experiment.tool,
    experiment: {
      id: experiment.id,
      name: config.name,
      startedAt: experiment.startedAt,
      seed: config.seed,
      method: config.pilotRuns === 0 ? config.method : (comparisons[0]?.method ?? config.method),
      confidence: config.confidence,
      margin: config.margin,
      recording: parts.directory,
      ...(files === undefined ? {} : { files: [...files] }),
      ...(experiment.project === undefined ? {} : { project: experiment.project }),
      ...(experiment.commits === undefined ? {} : { commits: experiment.commits }),
      complete: parts.complete,
      ...(divided === undefined ? {} : { parts: { count: divided.count, taken: [...divided.taken] } }),
    },
    machine: files === undefined ? experiment.machine : null,
    ...(hosts === undefined || hosts.length < 2 ? {} : { hosts: [...hosts] }),
    comparisons: [...comparisons],
    results: comparisons.flatMap((comparison) => sides.map((side) => hyperfineResult(comparison, side))),
    gate: parts.gate.gate,
    ...(window === undefined || benchmarks.length === 0 ? {} : { steadyStates: { window, benchmarks } }),
    warnings: withoutRepeats([...experiment.warnings, ...parts.warnings, ...parts.gate.warnings]),
  };
}

/** One side of a comparison in the shape of hyperfine's `results`; `command` is the name, as hyperfine's own export has it. */
function hyperfineResult(comparison: Comparison, side: Side): HyperfineResult {
  const { name, mean, stddev, median, user, system, min, max, times, exitCodes } = comparison.sides[side];
  const result = { command: name, mean, stddev, median, user, system, min, max, times, exit_codes: exitCodes };
  return Object.keys(comparison.params).length === 0 ? result : { ...result, parameters: comparison.params };
}
