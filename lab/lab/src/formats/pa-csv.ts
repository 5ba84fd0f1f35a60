import type { FormatReader } from '@deadheat/readers';

const advice = 'It is the table that bencher writes and pa reads.';
/** Columns that say which iteration a row belongs to. */
const keys = 'commit;benchmark;params;instance;trial;fork;iteration;mode;unit'.split(';');
const required = ['project', ...keys, 'value_count', 'value'];

/**
 * The `;`-separated table of bencher and pa. Instance, trial and fork together are a run; the rows of an iteration follow each other, are
 * the histogram of its invocations, and become their mean. Of two commits the first is side A. Source: READMEs of chrstphlbr/pa and
 * chrstphlbr/bencher.
 */
export const paCsv: FormatReader = {
  reads: 'instance, trial and fork are a run; an iteration is the mean of its histogram; two commits are two sides',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'RATE_INVERTED'],
  read: async (source, _, { BenchmarkSet, rateInverted, readCsv, scoreUnit }) => {
    const set = new BenchmarkSet(source.path);
    const commits: string[] = [];
    let hasRate = false;
    let group: { id: string; run: ReturnType<typeof set.run>; sumNs: number; count: number } | null = null;
    function endGroup(): void {
      group?.run.push({ durationNs: group.sumNs, invocations: group.count });
    }
    await readCsv(source, { separator: [';'], advice, required }, (row) => {
      const unit = scoreUnit(row.text('unit'));
      if (unit === null) throw row.error('unit', 'ns/op, ops/s or the like');
      hasRate ||= unit.isRate;
      const count = row.amount('value_count');
      if (!(count >= 1)) throw row.error('value_count', 'a count of at least 1');
      const value = row.amount('value');
      const ns = (unit.isRate ? unit.nsPerUnit / value : value * unit.nsPerUnit) * count;
      if (!(ns < Infinity)) throw row.error('value', 'a number of at least 0, above 0 for a rate');
      const id = keys.map((column) => row.text(column)).join('\n');
      if (group?.id !== id) {
        endGroup();
        const commit = row.text('commit');
        if (!commits.includes(commit)) commits.push(commit);
        if (commits.length > 2) {
          throw row.error('commit', 'one or two commits in a file, whose sides they are, so write one file a commit');
        }
        const mode = row.text('mode');
        const key = {
          name: row.text('benchmark'),
          params: { ...(mode === '' ? {} : { mode }), ...paramsOf(row.text('params')) },
          side: commits[0] === commit ? 'A' : 'B',
          mode: mode === '' ? null : mode,
        } as const;
        const label = ['instance', 'trial', 'fork'].map((column) => row.text(column)).join('/');
        group = { id, run: set.run(key, label), sumNs: 0, count: 0 };
      }
      group.sumNs += ns;
      group.count += count;
    });
    endGroup();
    const benchmarks = set.benchmarks();
    return {
      benchmarks: commits.length === 2 ? benchmarks : benchmarks.map((one) => ({ ...one, side: null })),
      limits: hasRate ? [rateInverted(source.path)] : [],
    };
  },
};

/** Parameters as bencher writes them: `a=1,b=2`. */
function paramsOf(text: string): Record<string, string> {
  const pairs = text === '' ? [] : text.split(',').map((pair) => pair.split('='));
  return Object.fromEntries(pairs.map(([name = '', ...value]) => [name, value.join('=')]));
}
