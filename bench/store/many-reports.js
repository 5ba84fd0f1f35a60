// Recordings of many commits, made from one: the same report with other numbers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '@deadheat/stats';

/** The texts of `experiment.json` and `report.json`, and a folder's name, for each commit; the level steps by 2 % half-way. */
export function* manyReports(first, { commits, benchmarks }) {
  const read = (name) => ({ ...JSON.parse(readFileSync(join(first, name), 'utf8')), check: undefined });
  const [experiment, report] = [read('experiment.json'), read('report.json')];
  const random = createRandom('many reports');
  const commit = (at) => ({
    id: String(at).padStart(40, '0'),
    label: `c${at}`,
    committedAt: new Date(Date.UTC(2020, 0, 1) + at * 3600e3).toISOString(),
  });
  for (let at = 1; at <= commits; at++) {
    const id = `experiment-${at}`;
    const startedAt = commit(at).committedAt;
    const level = at > commits / 2 ? 1.02 : 1;
    const comparisons = Array.from({ length: benchmarks }, (_, number) => {
      const [template] = report.comparisons;
      const ratio = level * Math.exp(0.005 * random.normal());
      return { ...template, benchmark: `benchmark ${number}`, interval: { ...template.interval, estimate: ratio } };
    });
    yield {
      name: `r${at}`,
      experiment: JSON.stringify({ ...experiment, id, startedAt, commits: { A: commit(0), B: commit(at) } }),
      report: JSON.stringify({
        ...report,
        experiment: { ...report.experiment, id, startedAt },
        comparisons,
        results: [],
      }),
    };
  }
}
