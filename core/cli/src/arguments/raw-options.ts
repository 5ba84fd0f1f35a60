import type { ColumnMap } from '@deadheat/readers';
import type { FamilyCorrection, TimeUnit } from '@deadheat/model';
import type { ResultView, SortOrder } from '@deadheat/report';
import type { StyleChoice } from '../terminal/style.ts';
import type { Exports } from '../terminal/output.ts';
import type { FailOn } from '../command/output-options.ts';
import type { FlagValues } from 'deadheat/settings';

/** Options of every command that shows results, as commander hands them over. */
export interface RawOutputOptions {
  readonly export?: Exports;
  readonly exportJson?: string;
  readonly exportCsv?: string;
  readonly noSummary?: true;
  readonly details?: true;
  readonly sort?: SortOrder;
  readonly timeUnit?: NonNullable<ResultView['timeUnit']>;
  readonly style?: StyleChoice;
  readonly failOn?: FailOn;
  readonly strict?: boolean;
  readonly correction?: FamilyCorrection;
}

/** Options of `analyse`. */
export interface RawAnalyseOptions
  extends RawOutputOptions, Pick<FlagValues, 'confidence' | 'margin' | 'deadHeatBound' | 'metric' | 'interval'> {
  readonly format?: readonly string[];
  readonly columns?: ColumnMap;
  readonly unit?: TimeUnit;
}
