import {
  fitExperiment,
  obstacleHere,
  pendingRestore,
  readPressure,
  settingFiles,
  tuningDirectory,
} from '@deadheat/engine';
import type { Method } from '@deadheat/model';
import { formatStretch } from '@deadheat/report';
import type { StyleChoice } from '../../arguments/invocation.ts';
import { measureClock } from './clock-cost.ts';
import type { Diagnosis, DoctorMeasurement } from './diagnosis.ts';
import { doctorDraft } from './doctor-draft.ts';
import type { DoctorFacts } from './doctor-facts.ts';
import { doctorMethods, type DoctorRequest } from './doctor-request.ts';
import { findDisturbances } from './find-disturbances.ts';
import { layoutFixer } from './layout-fixer.ts';
import { measureMachine } from './measure-machine.ts';
import { exitCodes, type ExitCode } from '../../errors/exit-codes.ts';
import { reportStream } from '../../export/report-stream.ts';
import { createProgressReporter } from '../../terminal/progress-reporter.ts';
import { renderDiagnosis } from './render-diagnosis.ts';
import { resolveTerminalStyle } from '../../terminal/style.ts';
import { tool } from '../../version.ts';
import { checkExports, writeExport } from '../../experiment/finish.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface DoctorChoices {
  readonly request: DoctorRequest;
  /** Whether anything is measured. */
  readonly measures: boolean;
  /** File for the diagnosis as JSON; `-` = standard output, `null` = nowhere. */
  readonly json: string | null;
  readonly style: StyleChoice;
}

/** What the machine says of itself, read before anything of ours disturbs it. */
interface Look extends Omit<DoctorFacts, 'disturbances'> {
  /** Those that it can offer. */
  readonly methods: readonly Method[];
}

/** `deadheat doctor`. Returns the exit code. */
export async function doctor(choices: DoctorChoices, terminal: Terminal): Promise<ExitCode> {
  const { request, measures, json } = choices;
  const exports = { json };
  checkExports(exports);
  const look = await lookAround(request);
  const measured = measures ? await withInterruption((signal) => measure(look, { choices, terminal, signal })) : null;
  if (typeof measured === 'number') return measured;
  const { machine, cpus, pressure, clock } = look;
  const diagnosis: Diagnosis = {
    schema: 'deadheat.doctor/1',
    tool,
    machine,
    cpus,
    pressure,
    clock,
    measured,
    findings: findDisturbances({ ...look, disturbances: measured?.disturbances ?? null }),
    tuned: pendingRestore(settingFiles(), { directory: tuningDirectory }),
  };
  const stream = terminal[reportStream(exports)];
  stream.write(renderDiagnosis(diagnosis, resolveTerminalStyle(choices.style, { stream, variables: terminal.env })));
  writeExport(json, { content: `${JSON.stringify(diagnosis, null, 2)}\n`, terminal });
  return exitCodes.done;
}

async function lookAround(request: DoctorRequest): Promise<Look> {
  const pressure = { cpu: readPressure('cpu')?.share10 ?? null, memory: readPressure('memory')?.share10 ?? null };
  const nothing = doctorDraft(request, { sized: [], methods: [], runs: 1, limitNs: null, fixLayout: null });
  const { machine, config } = await fitExperiment(nothing);
  const methods = doctorMethods.filter((method) => obstacleHere(method, request.cpus) === null);
  const obstacle = obstacleHere('sync-duet', request.cpus);
  return { machine, cpus: config.cpus, pressure, clock: measureClock(), obstacle, methods };
}

/** What was measured, or the exit code when that came to nothing. */
async function measure(
  { cpus, methods }: Look,
  {
    choices: { request, style },
    terminal,
    signal,
  }: { readonly choices: DoctorChoices; readonly terminal: Terminal; readonly signal: AbortSignal },
): Promise<DoctorMeasurement | ExitCode> {
  const say = (text: string): void => {
    if (style !== 'none') terminal.stderr.write(`deadheat: ${text}\n`);
  };
  const progress = createProgressReporter({
    stream: terminal.stderr,
    style: resolveTerminalStyle(style, { stream: terminal.stderr, variables: terminal.env }),
    now: () => performance.now(),
  });
  say(`calibrating ${request.workloads.join(', ')}`);
  try {
    const result = await measureMachine(request, {
      cpus,
      methods,
      fixLayout: layoutFixer(terminal.env),
      signal,
      onPlan: ({ runs, expectedNs, limitNs }) => {
        const limit = limitNs === null ? '' : `; none begins after ${formatStretch(limitNs)}`;
        say(
          `measuring ${runs} runs by each method, each workload against itself: about ${formatStretch(expectedNs)}${limit}`,
        );
      },
      onEvent: progress.handle,
    });
    progress.close();
    if (result.kind === 'done') return result.measurement;
    const failures = result.kind === 'failed' ? result.failures.map(({ message }) => message) : ['interrupted'];
    for (const message of failures) terminal.stderr.write(`deadheat: ${message}\n`);
    return result.kind === 'failed' ? exitCodes.workload : exitCodes.interrupted;
  } finally {
    progress.close();
  }
}
