import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  exitCodes,
  type ExitCode,
  exportOption,
  group,
  option,
  reportStream,
  resolveTerminalStyle,
  styleOptions,
  type Terminal,
  text,
  type ValuesOf,
  writeExport,
  writeText,
} from '@deadheat/cli/kit';
import { DeadheatError } from '@deadheat/model';
import { renderStudy, studyCsv } from '@deadheat/report';
import { renderStudyFiles, type StudyFile } from './render-study-files.ts';
import type { Study } from './study.ts';

const outputs = {
  export: exportOption({ json: 'the tables', csv: 'all tables in one file' }),
  ...styleOptions,
  figures: option('--figures <DIR>', {
    help: 'write study.html with all tables and figures into this folder, and each figure as SVG with its data as CSV',
    parse: text('a folder'),
  }),
};

/** Values of {@link studyOutputOptions}. */
export type StudyOutput = ValuesOf<typeof outputs>;

/** The options for the tables and figures of a study. */
export const studyOutputOptions: typeof outputs = group('Output:', outputs);

/** Shows a study and writes its exports. Returns the exit code. */
export function writeStudy(
  made: Study,
  {
    recordings,
    output: { export: exports, style: choice, figures },
    terminal,
  }: { readonly recordings: readonly string[]; readonly output: StudyOutput; readonly terminal: Terminal },
): ExitCode {
  const stream = terminal[reportStream(exports)];
  stream.write(renderStudy(made, resolveTerminalStyle(choice, { stream, variables: terminal.env })));
  const { figures: _drawn, ...plain } = made;
  const result = { schema: 'deadheat.study/1', recordings, ...plain };
  writeExport(exports.json, { content: `${JSON.stringify(result, null, 2)}\n`, terminal });
  writeExport(exports.csv, { content: studyCsv(made), terminal });
  if (figures !== null) writeFigures(figures, renderStudyFiles(made, { recordings }));
  return exitCodes.done;
}

/**
 * Writes the files of a study into a folder, which it makes.
 *
 * @throws DeadheatError `NOT_WRITABLE` for a folder that cannot be made; as `writeText`
 */
export function writeFigures(folder: string, files: readonly StudyFile[]): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw new DeadheatError('NOT_WRITABLE', `${folder} cannot be made: ${(cause as Error).message}`, {
      cause,
      hint: 'Name a folder in one that is yours.',
    });
  }
  for (const { name, content } of files) writeText(join(folder, name), content);
}
