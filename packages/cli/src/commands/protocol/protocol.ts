import { checkProtocol } from '@deadheat/engine';
import type { Side } from '@deadheat/model';
import { exitCodes, type ExitCode } from '../../errors/exit-codes.ts';
import { createScenarioReporter } from './scenario-reporter.ts';
import { renderProtocolCheck } from './render-protocol-check.ts';
import { resolveTerminalStyle } from '../../terminal/style.ts';
import { checkExports, writeExport } from '../../experiment/finish.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface ProtocolCheckChoices {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  readonly sides: readonly Side[];
  /** How long each step of the program may take. */
  readonly timeoutNs: number;
  /** File for the JSON; `-` = stdout, `null` = none. */
  readonly json: string | null;
}

/** `deadheat protocol check`. Returns the exit code. */
export async function runProtocolCheck(choices: ProtocolCheckChoices, terminal: Terminal): Promise<ExitCode> {
  const { json, argv, sides, timeoutNs } = choices;
  checkExports({ json });
  const { stdout, stderr, env } = terminal;
  const progress = createScenarioReporter({
    stream: stderr,
    style: resolveTerminalStyle('auto', { stream: stderr, variables: env }),
  });
  const check = await withInterruption(async (signal) => {
    try {
      return await checkProtocol({ argv, sides, timeoutNs, signal, onScenario: progress.show });
    } finally {
      progress.close();
    }
  });
  const stream = json === '-' ? stderr : stdout;
  stream.write(renderProtocolCheck(check, resolveTerminalStyle('auto', { stream, variables: env })));
  writeExport(json, { content: `${JSON.stringify(check, null, 2)}\n`, terminal });
  return check.holds ? exitCodes.done : exitCodes.workload;
}
