import { parseText, UsageError } from 'deadheat/settings';
import { writeReport } from './report.ts';
import type { Subcommand } from '../subcommand.ts';

interface RawReportOptions {
  readonly output?: string;
  readonly svg?: string;
  readonly open?: boolean;
  readonly segments?: boolean;
}

/** `deadheat report [RECORDING]`: everything about an experiment as one HTML file. */
export const report: Subcommand = ({ create, choose }) =>
  create('report')
    .summary('a recording as an HTML page, and its plots as SVG')
    .description(
      'Writes a recording as one HTML file that needs no network: verdicts first, then every benchmark with its times, ' +
        'ratios, distributions and warnings. Every experiment leaves one in its recording; this makes it again. ' +
        'RECORDING is a recording or a folder of recordings, which stands for its newest (default: .deadheat).',
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
      'file to write (default: report.html in the recording; - = stdout)',
      parseText('--output', 'the name of a file, or -'),
    )
    .option('--svg <DIR>', 'also write every plot as an SVG file there', parseText('--svg', 'the name of a folder'))
    .option('--segments', 'look for change points also where that takes long')
    .option('--open', 'open it: by the program that BROWSER names, else that of the system')
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Examples:
  deadheat report --open
      the newest recording here
  deadheat report --svg plots .deadheat/20260102T030405Z-gzip
      its plots for a paper or a wiki`,
    );
