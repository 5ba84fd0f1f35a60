import {
  gatedDifferenceSchema,
  isResourceMetric,
  metricSchema,
  type GatedDifference,
  type Metric,
  type ResourceMetric,
  type UndecidedPolicy,
} from '@deadheat/model';
import type { ResultView, SortOrder } from '@deadheat/report';
import { parseChoice, parseShare, UsageError } from 'deadheat/settings';
import type { Exports } from '../terminal/output.ts';
import type { StyleChoice } from '../terminal/style.ts';
import { styleOptions } from './common-options.ts';
import { measuringOptions, type MeasuringValues } from './measuring-options.ts';
import { choice, exportOption, flag, group, option, type OptionsFor } from './option.ts';

/** A limit of `--fail-on`: B may need at most this share more of the metric than A; 0.05 = 5 %. */
export interface FailLimit {
  readonly metric: Metric;
  readonly share: number;
}

/** Value of `--fail-on`. */
export interface FailOn {
  /** The difference of a benchmark that fails; `null` = none. */
  readonly against: GatedDifference | null;
  readonly limits: readonly FailLimit[];
}

/** Values of {@link outputOptions}. */
export interface OutputValues {
  readonly export: Exports;
  readonly noSummary: boolean;
  readonly details: boolean;
  readonly sort: SortOrder | null;
  readonly timeUnit: NonNullable<ResultView['timeUnit']> | null;
  readonly style: StyleChoice;
}

/** Values of {@link exitOptions}. */
export type ExitValues = Pick<MeasuringValues, 'strict' | 'correction'> & {
  readonly failOn: FailOn | null;
  readonly undecided: UndecidedPolicy | null;
  readonly layoutProof: boolean;
};

const sortOrders: readonly SortOrder[] = ['auto', 'command', 'mean-time', 'ratio', 'verdict', 'name'];

/** The options of every command that shows a report: its exports, its order and its style. */
export const outputOptions: OptionsFor<OutputValues> = group('Output:', {
  export: exportOption(null),
  noSummary: flag('--no-summary', {
    help: 'do not write a summary to the file that the variable GITHUB_STEP_SUMMARY names',
  }),
  details: flag('--details', {
    help: 'show all figures, intervals and warnings in full, of several comparisons those of each below the table',
  }),
  sort: option('--sort <ORDER>', {
    help: 'order of several comparisons: auto, command, mean-time, ratio, verdict or name; auto ranks commands that are compared with the same one, and keeps the order of benchmarks',
    parse: choice(sortOrders),
    fallback: 'auto',
  }),
  timeUnit: option('-u, --time-unit <UNIT>', {
    help: 'unit of all times in text and tables: ns, us, ms or s, or in full, such as millisecond',
    parse: () => parseTimeUnit,
    fallback: 'the one that fits',
  }),
  ...styleOptions,
});

/** The options that turn a verdict into an exit code. */
export const exitOptions: OptionsFor<ExitValues> = group('Analysis and verdict:', {
  failOn: option('--fail-on <WHAT>', {
    help:
      'exit with code 1 when B is slower, faster or changed (either) in at least one comparison, and with code 6 when one was not measured well ' +
      "enough to exclude that beyond its margin; METRIC>SHARE, such as 'rss>5%' or 'time>2%' = the same for more than that; several with commas between them",
    parse: () => parseFailOn,
  }),
  undecided: option('--undecided <HOW>', {
    help: 'what --fail-on does with a comparison that was not measured well enough: fail = exit with code 6; pass = let it pass; 5% = let it pass where a larger difference than this is excluded',
    parse: () => parseUndecided,
    fallback: 'fail',
    needs: ['failOn'],
  }),
  layoutProof: flag('--layout-proof', {
    help: '--fail-on lets a difference pass that may be one of the places of the code alone (warning LAYOUT_SUSPECTED), as --also instructions shows',
    needs: ['failOn'],
  }),
  strict: measuringOptions.strict,
  correction: measuringOptions.correction,
});

/** Destination, form and consequences of a report. */
export interface OutputChoices {
  /** Files by the ids of formats; `-` is standard output, for at most one. */
  readonly exports: Exports;
  readonly style: StyleChoice;
  readonly failOn: GatedDifference | null;
  readonly limits: readonly FailLimit[];
  readonly undecided: UndecidedPolicy;
  /** True if a difference that may be one of layout alone is let pass; absent = it counts. */
  readonly layoutProof?: boolean;
  /** True if a summary is appended to the file that `GITHUB_STEP_SUMMARY` names. */
  readonly jobSummary: boolean;
  /** True if a clear difference is explained by functions, in further runs; absent = not. */
  readonly explains?: boolean;
  /** Details, order and unit of the text. */
  readonly view: ResultView;
}

/** The choices that the values of {@link outputOptions} and, where the command has them, {@link exitOptions} stand for. */
export function toOutputChoices({
  failOn = null,
  undecided = null,
  layoutProof = false,
  explain = false,
  ...values
}: OutputValues & Partial<ExitValues> & { readonly explain?: boolean }): OutputChoices {
  const { export: exports, style, noSummary, details, sort, timeUnit } = values;
  return {
    exports,
    style,
    failOn: failOn?.against ?? null,
    limits: failOn?.limits ?? [],
    undecided: undecided ?? 'fail',
    ...(layoutProof ? { layoutProof } : {}),
    jobSummary: !noSummary,
    ...(explain ? { explains: true } : {}),
    view: {
      ...(details ? { details } : {}),
      ...(sort === null ? {} : { sort }),
      ...(timeUnit === null ? {} : { timeUnit }),
    },
  };
}

/** The resources that `--fail-on` limits, which have to be measured. */
export function limitedResources(failOn: FailOn | null | undefined): readonly ResourceMetric[] {
  return (failOn?.limits ?? []).map(({ metric }) => metric).filter(isResourceMetric);
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

const parseMissed = parseShare('--undecided', { zero: 'refused', example: '5%' });

function parseUndecided(typed: string): UndecidedPolicy {
  return typed === 'fail' || typed === 'pass' ? typed : parseMissed(typed);
}

/** A difference, `METRIC>SHARE`, or several of them with commas between them. */
function parseFailOn(typed: string): FailOn {
  const limits: FailLimit[] = [];
  const differences = new Set<GatedDifference>();
  for (const rule of typed.split(',').map((one) => one.trim())) {
    const above = rule.indexOf('>');
    const difference = gatedDifferenceSchema.options.find((one) => one === rule);
    if (difference !== undefined) differences.add(difference);
    else if (above > 0) {
      limits.push({
        metric: parseChoice('--fail-on', metricSchema.options)(rule.slice(0, above).trim()),
        share: parseShare('--fail-on', { zero: 'allowed', example: '5%' })(rule.slice(above + 1).trim()),
      });
    } else {
      throw new UsageError('BAD_VALUE', `--fail-on '${typed}' is neither slower, faster or changed nor METRIC>SHARE`, {
        hint: `For example: --fail-on slower or --fail-on 'rss>5%'. The metrics are ${metricSchema.options.join(', ')}.`,
      });
    }
  }
  const [only = null] = differences;
  return { against: differences.size > 1 ? 'changed' : only, limits };
}
