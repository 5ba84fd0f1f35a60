import { Option, type Command } from 'commander';
import type { Exports, FailLimit, FailOn, OutputChoices, StyleChoice } from './invocation.ts';
import { metricSchema } from '@deadheat/model';
import { parseChoice, parseShare, parseText, UsageError } from 'deadheat/settings';
import { addExperimentFlags } from './experiment-flags.ts';
import { exportFlag, exportKey } from './output-keys.ts';
import type { NamedExport, RawOutputOptions } from './raw-options.ts';
import { several } from './values/several.ts';

const styles: readonly StyleChoice[] = ['auto', 'basic', 'full', 'nocolor', 'color', 'none'];

/** Adds the options that say where results go. */
export function addOutputOptions(command: Command): void {
  const file = (flag: string): ((value: string) => string) => parseText(flag, 'the name of a file, or - for stdout');
  command
    .option(
      '--export <FORMAT:FILE>',
      'write the result to a file, in one of the formats that deadheat export --help lists: json:FILE, markdown:FILE, go:FILE; the file - is standard output; may be repeated',
      several(parseNamedExport),
    )
    .option('--export-json <FILE>', 'the same as --export json:FILE', file('--export-json'))
    .option('--export-csv <FILE>', 'the same as --export sides-csv:FILE', file('--export-csv'))
    .option('--export-markdown <FILE>', 'the same as --export markdown:FILE', file('--export-markdown'))
    .option('--export-summary <FILE>', 'the same as --export summary:FILE', file('--export-summary'))
    .option('--export-junit <FILE>', 'the same as --export junit:FILE', file('--export-junit'))
    .addOption(jobSummaryOption());
  addStyleOption(command);
}

/** `--no-summary` as a flag like others, absent where it was not typed: commander would give it a positive twin with a default. */
function jobSummaryOption(): Option {
  const option = new Option(
    '--no-summary',
    'do not write a summary to the file that the variable GITHUB_STEP_SUMMARY names',
  );
  option.negate = false;
  return option;
}

/** Adds the options that say where tables go. */
export function addTableOutputOptions(command: Command): void {
  const file = (flag: string): ((value: string) => string) => parseText(flag, 'the name of a file, or - for stdout');
  command
    .option('--export-json <FILE>', 'write the tables as JSON (- = standard output)', file('--export-json'))
    .option('--export-csv <FILE>', 'write all tables into one CSV file', file('--export-csv'));
  addStyleOption(command);
}

/** Adds the option that says how text is written. */
export function addStyleOption(command: Command): void {
  command.option(
    '--style <STYLE>',
    'style of the text output: auto, basic, full, nocolor, color or none; auto chooses by the terminal and the variable NO_COLOR (default: auto)',
    parseChoice('--style', styles),
  );
}

/** Adds the options that turn a verdict into an exit code. */
export function addExitOptions(command: Command): void {
  command
    .option(
      '--fail-on <WHAT>',
      "slower = exit with code 1 when B is slower in at least one comparison; METRIC>SHARE, such as 'rss>5%' or 'time>2%' = when B surely " +
        'needs more than that in addition, or several of them with commas between them',
      parseFailOn,
    )
    .addOption(new Option('--strict', 'exit with code 3 when a comparison is undecided'));
  addExperimentFlags(command, 'exit', { correction: 'holm' });
}

/** The output options with their defaults; only one export may go to stdout. */
export function readOutputChoices(raw: RawOutputOptions): OutputChoices {
  const flagged: Exports = {
    json: raw.exportJson ?? null,
    csv: raw.exportCsv ?? null,
    markdown: raw.exportMarkdown ?? null,
    summary: raw.exportSummary ?? null,
    junit: raw.exportJunit ?? null,
  };
  const exports = withNamed(flagged, raw.export);
  const toStdout = Object.entries(exports).filter(([, file]) => file === '-');
  const [first, second] = toStdout.map(([format]) => `${exportFlag(format)} -`);
  if (second !== undefined) {
    throw new UsageError('CONFLICT', `${first} and ${second} cannot both write to standard output`);
  }
  return {
    exports,
    style: raw.style ?? 'auto',
    failOn: raw.failOn?.slower === true ? 'slower' : null,
    ...(raw.failOn === undefined || raw.failOn.limits.length === 0 ? {} : { limits: raw.failOn.limits }),
    strict: raw.strict ?? false,
    jobSummary: raw.noSummary !== true,
  };
}

/** `slower`, `METRIC>SHARE`, or several of them with commas between them. */
function parseFailOn(typed: string): FailOn {
  const limits: FailLimit[] = [];
  let slower = false;
  for (const rule of typed.split(',').map((text) => text.trim())) {
    const above = rule.indexOf('>');
    if (rule === 'slower') slower = true;
    else if (above > 0) {
      limits.push({
        metric: parseChoice('--fail-on', metricSchema.options)(rule.slice(0, above).trim()),
        share: parseShare('--fail-on', { zero: 'allowed', example: '5%' })(rule.slice(above + 1).trim()),
      });
    } else {
      throw new UsageError('BAD_VALUE', `--fail-on '${typed}' is neither slower nor METRIC>SHARE`, {
        hint: `For example: --fail-on slower or --fail-on 'rss>5%'. The metrics are ${metricSchema.options.join(', ')}.`,
      });
    }
  }
  return { slower, limits };
}

function parseNamedExport(typed: string): NamedExport {
  const colon = typed.indexOf(':');
  if (colon > 0 && colon < typed.length - 1) return { format: typed.slice(0, colon), file: typed.slice(colon + 1) };
  throw new UsageError('BAD_VALUE', `--export '${typed}' is not FORMAT:FILE`, {
    hint: 'For example: --export json:result.json. deadheat export --help lists the formats.',
  });
}

function withNamed(flagged: Exports, named: RawOutputOptions['export'] = []): Exports {
  const exports: Record<string, string | null> = { ...flagged };
  for (const { format, file } of named) {
    const key = exportKey(format);
    if ((exports[key] ?? null) !== null) {
      throw new UsageError('CONFLICT', `the format ${format} is exported twice`, { hint: 'Name each format once.' });
    }
    exports[key] = file;
  }
  return { ...flagged, ...exports };
}
