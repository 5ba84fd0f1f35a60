import {
  type Decimal,
  type ParameterScan,
  parseParameterList,
  parseParameterScan,
  parseStepSize,
} from './parameters.ts';
import type { Parameter } from 'deadheat/settings';
import { recordingOptions } from './common-options.ts';
import { measuringOptions, type MeasuringValues } from './measuring-options.ts';
import { flag, group, omit, type Option, option, type Options, type OptionsFor, several, text } from './option.ts';
import { exitOptions, type ExitValues, outputOptions, type OutputValues } from './output-options.ts';

/** Values of {@link parameterOptions}. */
interface ParameterValues {
  readonly commandName: readonly string[];
  readonly parameterScan: readonly ParameterScan[];
  readonly parameterStepSize: readonly Decimal[];
  readonly parameterList: readonly Parameter[];
}

/** The options of commands and of files that are no flags of the tables of settings. */
export const parameterOptions: OptionsFor<ParameterValues> = group('What to compare:', {
  commandName: several('-n, --command-name <NAME>', {
    help: 'name of a command in reports; give it once for each command, in their order',
    parse: text('a name'),
  }),
  parameterScan: several('-P, --parameter-scan <VAR> <MIN> <MAX>', {
    help: 'make one comparison for each number from MIN to MAX; the number replaces {VAR} in commands, names and hooks',
    parse: () => parseParameterScan,
  }),
  parameterStepSize: several('-D, --parameter-step-size <DELTA>', {
    help: 'step between the numbers of --parameter-scan',
    parse: () => parseStepSize,
    fallback: '1',
    needs: ['parameterScan'],
  }),
  parameterList: several('-L, --parameter-list <VAR> <A,B,C>', {
    help: 'make one comparison for each value, which replaces {VAR} in commands, names and hooks; several lists and scans give one comparison for each combination',
    parse: () => parseParameterList,
  }),
});

/** Values of {@link compareOptions}. */
export interface CompareValues
  extends MeasuringValues, OutputValues, ParameterValues, Pick<ExitValues, 'failOn' | 'undecided' | 'layoutProof'> {
  readonly reference: string | null;
  /** Folder of the recording; `null` = a new one below `.deadheat`. */
  readonly output: string | null;
  /** Explain a clear difference by functions. */
  readonly explain: boolean;
}

/** Further runs under samplers. */
export const explainOption: Option<boolean> = flag('--explain', {
  help: 'when B is slower or faster, make further runs under the sampler of the runtime and show the functions that account for the difference (deadheat explain --help)',
});

/** Every option of a comparison of commands; a short help shows the common ones. */
export const compareOptions: OptionsFor<CompareValues> = rareBut(
  [
    'parameterList',
    'harness',
    'quick',
    'runs',
    'until',
    'precision',
    'maxTime',
    'warmup',
    'method',
    'setup',
    'margin',
    'failOn',
    'export',
    'output',
  ],
  {
    ...parameterOptions,
    ...group('What to compare:', {
      reference: option('--reference <N>', {
        help: 'with more than two commands: number of the command that all others are compared with, from 1, or a further command for that',
        parse: text('the number of a command, or a command'),
        fallback: '1',
      }),
    }),
    ...measuringOptions,
    ...exitOptions,
    ...outputOptions,
    ...group('Output:', {
      ...recordingOptions,
      explain: explainOption,
    }),
  },
);

type NotOfSteps =
  | ('runs' | 'until' | 'precision' | 'rigorous' | 'stable' | 'combine' | 'like' | 'liftCaps' | 'interval')
  | ('parameterScan' | 'parameterStepSize' | 'parameterList' | 'commandName' | 'reference' | 'control')
  | ('details' | 'sort' | 'timeUnit' | 'correction' | 'noSummary' | 'output' | 'layoutProof');
const notOfSteps: readonly NotOfSteps[] = [
  ...(['runs', 'until', 'precision', 'rigorous', 'stable', 'combine', 'like', 'liftCaps', 'interval'] as const),
  ...(['parameterScan', 'parameterStepSize', 'parameterList', 'commandName', 'reference', 'control'] as const),
  ...(['details', 'sort', 'timeUnit', 'correction', 'noSummary', 'output', 'layoutProof'] as const),
];

/**
 * The options of a comparison that is one step of many, without those that mean nothing there: each step ends when it is decided, and there is one
 * comparison.
 */
export const stepOptions: OptionsFor<Omit<CompareValues, NotOfSteps>> = omit(compareOptions, notOfSteps);

/** The options, of which a short help shows only those with these keys. */
function rareBut<Given extends Options>(shown: readonly (keyof Given)[], options: Given): Given {
  return Object.fromEntries(
    Object.entries(options).map(([key, one]) => [key, shown.includes(key) ? one : { ...one, rare: true }]),
  ) as Given;
}
