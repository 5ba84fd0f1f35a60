import type { Study } from '@deadheat/analysis';
import type { OutputChoices } from '../arguments/invocation.ts';
import { exitCodes, type ExitCode } from '../errors/exit-codes.ts';
import { reportStream } from '../export/report-stream.ts';
import { studyCsv } from './study-csv.ts';
import { renderStudy } from './study-table.ts';
import { resolveTerminalStyle } from './style.ts';
import { writeExport } from '../experiment/finish.ts';
import type { Terminal } from './terminal.ts';

/** What a study is of, and where it goes. */
export interface WrittenStudy {
  readonly recordings: readonly string[];
  readonly choices: OutputChoices;
  readonly terminal: Terminal;
}

/** Shows a study and writes its exports. Returns the exit code. */
export function writeStudy(made: Study, { recordings, choices, terminal }: WrittenStudy): ExitCode {
  const stream = terminal[reportStream(choices.exports)];
  const style = resolveTerminalStyle(choices.style, { stream, variables: terminal.env });
  stream.write(renderStudy(made, style));
  const result = { schema: 'deadheat.study/1', recordings, ...made };
  writeExport(choices.exports.json, { content: `${JSON.stringify(result, null, 2)}\n`, terminal });
  writeExport(choices.exports.csv, { content: studyCsv(made), terminal });
  return exitCodes.done;
}
