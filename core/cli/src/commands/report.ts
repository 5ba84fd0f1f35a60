import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { reportRecorded } from '@deadheat/engine';
import { writeNamedFile } from '@deadheat/recording';
import { recordingFiles } from '@deadheat/model';
import { countOf, renderPage, renderPlots } from '@deadheat/report';
import { UsageError } from 'deadheat/settings';
import { type Command, defineCommand } from '../command/define-command.ts';
import { flag, option, text } from '../command/option.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { checkWritable, writeText } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `deadheat report`: the page of a recording, and its plots. */
export const report: Command = defineCommand({
  description:
    'Writes a report of a recording as one HTML file, which needs no network. It shows the verdicts first, then the times, ratios, distributions and warnings of each benchmark. Every experiment stores such a report in its recording; this subcommand writes it again. RECORDING is a recording, or a folder of recordings, of which the newest is used (default: .deadheat).',
  usage: '[options] [RECORDING]',
  args: { '[recording]': 'the folder of a recording, or of recordings' },
  options: {
    file: option('--file <FILE>', {
      help: 'file to write; - = standard output',
      parse: text('the name of a file, or -'),
      fallback: 'report.html in the recording',
    }),
    svg: option('--svg <DIR>', {
      help: 'also write each plot as an SVG file into this folder',
      parse: text('the name of a folder'),
    }),
    segments: flag('--segments', { help: 'search for change points, even if that takes a long time' }),
    open: flag('--open', {
      help: 'open the report in the program that the variable BROWSER names, or else in the standard browser of the system',
    }),
  },
  act: async ({ file, svg, segments, open }, { recording }, { stdout, stderr, env }) => {
    if (open && file === '-') {
      throw new UsageError('CONFLICT', '--open needs a file, and --file - writes none', {
        hint: 'Leave one of them out.',
      });
    }
    if (file !== null && file !== '-') checkWritable('--file', file);
    if (svg !== null) makeFolder(svg);
    const recorded = await reportRecorded(recording ?? '.deadheat', { segments: segments ? true : 'auto' });
    const page = renderPage(recorded);
    if (file === '-') {
      stdout.write(page);
    } else {
      const path = file ?? join(recorded.directory, recordingFiles.page);
      if (file === null) checkWritable('the report', path);
      await writeNamedFile(path, (handle) => handle.writeFile(page));
      stdout.write(`${path}\n`);
      if (open) openFile(path, { stderr, env });
    }
    if (svg !== null) {
      const plots = renderPlots(recorded);
      for (const { name, svg: content } of plots) writeText(join(svg, name), content);
      stderr.write(`${countOf(plots.length, 'plot')} in ${svg}\n`);
    }
    return exitCodes.done;
  },
  examples: `
Examples:
  deadheat report --open
      write and open the report of the newest recording in this folder
  deadheat report --svg plots .deadheat/20260102T030405Z-gzip
      write the plots as well, for a paper or a wiki`,
});

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
