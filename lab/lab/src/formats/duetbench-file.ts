import {
  containerEngineSchema,
  defaultSettings,
  experimentDefaults,
  methodFacts,
  nearestWord,
  noHooks,
  workloadFacts,
  type BuiltInParser,
  type Method,
  type Settings,
  type Side,
  type Workload,
} from '@deadheat/model';
import { explainIssues, type DuetbenchReader } from 'deadheat/internals';
import {
  artifactsSchema,
  countSchema,
  lineSchema,
  mapSchema,
  textSchema,
  wordSchema,
  type Path,
} from 'deadheat/settings';
import { z } from 'zod';

type ExperimentSpec = NonNullable<Awaited<ReturnType<DuetbenchReader>>>;
type BenchmarkSpec = ExperimentSpec['benchmarks'][number];
type SideSpec = BenchmarkSpec['sides'][Side];
type Problems = Parameters<DuetbenchReader>[1]['problems'];

/*
 * Content of a file of duetbench (T. Drozdik, Asynchronous Duet Benchmarking, thesis 2023, section 3.2; key names as in
 * the package `duet`, config.py).
 */

/** A base may be empty: then `run` is the whole command. */
const base = z.string({ error: 'a text' }).optional();
const flag = z.boolean({ error: 'true or false' }).optional();
/** Keys of the suite, a benchmark or a side; the innermost one counts. */
const program = {
  run_base: base,
  syncduet_run_base: base,
  image: lineSchema.optional(),
  /** Paths in the container. */
  results: z.array(lineSchema, { error: 'a list of paths in the container' }).optional(),
};
/** Keys of the suite or a benchmark. */
const counts = {
  ...program,
  remove_containers: flag,
  suite: textSchema.optional(),
  duet_repetitions: countSchema(0).optional(),
  syncduet_repetitions: countSchema(0).optional(),
  sequential_repetitions: countSchema(0).optional(),
  /** Seconds of a run; 0 = none. */
  timeout: z.number({ error: 'a number of seconds' }).optional(),
  schedule: wordSchema(['sequential', 'randomized_interleaving_trials']).optional(),
};
const suiteSchema = mapSchema({
  ...counts,
  docker_command: wordSchema(containerEngineSchema.options).optional(),
  name: textSchema.optional(),
  verbose: flag,
  seed: textSchema.optional(),
  duets: z.array(lineSchema, { error: 'a list of names of benchmarks' }).min(1, { error: 'at least one benchmark' }),
  artifacts: artifactsSchema.optional(),
});
const side = mapSchema({ ...program, run: lineSchema });
const benchmarkSchema = mapSchema({ ...counts, A: side, B: side.optional() });

type DuetbenchSuite = z.infer<typeof suiteSchema>;
type DuetbenchBenchmark = z.infer<typeof benchmarkSchema>;
type DuetbenchCounts = Pick<DuetbenchSuite, keyof typeof counts>;

const root = 'duetbench';

/** Suites of the thesis whose results are understood: their runs are not timed as a whole. */
const parsers: ReadonlyMap<string, BuiltInParser> = new Map([
  ['renaissance', 'renaissance'],
  ['dacapo', 'dacapo'],
  ['scalabench', 'scalabench'],
  ['speccpu', 'spec-cpu'],
]);

/** Placeholder of the name of the barrier in the commands of synchronised runs. */
const barrierMark = '$$';

/** duetbench executes commands by bash; an image that has none gets by with sh. */
const shellInside: SideSpec['shell'] = {
  kind: 'shell',
  commandLine: `/bin/sh -c 'exec "$(command -v bash || command -v sh)" "$@"' sh`,
};

/** Number of times that duetbench runs each method by default. */
const repetitions = [
  { method: 'async-duet', key: 'duet_repetitions', otherwise: 1 },
  { method: 'sync-duet', key: 'syncduet_repetitions', otherwise: 0 },
  { method: 'sequential', key: 'sequential_repetitions', otherwise: 0 },
] as const satisfies readonly { method: Method; key: keyof DuetbenchCounts; otherwise: number }[];

/**
 * The experiment that a file of duetbench describes; benchmarks that `duets` does not name are not run, as there. Without
 * the root all are run, and one whose image is called as a known suite is of that suite. A run executes each side once, timed as a whole. `null` when there are problems that leave nothing to describe.
 * Benchmarks that have an image are executed in containers.
 */
export function readDuetbenchSpec(...[data, { problems, textAt }]: Parameters<DuetbenchReader>): ExperimentSpec | null {
  const duets = Object.keys(data);
  const parsed = suiteSchema.safeParse(Object.hasOwn(data, root) ? data[root] : { duets });
  if (!parsed.success) {
    explainIssues(parsed.error.issues, { data: data[root], base: [root], problems });
    return null;
  }
  const suite = parsed.data;
  checkRemoval(suite, { path: [root], problems });
  const seen = new Set<string>();
  const found = suite.duets.flatMap((name, index) => {
    const path = [root, 'duets', index];
    if (seen.has(name)) {
      problems.add(path, `${name} is there twice`);
      return [];
    }
    seen.add(name);
    const benchmark = readEntry(name, { data, path, problems });
    return benchmark === null ? [] : [{ name, benchmark }];
  });
  const schedule = readSchedule(suite, { found, problems });
  return {
    name: suite.name !== undefined ? textAt([root, 'name'], suite.name) : textOrNull(suite.suite),
    seed: suite.seed === undefined ? null : textAt([root, 'seed'], suite.seed),
    schedule: schedule === 'randomized_interleaving_trials' ? 'randomized-interleaving' : 'sequential',
    cpus: null,
    lanes: null,
    engine: suite.docker_command ?? experimentDefaults.engine,
    correction: experimentDefaults.correction,
    strict: experimentDefaults.strict,
    control: false,
    artifacts: suite.artifacts ?? experimentDefaults.artifacts,
    experimentTimeoutNs: experimentDefaults.experimentTimeoutNs,
    showOutput: suite.verbose ?? experimentDefaults.showOutput,
    benchmarks: found.flatMap(({ name, benchmark }) => toSpecs(name, { suite, benchmark, problems })),
  };
}

function textOrNull(text: DuetbenchSuite['suite']): string | null {
  return text === undefined ? null : String(text);
}

function nameOfSuite(suite: DuetbenchSuite, benchmark: DuetbenchBenchmark): string {
  const image = benchmark.A.image ?? benchmark.image ?? suite.image;
  const [, called] = /([^/:@]+)(?:[:@][^/]*)?$/.exec(image ?? '') ?? [];
  const ofImage = called !== undefined && parsers.has(called) ? called : 'duetbench';
  return String(benchmark.suite ?? suite.suite ?? suite.name ?? ofImage);
}

function readEntry(
  name: string,
  { data, path, problems }: { data: Readonly<Record<string, unknown>>; path: Path; problems: Problems },
): DuetbenchBenchmark | null {
  if (name === root || !Object.hasOwn(data, name)) {
    const nearest = nearestWord(
      name,
      Object.keys(data).filter((key) => key !== root),
    );
    const hint = nearest === null ? `Add ${name}: with A: to the file.` : `Did you mean ${nearest}?`;
    problems.add(path, `there is no benchmark ${name} in the file`, { hint });
    return null;
  }
  const value = data[name];
  const parsed = benchmarkSchema.safeParse(value);
  if (parsed.success) {
    checkRemoval(parsed.data, { path: [name], problems });
    return parsed.data;
  }
  explainIssues(parsed.error.issues, { data: value, base: [name], problems });
  return null;
}

/** Containers are always removed: what is kept of them are their results and what they print. */
function checkRemoval(
  { remove_containers: isRemoved }: DuetbenchCounts,
  { path, problems }: { path: Path; problems: Problems },
): void {
  if (isRemoved !== false) return;
  problems.add([...path, 'remove_containers'], 'containers are always removed here', {
    hint: 'Leave it out; results and output of every run are kept in the recording.',
  });
}

/** The thesis' listing 1 says it in a benchmark, the tool itself for the suite; it counts for the experiment. */
function readSchedule(
  suite: DuetbenchSuite,
  { found, problems }: { found: readonly { name: string; benchmark: DuetbenchBenchmark }[]; problems: Problems },
): NonNullable<DuetbenchSuite['schedule']> {
  const own = found.flatMap(({ name, benchmark: { schedule } }) =>
    schedule === undefined ? [] : [{ name, schedule }],
  );
  const schedule = suite.schedule ?? own[0]?.schedule ?? 'sequential';
  for (const other of own.filter((said) => said.schedule !== schedule)) {
    problems.add([other.name, 'schedule'], `the schedule of the experiment is ${schedule} already`, {
      hint: `All benchmarks share one schedule; say it under ${root}.`,
    });
  }
  return schedule;
}

/** One for the methods that execute `run_base`, one for the synchronised duet, which has a command of its own. */
function toSpecs(
  name: string,
  { suite, benchmark, problems }: { suite: DuetbenchSuite; benchmark: DuetbenchBenchmark; problems: Problems },
): readonly BenchmarkSpec[] {
  const runs = repetitions
    .map(({ method, key, otherwise }) => ({ method, runs: benchmark[key] ?? suite[key] ?? otherwise }))
    .filter((counted) => counted.runs > 0);
  if (runs.length === 0) {
    problems.add([name], `${name} is run no time by any method`, {
      at: 'key',
      hint: 'Raise one of duet_repetitions, syncduet_repetitions and sequential_repetitions.',
    });
  }
  const seconds = benchmark.timeout ?? suite.timeout ?? 0;
  const suiteName = nameOfSuite(suite, benchmark);
  const parser = hasResults(suite, benchmark) ? parsers.get(suiteName) : undefined;
  const workload: Workload = parser === undefined ? 'command' : 'lines';
  const toSettings = ({ method, runs: count }: (typeof runs)[number]): Settings => {
    const defaults = defaultSettings(method, workload);
    return {
      ...defaults,
      stop: { kind: 'runs', runs: count },
      maxTimeNs: null,
      leastRuns: Math.min(defaults.leastRuns, count),
      ...(!workloadFacts[workload].timesItself ? { iterations: 1 } : {}),
      runTimeoutNs: seconds > 0 ? Math.round(seconds * 1e9) : null,
    };
  };
  const isDuet = ({ method }: (typeof runs)[number]): boolean => methodFacts[method].barrier;
  const groups = [
    { key: 'run_base', members: runs.filter((counted) => !isDuet(counted)) },
    { key: 'syncduet_run_base', members: runs.filter(isDuet) },
  ] as const;
  return groups
    .filter(({ members }) => members.length > 0)
    .map(({ key, members }): BenchmarkSpec => {
      const side = (which: Side): SideSpec => toSide(which, { name, key, suite, benchmark, problems });
      const sides = { A: side('A'), B: side('B') };
      const isBarrierNamed = [sides.A, sides.B].every(({ command }) => command.text.includes(barrierMark));
      return {
        name: benchmark.suite === undefined ? name : `${benchmark.suite}.${name}`,
        path: [name],
        workload,
        lines: null,
        parser: parser === undefined ? null : { text: parser, path: [name] },
        input: null,
        parameters: [],
        sides,
        suite: suiteName,
        waiver: null,
        baseline: null,
        agentBarrier: key === 'syncduet_run_base' && isBarrierNamed,
        countsCut: true,
        methods: members.map(toSettings),
      };
    });
}

/** Path of the results that is read; SPEC CPU has a folder, in which runcpu's second log describes the measured work. */
function outputOf(suiteName: string, results: readonly string[] | undefined): string | null {
  const [first] = results ?? [];
  if (first === undefined) return null;
  return parsers.get(suiteName) === 'spec-cpu' ? `${first}/*002.log` : first;
}

/** True if both sides have containers that results are copied out of. */
function hasResults(suite: DuetbenchSuite, benchmark: DuetbenchBenchmark): boolean {
  return [benchmark.A, benchmark.B ?? benchmark.A].every((side) => {
    const image = side.image ?? benchmark.image ?? suite.image;
    const results = side.results ?? benchmark.results ?? suite.results;
    return image !== undefined && results !== undefined && results.length > 0;
  });
}

function toSide(
  side: Side,
  context: {
    readonly name: string;
    readonly key: 'run_base' | 'syncduet_run_base';
    readonly suite: DuetbenchSuite;
    readonly benchmark: DuetbenchBenchmark;
    readonly problems: Problems;
  },
): SideSpec {
  const { name, key, suite, benchmark, problems } = context;
  const which = benchmark[side] === undefined ? 'A' : side;
  const own = benchmark[which] ?? benchmark.A;
  const base = own[key] ?? benchmark[key] ?? suite[key];
  const path = [name, which, 'run'];
  if (base === undefined && key === 'syncduet_run_base') {
    problems.add(path, `side ${which} has no command for its synchronised runs`, {
      hint: 'Add syncduet_run_base, or set syncduet_repetitions to 0.',
    });
  }
  const image = own.image ?? benchmark.image ?? suite.image;
  const results = own.results ?? benchmark.results ?? suite.results;
  if (image === undefined && key === 'syncduet_run_base' && base?.includes(barrierMark) === true) {
    problems.add(path, 'its synchronised runs name the barrier of duetbench ($$), which only containers have', {
      hint: 'Add image:, or take $$ out of syncduet_run_base; a program finds its barrier by DEADHEAT_PAGE (docs/formats/protocol.md).',
    });
  }
  if (image === undefined && results !== undefined) {
    problems.add(path, 'its results are in a container, and there is no image', {
      hint: 'Add image:, or leave results out: what the programs write stays where they write it.',
    });
  }
  const container: SideSpec['container'] =
    image === undefined
      ? null
      : {
          image: { text: image, path },
          cpus: null,
          memoryBytes: null,
          network: 'none',
          writable: null,
          keep: results ?? [],
          // Read only where the suite is one that is understood.
          output: outputOf(nameOfSuite(suite, benchmark), results),
        };
  return {
    command: { text: `${base ?? ''} ${own.run}`.trim(), path },
    name: null,
    cwd: null,
    scratch: null,
    results: null,
    environment: {},
    shell: container === null ? { kind: 'automatic' } : shellInside,
    hooks: noHooks,
    container,
  };
}
