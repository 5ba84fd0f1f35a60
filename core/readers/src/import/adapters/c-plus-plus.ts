import type { Adapter } from '../adapter.ts';
import { type ImportError, malformedText } from '../import-error.ts';
import { type ImportedBenchmark, oneSided, paramUnlessOne, summaryOf, runOf } from '../imported-file.ts';
import { type ImportSource, hasKeys } from '../import-source.ts';
import { entriesLeftOut } from '../limits.ts';
import { jsonAdapter } from '../json/json-adapter.ts';
import type { JsonNode } from '../json/read-json.ts';
import { nsPer } from '../../grammar/units.ts';

function toBenchmark(result: JsonNode): ImportedBenchmark {
  const name = result.get('name').text();
  const title = result.maybe('title')?.textOrNull() ?? '';
  const epochs = runOf('0', result.get('measurements').items(), (epoch) => {
    const invocations = epoch.get('iterations').whole();
    return { durationNs: epoch.get('elapsed').amount() * nsPer.s * invocations, invocations };
  });
  return oneSided({
    name,
    // nanobench calls what nobody named `benchmark`.
    params: {
      ...(title === '' || title === 'benchmark' ? {} : { title }),
      ...paramUnlessOne('batch', result.maybe('batch')?.numberOrNull() ?? 1),
    },
    runs: epochs.iterations.length === 0 ? [] : [epochs],
  });
}

/**
 * nanobench's template `json`: the epochs of one process, each the mean time of its iterations, s. Where the program gave a `batch` a time
 * is that of a whole batch. Source: its `nanobench.h`, templates and `Result::add`.
 */
export const nanobench: Adapter = jsonAdapter({
  id: 'nanobench',
  describe: "nanobench's template json",
  reads: 'the file is a run, an epoch an iteration of its invocations',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  detect: (head) => head.first === '{' && hasKeys(head, 'results', 'median(elapsed)'),
  advice: 'Write it with nanobench: bench.render(ankerl::nanobench::templates::json(), stream).',
  read: (root) => ({ benchmarks: root.get('results').items().map(toBenchmark) }),
});

const advice = 'Write it with the test program: --reporter xml --out FILE.';

/** An element of an XML file. */
interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** Line in which it begins, from 1. */
  readonly line: () => number;
}

/** Names of the test case and of the sections around an element. */
interface Place {
  readonly test: string;
  readonly sections: readonly string[];
}

/**
 * Catch2's XML reporter: mean, standard deviation and number of samples of each benchmark, in ns. Test cases and sections distinguish
 * benchmarks of one name. Source: its `catch_reporter_xml.cpp`.
 */
export const catch2: Adapter = {
  id: 'catch2',
  describe: "benchmarks of Catch2's XML reporter",
  reads: 'means, standard deviations and counts; test case and section are parameters',
  cannot: ['SUMMARY_ONLY', 'NO_RUN_VARIANCE', 'FAILED_RUNS_IGNORED'],
  detect: ({ text, first }) => first === '<' && /<(?:Catch2TestRun|Catch)\b|<BenchmarkResults\b/.test(text),
  read: async (source) => {
    const benchmarks: ImportedBenchmark[] = [];
    let failed = 0;
    function malformed({ line }: Element, what: string): ImportError {
      return malformedText({ path: source.path, line: line(), column: 1 }, { what, advice });
    }
    function amountOrNull(element: Element | undefined, key: string): number | null {
      if (element === undefined) return null;
      const text = element.attributes[key] ?? '';
      const value = text === '' ? Number.NaN : Number(text);
      if (value >= 0 && value < Infinity) return value;
      const what = `<${element.name}>: expected ${key}="a number of at least 0", found '${text.slice(0, 40)}'`;
      throw malformed(element, what);
    }
    function take(element: Element, { test, sections }: Place): void {
      const { name, samples } = element.attributes;
      if (name === undefined) throw malformed(element, '<BenchmarkResults> has no name');
      const count = samples === undefined ? 0 : (amountOrNull(element, 'samples') ?? 0);
      const [meanNs, standardDeviationNs] = ['mean', 'standardDeviation'].map((of) =>
        amountOrNull(
          element.children.find((child) => child.name === of),
          'value',
        ),
      );
      if (meanNs == null) {
        failed += 1;
        return;
      }
      const section = sections.join(' / ');
      const params = { ...(test === '' ? {} : { test }), ...(section === '' ? {} : { section }) };
      const known = Number.isInteger(count) && count > 0 ? count : null;
      const summary = summaryOf({ meanNs, standardDeviationNs: standardDeviationNs ?? null, samples: known });
      benchmarks.push(oneSided({ name, params, summary }));
    }
    function visit(elements: readonly Element[], place: Place): void {
      for (const element of elements) {
        const { name, children, attributes } = element;
        const own = attributes['name'] ?? '';
        if (name === 'BenchmarkResults') take(element, place);
        else if (name === 'TestCase') visit(children, { ...place, test: own });
        else if (name === 'Section') visit(children, { ...place, sections: [...place.sections, own] });
        else visit(children, place);
      }
    }
    visit(await readXml(source), { test: '', sections: [] });
    return { benchmarks, limits: entriesLeftOut(failed, 'the benchmark failed') };
  },
};

/** A node as fast-xml-parser gives it with `preserveOrder`: its children by its name, its attributes by `:@`. */
type RawNode = Readonly<Record<string | symbol, unknown>>;

/** The elements at the top of an XML file, without texts and comments. */
async function readXml(source: ImportSource): Promise<readonly Element[]> {
  const { XMLParser, XMLValidator } = await import('fast-xml-parser');
  const { path } = source;
  const text = (await source.bytes()).toString('utf8');
  const found = XMLValidator.validate(text);
  if (found !== true) {
    const { line, col, msg } = found.err;
    const what = `expected XML: ${msg.replace(/\.$/, '')}`;
    throw malformedText({ path, line, column: Math.max(1, col ?? 1) }, { what, advice });
  }
  const position = XMLParser.getMetaDataSymbol() as symbol;
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
    htmlEntities: true,
    captureMetaData: true,
  });
  function elementsOf(nodes: readonly RawNode[]): readonly Element[] {
    return nodes.flatMap((node) => {
      const name = Object.keys(node).find((key) => key !== ':@');
      if (name === undefined || name.startsWith('#') || name.startsWith('?')) return [];
      const attributes = (node[':@'] ?? {}) as Readonly<Record<string, string>>;
      const { startIndex = 0 } = (node[position] ?? {}) as { readonly startIndex?: number };
      const children = elementsOf((node[name] ?? []) as readonly RawNode[]);
      return [{ name, attributes, children, line: () => text.slice(0, startIndex).split('\n').length }];
    });
  }
  try {
    return elementsOf(parser.parse(text) as readonly RawNode[]);
  } catch (error) {
    // Elements that are nested too deeply, entities that expand too far and the like.
    const what = `expected XML: ${error instanceof Error ? error.message.replace(/\.$/, '') : String(error)}`;
    throw malformedText({ path, line: 1, column: 1 }, { what, advice });
  }
}
