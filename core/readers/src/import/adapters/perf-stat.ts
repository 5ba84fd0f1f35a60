import type { Warning } from '@deadheat/model';
import type { Adapter } from '../adapter.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { ImportError, malformedText } from '../import-error.ts';
import { type ImportedBenchmark, oneSided, summaryOf, unnamed } from '../imported-file.ts';
import { hasKeys, readLines } from '../import-source.ts';
import { nsPer, nsPerUnit } from '../../grammar/units.ts';

const advice = 'Write it with perf stat -r 20 --table -o FILE COMMAND.';
const header = /^ *Performance counter stats for '(.*)'(?: \((\d+) runs\))?:\s*$/;
const elapsed = /^ *([\d.,]+)(?: \+- ([\d.,]+))? seconds time elapsed\b/;
const taskClock = /^ *([\d.,]+) msec (?:task-clock|cpu-clock)\b/;
const single = /^ *(\d+[.,]\d+) \([+-]\d+[.,]\d+\) [-#]*\s*$/;
const longestLine = 1000;

/** One block of counters: what perf prints of a command. */
interface Block {
  readonly command: string;
  readonly runs: number | null;
  readonly line: number;
  cpuNs: number | null;
  readonly singles: number[];
}

/** Counters have groups of thousands, by commas, or by points where the decimal sign is a comma; the elapsed time has none. */
function numberOf(text: string): number {
  const isComma = text.lastIndexOf(',') > text.lastIndexOf('.') && !/,\d{3}$/.test(text);
  return Number(isComma ? text.replaceAll('.', '').replace(',', '.') : text.replaceAll(',', ''));
}

/**
 * The output of `perf stat`: a command executed once is a run with its CPU time; of `-r N` mean and standard error of the elapsed time, or with
 * `--table` the time of every run. Appended outputs are further runs. Source: Linux, `tools/perf/util/stat-display.c`.
 */
export const perfStat: Adapter = {
  id: 'perf-stat',
  describe: 'what perf stat prints, also of -r',
  reads: 'an execution is a run; of `-r` a mean with its standard deviation, with `--table` all runs',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'SUMMARY_ONLY'],
  detect: ({ lines }) => lines.some((text) => header.test(text)),
  read: async (source) => {
    const { path } = source;
    const set = new BenchmarkSet(source.path);
    const means: ImportedBenchmark[] = [];
    let count = 0;
    let block: Block | null = null;
    let seconds: { readonly mean: number; readonly error: number | null } | null = null;
    function malformed(line: number, what: string): ImportError {
      return malformedText({ path, line, column: 1 }, { what, advice });
    }
    function finish(): void {
      if (block === null) return;
      const { command: name, runs, singles, cpuNs } = block;
      if (seconds === null) throw malformed(block.line, 'these counters have no line "seconds time elapsed"');
      const meanNs = seconds.mean * nsPer.s;
      if (runs === null || runs === 1 || singles.length > 0) {
        for (const time of singles.length > 0 ? singles : [seconds.mean]) {
          const run = set.run({ name }, String(count++));
          run.push({ durationNs: time * nsPer.s });
          if (singles.length === 0 && cpuNs !== null) run.setMetric('c', cpuNs);
        }
      } else {
        const { error } = seconds;
        const standardDeviationNs = error === null ? null : error * nsPer.s * Math.sqrt(runs);
        means.push(oneSided({ name, summary: summaryOf({ meanNs, standardDeviationNs, samples: runs }) }));
      }
    }
    function amount(text: string, line: number, value = Number(text.replace(',', '.'))): number {
      if (value >= 0 && value < 1e12) return value;
      throw malformed(line, `expected a time, found '${text.slice(0, 40)}'`);
    }
    for (const { number: line, text } of await readLines(source)) {
      const [, command, runs] = header.exec(text) ?? [];
      if (command !== undefined) {
        finish();
        seconds = null;
        if (runs !== undefined && !(Number(runs) >= 1 && Number(runs) < 1e9))
          throw malformed(line, 'expected a number of runs');
        block = {
          command: command || unnamed,
          runs: runs === undefined ? null : Number(runs),
          line,
          cpuNs: null,
          singles: [],
        };
      }
      if (block === null || text.length >= longestLine) continue;
      const [, clock] = taskClock.exec(text) ?? [];
      if (clock !== undefined) block.cpuNs = amount(clock, line, numberOf(clock)) * nsPer.ms;
      const [, mean, error] = elapsed.exec(text) ?? [];
      if (mean !== undefined) {
        if (seconds !== null) throw malformed(line, 'a second line "seconds time elapsed" below one command');
        seconds = { mean: amount(mean, line), error: error === undefined ? null : amount(error, line) };
      }
      const [, one] = single.exec(text) ?? [];
      if (one !== undefined) block.singles.push(amount(one, line));
    }
    finish();
    return { benchmarks: [...set.benchmarks(), ...means] };
  },
};

const jsonAdvice = 'Write it with LC_ALL=C perf stat -j -e duration_time,task-clock -o FILE COMMAND.';

function cpuTimeOnly(path: string): Warning {
  return {
    code: 'METRIC_UNAVAILABLE',
    message:
      `${path} holds the CPU time of the command (task-clock) and not how long it took, so CPU times are compared. Measure ` +
      'with perf stat -j -e duration_time,task-clock where waiting counts.',
  };
}

/** A counter as a line has it; `null` for what is none, for one that was not counted, and for one of a part of the time (`-I`). */
function counterOf(
  text: string,
): { readonly event: string; readonly value: number; readonly unit: string; readonly isMean: boolean } | null {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found !== 'object' || found === null) return null;
    const fields = new Map<string, unknown>(Object.entries(found));
    const [event, value, unit, variance] = ['event', 'counter-value', 'unit', 'variance'].map((key) => fields.get(key));
    const number = typeof value === 'string' ? Number(value) : Number.NaN;
    if (typeof event !== 'string' || !(number >= 0) || number === Infinity || fields.has('interval')) return null;
    const isMean = typeof variance === 'number' && variance >= 0 && variance < Infinity;
    return {
      event: event.replace(/:[a-zA-Z]+$/, ''),
      value: number,
      unit: typeof unit === 'string' ? unit : '',
      isMean,
    };
  } catch {
    return null;
  }
}

/**
 * `perf stat -j`: a line a counter. With `-r` it holds means and their relative standard errors, and not the number of runs, so that
 * several files are needed for an interval. Source: Linux, `tools/perf/Documentation/perf-stat.txt`, "JSON format".
 */
export const perfStatJson: Adapter = {
  id: 'perf-stat-json',
  describe: 'perf stat -j',
  reads: 'an execution is a run: `duration_time`, with `task-clock` as its CPU time; of `-r` a mean',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'SUMMARY_ONLY', 'METRIC_UNAVAILABLE'],
  detect: (head) => hasKeys(head, 'counter-value', 'event', 'event-runtime'),
  read: async (source) => {
    const { path } = source;
    type Time = { readonly ns: number; readonly isMean: boolean };
    const executions: Map<string, Time>[] = [];
    function malformed(line: number, what: string): ImportError {
      return malformedText({ path, line, column: 1 }, { what, advice: jsonAdvice });
    }
    for (const { number: line, text } of await readLines(source)) {
      if (!text.trimStart().startsWith('{')) continue;
      const counter = counterOf(text);
      if (counter === null) {
        if (/<not (?:counted|supported)>/.test(text)) continue;
        throw malformed(line, 'expected a counter with event and counter-value of a whole execution');
      }
      const { event, value, unit, isMean } = counter;
      if (event === 'duration_time' || event === 'task-clock' || event === 'cpu-clock') {
        const ns = value * (nsPerUnit(unit || 'ns') ?? Number.NaN);
        if (!(ns < Infinity)) throw malformed(line, `expected a unit of time, found '${unit.slice(0, 40)}'`);
        // An event that comes again is of the next execution.
        if (executions.at(-1)?.has(event) !== false) executions.push(new Map());
        executions.at(-1)?.set(event, { ns, isMean });
      }
    }
    const hasWall = executions.some((times) => times.has('duration_time'));
    const limits = hasWall ? [] : [cpuTimeOnly(path)];
    const set = new BenchmarkSet(path);
    for (const [index, times] of executions.entries()) {
      const cpu = times.get('task-clock') ?? times.get('cpu-clock');
      const time = hasWall ? times.get('duration_time') : cpu;
      if (time === undefined) {
        const what = `${path} has the counter duration_time of some of its executions alone`;
        throw new ImportError('MALFORMED_FILE', `${what}. ${jsonAdvice}`, { path });
      }
      if (time.isMean && executions.length === 1)
        return { benchmarks: [oneSided({ name: unnamed, summary: summaryOf({ meanNs: time.ns }) })], limits };
      const run = set.run({ name: unnamed }, String(index));
      run.push({ durationNs: time.ns });
      if (cpu !== undefined && hasWall) run.setMetric('c', cpu.ns);
    }
    if (executions.length === 0) {
      const what = `${path} has neither the counter duration_time nor task-clock`;
      throw new ImportError('NOTHING_TO_IMPORT', `${what}. ${jsonAdvice}`, { path });
    }
    return { benchmarks: set.benchmarks(), limits };
  },
};
