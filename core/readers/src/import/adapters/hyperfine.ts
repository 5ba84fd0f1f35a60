import type { Adapter } from '../adapter.ts';
import { jsonAdapter } from '../json/json-adapter.ts';
import type { JsonNode } from '../json/read-json.ts';
import { hasColumns, hasKeys } from '../import-source.ts';
import { nonzeroExit } from '../limits.ts';
import { type ImportedBenchmark, oneSided, singleRuns, summaryInSeconds, summaryOf } from '../imported-file.ts';
import { readCsv } from '../text/read-csv.ts';
import { nsPer } from '../../grammar/units.ts';

const advice = 'Write it with hyperfine --export-json FILE.';
function ns(seconds: number): number {
  return seconds * nsPer.s;
}

function toBenchmark(result: JsonNode, path: string): ImportedBenchmark {
  const facts = { name: result.get('command').text(), params: result.maybe('parameters')?.params() ?? {} };
  const times = result.maybe('times')?.amounts() ?? [];
  if (times.length > 0) return oneSided({ ...facts, runs: singleRuns(times.map(ns), path) });
  const exits = result.maybe('exit_codes')?.count() ?? 0;
  return oneSided({
    ...facts,
    summary: { ...summaryInSeconds(result, exits > 0 ? exits : null), ofRuns: true },
  });
}

/** hyperfine's `--export-json`: every execution is a process, so every time is a run. Source: its `benchmark_result.rs`. */
export const hyperfine: Adapter = jsonAdapter({
  id: 'hyperfine',
  describe: 'hyperfine --export-json',
  reads: 'a time is a run of one iteration; two commands in one file are two sides',
  cannot: ['NO_TIMESTAMPS', 'NO_RUN_VARIANCE', 'SUMMARY_ONLY', 'NONZERO_EXIT'],
  detect: (head) => head.first === '{' && hasKeys(head, 'results', 'command', 'mean') && !hasKeys(head, 'schema'),
  advice,
  read: (root, source) => {
    const results = root.get('results').items();
    const benchmarks = results.map((result) => toBenchmark(result, source.path));
    const limits = results.flatMap((result) => {
      const exits = result.maybe('exit_codes')?.items() ?? [];
      return nonzeroExit(
        result.get('command').text(),
        exits.map((exit) => (exit.isNothing ? null : exit.number())),
      );
    });
    return { benchmarks, alternatives: true, inBlocks: true, limits };
  },
});

const csvAdvice = 'Write it with hyperfine --export-csv FILE, or better --export-json, which keeps every time.';
const required = ['command', 'mean', 'stddev', 'median', 'user', 'system', 'min', 'max'];
const parameter = 'parameter_';

/** hyperfine's `--export-csv`: means and standard deviations, s, and not of how many executions. Source: its `src/export/csv.rs`. */
export const hyperfineCsv: Adapter = {
  id: 'hyperfine-csv',
  describe: 'hyperfine --export-csv',
  reads: 'means and standard deviations; the number of executions is missing, so an interval needs several files',
  cannot: ['SUMMARY_ONLY', 'NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  detect: (head) => hasColumns(head, ...required),
  read: async (source) => {
    const benchmarks: ImportedBenchmark[] = [];
    await readCsv(source, { separator: [','], advice: csvAdvice, required }, (row) => {
      if (!row.isWhole) throw row.error('max', 'a row with a field for every column');
      function timeOf(column: string): number | null {
        const seconds = row.amountOrNull(column);
        return seconds === null ? null : ns(seconds);
      }
      const params = row.columns
        .filter((name) => name.startsWith(parameter))
        .map((name) => [name.slice(parameter.length), row.text(name)] as const);
      benchmarks.push(
        oneSided({
          name: row.text('command'),
          params: Object.fromEntries(params),
          summary: summaryOf({
            meanNs: ns(row.amount('mean')),
            standardDeviationNs: timeOf('stddev'),
            medianNs: timeOf('median'),
            minNs: timeOf('min'),
            maxNs: timeOf('max'),
          }),
        }),
      );
    });
    return { benchmarks, alternatives: true, inBlocks: true };
  },
};
