import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { reportRecorded } from '@deadheat/engine';
import { writeNamedFile } from '@deadheat/recording';
import { recordingFiles } from '@deadheat/model';
import { countOf, renderPage, renderPlots } from '@deadheat/report';
import type { Command } from 'commander';
import { parseText, UsageError } from 'deadheat/settings';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { checkWritable, writeText } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

interface RawReportOptions {
  readonly output?: string;
  readonly svg?: string;
  readonly open?: boolean;
  readonly segments?: boolean;
}

/** `deadheat report [RECORDING]`: everything about an experiment as one HTML file. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  return create('report')
    .description(
      'Writes a report of a recording as one HTML file, which needs no network. It shows the verdicts first, then the times, ratios, distributions and warnings of each benchmark. Every experiment stores such a report in its recording; this subcommand writes it again. RECORDING is a recording, or a folder of recordings, of which the newest is used (default: .deadheat).',
    )
    .usage('[options] [RECORDING]')
    .argument('[recording]')
    .action((path: string | undefined, { output, svg, open = false, segments = false }: RawReportOptions) => {
      if (open && output === '-') {
        throw new UsageError('CONFLICT', '--open needs a file, and --output - writes none', {
          hint: 'Leave one of them out.',
        });
      }
      const request = { path: path ?? '.deadheat', output: output ?? null, svg: svg ?? null, open };
      choose((terminal) => writeReport({ ...request, segments: segments ? true : 'auto' }, terminal));
    })
    .option(
      '--output <FILE>',
      'file to write (default: report.html in the recording; - = standard output)',
      parseText('--output', 'the name of a file, or -'),
    )
    .option(
      '--svg <DIR>',
      'also write each plot as an SVG file into this folder',
      parseText('--svg', 'the name of a folder'),
    )
    .option('--segments', 'search for change points, even if that takes a long time')
    .option(
      '--open',
      'open the report in the program that the variable BROWSER names, or else in the standard browser of the system',
    )
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Examples:
  deadheat report --open
      write and open the report of the newest recording in this folder
  deadheat report --svg plots .deadheat/20260102T030405Z-gzip
      write the plots as well, for a paper or a wiki
`,
    );
}

interface ReportRequest {
  /** Folder of a recording, or of recordings. */
  readonly path: string;
  /** File to write; `null` = `report.html` of the recording, `-` = standard output. */
  readonly output: string | null;
  /** Folder for the plots; `null` = they are not written. */
  readonly svg: string | null;
  readonly open: boolean;
  readonly segments: boolean | 'auto';
}

/** `deadheat report`: the page of a recording, and its plots. Returns the exit code. */
async function writeReport(request: ReportRequest, { stdout, stderr, env }: Terminal): Promise<ExitCode> {
  const { path, output, svg, open, segments } = request;
  if (output !== null && output !== '-') checkWritable('--output', output);
  if (svg !== null) makeFolder(svg);
  const { directory, report, points } = await reportRecorded(path, { segments });
  const page = renderPage({ report, points });
  if (output === '-') {
    stdout.write(page);
  } else {
    const file = output ?? join(directory, recordingFiles.page);
    if (output === null) checkWritable('the report', file);
    await writeNamedFile(file, (handle) => handle.writeFile(page));
    stdout.write(`${file}\n`);
    if (open) openFile(file, { stderr, env });
  }
  if (svg !== null) {
    const plots = renderPlots({ report, points });
    for (const { name, svg: content } of plots) writeText(join(svg, name), content);
    stderr.write(`${countOf(plots.length, 'plot')} in ${svg}\n`);
  }
  return exitCodes.done;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw new UsageError('BAD_VALUE', `--svg '${path}' cannot be made: ${(cause as Error).message}`, {
      hint: 'Name a folder that exists, or one that can be made.',
    });
  }
}

const openers: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' };

/**
 * Shows a file to the user: by the program that BROWSER names, else by that of the system. Goes on at once; a program that is
 * not there is reported on standard error.
 */
function openFile(path: string, { stderr, env }: Pick<Terminal, 'stderr' | 'env'>): void {
  const program = (env['BROWSER'] ?? '') === '' ? (openers[process.platform] ?? 'xdg-open') : (env['BROWSER'] ?? '');
  const child = spawn(program, [resolve(path)], { detached: true, stdio: 'ignore' });
  child.on('error', (error) => {
    stderr.write(
      `deadheat: ${program} cannot be started (${error.message}); open ${path} yourself, or name a program in BROWSER\n`,
    );
  });
  child.unref();
}
