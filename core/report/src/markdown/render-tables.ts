import type { Comparison, Report } from '@deadheat/model';
import { hostRows } from '../text/details.ts';
import { formatChosenShare, formatInterval } from '../text/numbers.ts';
import { type ResultView, sortComparisons } from '../text/overview.ts';
import { benchmarkName } from '../text/printable.ts';
import { formatAmount, quantityName } from '../text/quantities.ts';
import { asciidocDialect, type Dialect, markdownDialect, orgDialect } from './dialects.ts';
import { distinctWarnings, sideHead, sideRows, verdictHead, verdictRow } from './rows.ts';

type DialectName = 'markdown' | 'asciidoc' | 'org';

const dialects: Readonly<Record<DialectName, Dialect>> = {
  markdown: markdownDialect,
  asciidoc: asciidocDialect,
  org: orgDialect,
};

/** Options of `renderTables`. */
interface TablesOptions extends Pick<ResultView, 'sort' | 'timeUnit'> {
  readonly dialect?: DialectName;
}

/**
 * Tables of a whole report without a limit of length, in GitHub's Markdown unless another language is asked for: a row for each
 * comparison, a row for each side, a row for each quantity that is no time, the warnings as a list.
 */
export function renderTables(
  report: Report,
  { dialect: name = 'markdown', sort, timeUnit }: TablesOptions = {},
): string {
  const dialect = dialects[name];
  const comparisons = sortComparisons(report.comparisons, sort);
  const parts = [
    dialect.table(
      verdictHead,
      comparisons.map((comparison) => verdictRow(comparison, { dialect })),
    ),
    dialect.table(
      sideHead,
      comparisons.flatMap((comparison) =>
        sideRows(comparison, { dialect, ...(timeUnit === undefined ? {} : { timeUnit }) }),
      ),
    ),
    quantityTable(comparisons, dialect),
    hostTables(comparisons, dialect),
    dialect.list(
      distinctWarnings({ ...report, comparisons }).map(
        ({ code, message }) => `${dialect.strong(code)}: ${dialect.text(message)}`,
      ),
    ),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function quantityTable(comparisons: readonly Comparison[], { code, strong, text, table }: Dialect): string {
  const rows = comparisons.flatMap((comparison) =>
    (comparison.quantities ?? []).map((quantity) => {
      const { A, B, ratio, verdict } = quantity;
      const ends = ratio === null ? null : formatInterval(ratio);
      return [
        code(benchmarkName(comparison)),
        text(quantityName(quantity)),
        text(formatAmount(A.mean)),
        text(formatAmount(B.mean)),
        ends === null ? '' : text(ends.estimate),
        ends === null || ratio === null ? '' : text(`${formatChosenShare(ratio.level)}: ${ends.low} … ${ends.high}`),
        strong(verdict),
      ];
    }),
  );
  return rows.length === 0 ? '' : table(['Benchmark', 'Quantity', 'A', 'B', 'B against A', 'CI', 'Verdict'], rows);
}

/** The machines of every comparison that was measured on several. */
function hostTables(comparisons: readonly Comparison[], { code, table }: Dialect): string {
  const rows = comparisons.flatMap(({ benchmark, params, hosts }) =>
    hosts === undefined
      ? []
      : hostRows(hosts).map(({ host, runs, ratio, interval, A, B }) => [
          code(benchmarkName({ benchmark, params })),
          code(host),
          String(runs),
          ratio,
          interval,
          A,
          B,
        ]),
  );
  return rows.length === 0
    ? ''
    : table(['Benchmark', 'Host', 'Runs', 'B / A', 'Interval', 'Mean of A', 'Mean of B'], rows);
}
