import type { Params } from '@deadheat/model';
import type { ParsedIteration } from '../output-parser.ts';
import { textLines, jsonRecord } from '../text-lines.ts';

/** ns in the units of JMH's scores and times. */
const units: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['min', 60e9],
  ['hr', 3600e9],
  ['day', 86_400e9],
]);

/** The modes as `-rf json` has them, by what is printed. Source: JMH's `Mode.java`. */
const modes: readonly (readonly [printed: string, mode: string])[] = [
  ['Throughput', 'thrpt'],
  ['Average time', 'avgt'],
  ['Sampling time', 'sample'],
  ['Single shot', 'ss'],
];

const iteration = /^(# Warmup Iteration|Iteration) +\d+: (.*)$/;
const score = /^(?:n = \d+, mean = )?(\S+)(?: ±\(99\.9%\) \S+)? (\S+\/\S+?)(?:[,;].*)?$/;

/**
 * What JMH prints, or writes with `-rf json`. A score becomes the time of one operation, and an iteration as many of them
 * as fill the time that JMH gives it. Iterations of the file are the measured ones. Source: `TextReportFormat.java`,
 * `JSONResultFormat.java`.
 */
export function parseJmh(text: string): readonly ParsedIteration[] {
  return text.trimStart().startsWith('[') ? fromJson(JSON.parse(text)) : fromLines(text);
}

function fromLines(text: string): readonly ParsedIteration[] {
  const iterations: ParsedIteration[] = [];
  const lengthNs = { warmup: 0, measure: 0 };
  let benchmark: string | undefined;
  let params: Params = {};
  let mode: Params = {};
  let threads: Params = {};
  for (const { number, text: line } of textLines(text)) {
    const [, key, value = ''] =
      /^# (Warmup|Measurement|Threads|Benchmark mode|Benchmark|Parameters): (.*)$/.exec(line) ?? [];
    if (key === 'Warmup') lengthNs.warmup = lengthOf(value);
    if (key === 'Measurement') lengthNs.measure = lengthOf(value);
    if (key === 'Parameters') params = paramsOf(value);
    if (key === 'Threads') threads = threadsOf(Number.parseInt(value, 10));
    if (key === 'Benchmark mode') {
      const found = modes.find(([printed]) => value.startsWith(printed));
      mode = found === undefined ? {} : { mode: found[1] };
    }
    if (key === 'Benchmark') {
      benchmark = value;
      params = {};
    }
    const [, kind, found = ''] = iteration.exec(line) ?? [];
    if (kind === undefined) continue;
    const [, amount = '', unit = ''] = score.exec(found.trim()) ?? [];
    const phase = kind === 'Iteration' ? 'measure' : 'warmup';
    const opNs = operationNs(Number(amount), unit);
    if (opNs === null) {
      throw new TypeError(
        `line ${number} has the score '${found.slice(0, 40)}', which is no time; run JMH with -Duser.language=en and a ` +
          'unit in which scores are not tiny, such as -tu ns',
      );
    }
    iterations.push({
      benchmark,
      params: { ...mode, ...threads, ...params },
      phase,
      line: number,
      ...filled(opNs, lengthNs[phase]),
    });
  }
  return iterations;
}

/** Time of an iteration in `5 iterations, 10 s each`; 0 = it is one operation. */
function lengthOf(text: string): number {
  const [, amount, unit = ''] = /, ([\d.]+) (\w+) each/.exec(text) ?? [];
  return amount === undefined ? 0 : Number(amount) * (units.get(unit) ?? 0);
}

/** Several threads are a parameter. */
function threadsOf(threads: number): Params {
  return threads > 1 ? { threads: String(threads) } : {};
}

/** `(size = 10, kind = a)`. */
function paramsOf(text: string): Params {
  const pairs = text.replaceAll(/^\(|\)$/g, '').split(/, (?=[\w.]+ = )/);
  return Object.fromEntries(
    pairs.map((pair) => [pair.split(' = ', 1)[0] ?? '', pair.split(' = ').slice(1).join(' = ')]),
  );
}

/** Time of one operation, ns; `null` = the score is none. */
function operationNs(amount: number, unit: string): number | null {
  const [top = '', bottom = ''] = unit.split('/');
  const isRate = bottom !== 'op';
  const ns = units.get(isRate ? bottom : top);
  const opNs = ns === undefined ? Number.NaN : isRate ? ns / amount : amount * ns;
  return opNs > 0 && Number.isFinite(opNs) ? opNs : null;
}

function filled(opNs: number, lengthNs: number): { readonly durationNs: number; readonly invocations: number } {
  const invocations = Math.max(1, Math.round(lengthNs / opNs));
  return { durationNs: opNs * invocations, invocations };
}

function fromJson(value: unknown): readonly ParsedIteration[] {
  if (!Array.isArray(value)) throw new TypeError('the file is no list');
  return value.flatMap((entry: unknown, index) => {
    const result = jsonRecord(entry, `entry ${index}`);
    const { benchmark, params, mode, threads, measurementTime } = result;
    const { rawData, scoreUnit } = jsonRecord(result['primaryMetric'], `entry ${index}: primaryMetric`);
    if (!Array.isArray(rawData)) {
      throw new TypeError(`entry ${index} has no rawData; JMH leaves it out in sample mode: use -bm avgt`);
    }
    const lengthNs = mode === 'ss' ? 0 : lengthOf(`, ${String(measurementTime)} each`);
    return (rawData as readonly unknown[][]).flat().map((amount): ParsedIteration => {
      const opNs = operationNs(Number(amount), String(scoreUnit));
      if (opNs === null) throw new TypeError(`entry ${index} has the score ${String(amount)} ${String(scoreUnit)}`);
      const own = params as Params | undefined;
      const named = { ...(typeof mode === 'string' ? { mode } : {}), ...threadsOf(Number(threads)), ...own };
      return { benchmark: String(benchmark), params: named, phase: 'measure', ...filled(opNs, lengthNs) };
    });
  });
}
