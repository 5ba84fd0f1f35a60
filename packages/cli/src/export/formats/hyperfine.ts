import type { HyperfineResult, Report } from '@deadheat/model';
import { ofReport } from './of-report.ts';
import type { ExportFormat } from './export-format.ts';

/**
 * hyperfine's `--export-json`: a result a side, seconds. Its schema has a number for `user` and `system` and an exit code
 * for each time; what is not known is 0 and `null`.
 */
export const hyperfine: ExportFormat = ofReport({
  id: 'hyperfine',
  describe: "hyperfine's JSON, for scripts that read it",
  text: ({ results }) => `${JSON.stringify({ results: results.map(toResult) }, null, 2)}\n`,
  losses: (report) => [
    'hyperfine JSON holds each side separately: the pairs, the ratio, the interval and the verdict are left out',
    ...unknownTimes(report),
  ],
});

function toResult(result: HyperfineResult): HyperfineResult {
  const { command, mean, stddev, median, user, system, min, max, times, exit_codes: codes, parameters } = result;
  return {
    command,
    mean,
    stddev,
    median,
    user: user ?? 0,
    system: system ?? 0,
    min,
    max,
    times,
    exit_codes: codes.length === times.length ? codes : spread(codes, times.length),
    ...(parameters === undefined ? {} : { parameters }),
  };
}

/** The exit codes of runs that hold several times: the one that all share. */
function spread(codes: HyperfineResult['exit_codes'], length: number): HyperfineResult['exit_codes'] {
  const [first = null] = codes;
  return Array.from({ length }, () => (codes.every((code) => code === first) ? first : null));
}

function unknownTimes({ results }: Report): readonly string[] {
  return results.some(({ user, system }) => user === null || system === null)
    ? ['hyperfine JSON needs user and system time; where they were not measured they are written as 0']
    : [];
}
