import type { ColumnMap } from '@deadheat/readers';
import type {
  AskedMethod,
  FamilyCorrection,
  IntervalKind,
  Metric,
  Paper,
  StableRule,
  Swap,
  TimeUnit,
} from '@deadheat/model';
import type { StyleChoice } from './invocation.ts';
import type { Decimal } from './decimal.ts';
import type { ParameterScan } from './parameter-scan.ts';
import type { Parameter } from 'deadheat/settings';

/** Options of every command that shows results, as commander hands them over. */
export interface RawOutputOptions {
  readonly exportJson?: string;
  readonly exportCsv?: string;
  readonly exportMarkdown?: string;
  readonly exportSummary?: string;
  readonly exportJunit?: string;
  readonly noSummary?: true;
  readonly style?: StyleChoice;
  readonly failOn?: 'slower';
  readonly strict?: true;
  readonly correction?: FamilyCorrection;
}

/** Options that judge, shared by the comparison and `analyse`. */
export interface RawJudgingOptions extends RawOutputOptions {
  readonly confidence?: number;
  readonly margin?: number;
  readonly metric?: 'auto' | Metric;
  readonly interval?: IntervalKind;
}

/** Options of `analyse`. */
export interface RawAnalyseOptions extends RawJudgingOptions {
  readonly format?: readonly string[];
  readonly columns?: ColumnMap;
  readonly unit?: TimeUnit;
}

/** Options of the comparison; absent = not typed. */
export interface RawCompareOptions extends RawJudgingOptions {
  readonly commandName?: readonly string[];
  readonly parameterScan?: readonly ParameterScan[];
  readonly parameterStepSize?: readonly Decimal[];
  readonly parameterList?: readonly Parameter[];
  readonly input?: string;
  readonly resume?: string;
  readonly harness?: true;
  readonly fill?: true;
  readonly tradeEvery?: number;
  readonly warmupIterations?: number;
  readonly stable?: StableRule['criteria'];
  readonly combine?: StableRule['combine'];
  /** A paper's procedure, or with `stable` a reading of its criteria. */
  readonly like?: Paper | StableRule['like'];
  readonly liftCaps?: number;
  readonly runTimeout?: number;
  readonly runs?: number;
  readonly minRuns?: number;
  readonly maxRuns?: number;
  readonly warmup?: number;
  readonly precision?: number;
  readonly until?: 'decided';
  readonly quick?: true;
  readonly rigorous?: true;
  readonly maxTime?: number;
  readonly iterations?: number;
  readonly method?: AskedMethod;
  readonly swap?: Swap;
  readonly unpaired?: true;
  readonly lanes?: number | 'all';
  readonly cpus?: readonly number[];
  readonly seed?: string;
  readonly timeout?: number;
  readonly setup?: string;
  readonly prepare?: readonly string[];
  readonly conclude?: readonly string[];
  readonly cleanup?: string;
  readonly shell?: string;
  readonly N?: true;
  readonly ignoreFailure?: true;
  readonly control?: true;
  readonly showOutput?: true;
  readonly output?: string;
}
