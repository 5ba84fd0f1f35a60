import type { Adapter } from '../adapter.ts';
import { ImportError, malformedText } from '../import-error.ts';
import { type ImportedBenchmark, oneSided, summaryOf } from '../imported-file.ts';
import { entriesLeftOut } from '../limits.ts';
import { readXmlTags, type XmlTag } from '../text/read-xml.ts';

const advice = 'Write it with the test program: --reporter xml --out FILE.';

/** A benchmark while its element is read. */
interface Open {
  readonly name: string;
  readonly samples: number;
  meanNs: number | null;
  standardDeviationNs: number | null;
}

/**
 * Catch2's XML reporter: a benchmark is told by mean, standard deviation and number of samples, all ns. Benchmarks of one name in several
 * test cases or sections are told apart by these. Source: its `catch_reporter_xml.cpp`.
 */
export const catch2: Adapter = {
  id: 'catch2',
  describe: "benchmarks of Catch2's XML reporter",
  reads: 'means, standard deviations and counts; test case and section are parameters',
  cannot: ['SUMMARY_ONLY', 'NO_RUN_VARIANCE', 'FAILED_RUNS_IGNORED'],
  holdsWarmup: false,
  detect: ({ text, first }) => first === '<' && /<(?:Catch2TestRun|Catch)\b|<BenchmarkResults\b/.test(text),
  read: async (source) => {
    const { path } = source;
    const benchmarks: ImportedBenchmark[] = [];
    const sections: string[] = [];
    let testCase = '';
    let open: Open | null = null;
    let failed = 0;
    function malformed(line: number, what: string): ImportError {
      return malformedText({ path, line, column: 1 }, { what, advice });
    }
    function amount({ attribute, name, line }: XmlTag, key: string): number {
      const text = attribute(key) ?? '';
      const value = text === '' ? Number.NaN : Number(text);
      if (value >= 0 && value < Infinity) return value;
      throw malformed(line, `<${name}>: expected ${key}="a number of at least 0", found '${text.slice(0, 40)}'`);
    }
    for await (const tags of readXmlTags(source, { advice }))
      for (const tag of tags) {
        const { kind, name, attribute, line } = tag;
        if (kind === 'start') {
          if (name === 'TestCase') testCase = attribute('name') ?? '';
          else if (name === 'Section') sections.push(attribute('name') ?? '');
          else if (name === 'BenchmarkResults') {
            const own = attribute('name');
            if (own === null) throw malformed(line, '<BenchmarkResults> has no name');
            const samples = attribute('samples') !== null ? amount(tag, 'samples') : 0;
            open = { name: own, samples, meanNs: null, standardDeviationNs: null };
          } else if (open !== null && name === 'mean') open.meanNs = amount(tag, 'value');
          else if (open !== null && name === 'standardDeviation') open.standardDeviationNs = amount(tag, 'value');
        } else if (name === 'Section') sections.pop();
        else if (name === 'BenchmarkResults' && open !== null) {
          const { meanNs, samples, standardDeviationNs } = open;
          const section = sections.join(' / ');
          const params = { ...(testCase === '' ? {} : { test: testCase }), ...(section === '' ? {} : { section }) };
          const summary =
            meanNs === null
              ? null
              : summaryOf({
                  meanNs,
                  standardDeviationNs,
                  samples: Number.isInteger(samples) && samples > 0 ? samples : null,
                });
          if (summary === null) failed += 1;
          else benchmarks.push(oneSided({ name: open.name, params, summary }));
          open = null;
        }
      }
    if (open !== null) throw malformed(1, '<BenchmarkResults> does not end');
    return { benchmarks, limits: entriesLeftOut(failed, 'the benchmark failed') };
  },
};
