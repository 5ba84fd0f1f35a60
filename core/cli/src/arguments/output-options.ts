import { Option, type Command } from 'commander';
import type { SortOrder } from '@deadheat/report';
import type { StyleChoice } from '../terminal/style.ts';
import type { Exports, FailLimit, FailOn, OutputChoices } from './invocation.ts';
import { isResourceMetric, metricSchema, type ResourceMetric } from '@deadheat/model';
import { parseChoice, parseShare, parseText, UsageError } from 'deadheat/settings';
import { addExperimentFlags } from './experiment-flags.ts';
import { exportFlag, exportKey } from './output-keys.ts';
import type { NamedExport, RawOutputOptions } from './raw-options.ts';
import { several } from './values/several.ts';

const sortOrders: readonly SortOrder[] = ['auto', 'command', 'mean-time', 'ratio', 'verdict', 'name'];
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
    .option('--export-asciidoc <FILE>', 'the same as --export asciidoc:FILE', file('--export-asciidoc'))
    .option('--export-orgmode <FILE>', 'the same as --export org:FILE', file('--export-orgmode'))
    .addOption(jobSummaryOption())
    .addOption(new Option('--details', 'with several comparisons: show all figures of each comparison below the table'))
    .option(
      '--sort <ORDER>',
      'order of several comparisons: auto, command, mean-time, ratio, verdict or name; auto ranks commands that are compared with the same one, and keeps the order of benchmarks (default: auto)',
      parseChoice<SortOrder>('--sort', sortOrders),
    )
    .option(
      '-u, --time-unit <UNIT>',
      'unit of all times in text and tables: ns, us, ms or s, or in full, such as millisecond (default: the one that fits)',
      parseTimeUnit,
    );
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

/** Adds the option that draws figures. */
export function addFigureOption(command: Command): void {
  command.option(
    '--figures <DIR>',
    'write study.html with all tables and figures into this folder, and each figure as SVG with its data as CSV',
    parseText('--figures', 'a folder'),
  );
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
  command.option(
    '--fail-on <WHAT>',
    "slower = exit with code 1 when B is slower in at least one comparison; METRIC>SHARE, such as 'rss>5%' or 'time>2%' = when B surely " +
      'needs more than that in addition, or several of them with commas between them',
    parseFailOn,
  );
  addExperimentFlags(command, 'exit', { strict: null });
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
  const { exportAsciidoc: asciidoc, exportOrgmode: org } = raw;
  const exports = withNamed(flagged, [
    ...(asciidoc === undefined ? [] : [{ format: 'asciidoc', file: asciidoc }]),
    ...(org === undefined ? [] : [{ format: 'org', file: org }]),
    ...(raw.export ?? []),
  ]);
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
    view: {
      ...(raw.details === undefined ? {} : { details: raw.details }),
      ...(raw.sort === undefined ? {} : { sort: raw.sort }),
      ...(raw.timeUnit === undefined ? {} : { timeUnit: raw.timeUnit }),
    },
  };
}

const timeUnits = {
  ns: 'ns',
  us: 'µs',
  µs: 'µs',
  ms: 'ms',
  s: 's',
  nanosecond: 'ns',
  microsecond: 'µs',
  millisecond: 'ms',
  second: 's',
} as const;
const parseUnitName = parseChoice('--time-unit', Object.keys(timeUnits) as (keyof typeof timeUnits)[]);

function parseTimeUnit(typed: string): (typeof timeUnits)[keyof typeof timeUnits] {
  return timeUnits[parseUnitName(typed)];
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

function withNamed(flagged: Exports, named: readonly NamedExport[]): Exports {
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

/** The resources that `--fail-on` limits, which have to be measured. */
export function limitedResources(failOn: FailOn | undefined): readonly ResourceMetric[] {
  return (failOn?.limits ?? []).map(({ metric }) => metric).filter(isResourceMetric);
}
