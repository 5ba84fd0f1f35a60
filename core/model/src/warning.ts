import { z } from 'zod';

/** The closed list of warnings by what they are about, each with what it means and asks for. */
const meanings = {
  /** The verdict may not mean what it seems to. */
  result: {
    CLOCK_RESOLUTION:
      'The clock of the kernel is slow or coarse, an error in each time that may exceed the difference of short programs. Let every execution do more work.',
    SLOW_NOW_AND_THEN:
      'A side is slow in a few of its runs, and more runs are needed to know in how many. Give it the number of runs that the message names.',
    TYPICAL_AND_TOTAL_DIFFER:
      'Most runs say one thing of B, the total time of all runs the opposite, so neither is claimed. Look at what the slow runs do, and choose with --judge which of both matters.',
    FEW_RUNS:
      'The interval is made of fewer than ten runs or blocks of runs and is a rough one. Give it more with --runs.',
    RUNS_CUT: 'Runs were ended by their own time limit. Raise timeout, or have an execution do less.',
    VERY_SHORT:
      'An execution is so short that most of it is the start of the process. Repeat the work inside one execution, or time it inside the program with a harness.',
    FAILED_RUNS_IGNORED:
      'Runs failed and are left out, so that the result speaks only of those that did not. trials.jsonl of the recording has the causes.',
    NONZERO_EXIT:
      'Executions that ended with another status than 0 count, since that was allowed. One that fails may have done less: look at why, or measure without --ignore-failure.',
    STRAY_PROCESSES:
      'A side left processes running behind it, which took time from both. Have the command wait for them.',
    SIDES_WAIT:
      'The sides wait for each other, so their times are not those that each has alone. Give each its own lock, port, file or database, or use --method sequential.',
    SIDES_SHARE_CACHES:
      'The sides are different programs that share the caches of a core, which may slow one of them more than the other. Measure with --method alone.',
    SAME_FILE_WRITTEN:
      'Both sides write the same file at the same time, so that each may find what the other left there. Give each a copy of the folder with --scratch, or use --method sequential.',
    THREADS_CONFINED:
      'A program that would use several cores was confined to one. Use --method sequential, which leaves it all of them.',
    LOW_OVERLAP:
      'Too little of the time ran in pairs of iterations that overlap, so there is no verdict. Use --method sync-duet, or give a run more iterations.',
    WARMUP_NOT_STABLE:
      'The times had not become stable where the warm-up ended. Raise its limit, or look at the series in the report.',
    RUNS_NOT_STABLE:
      'The means of the runs had not become stable where the experiment ended. Raise the number of runs.',
    TREND:
      'The times still fall or rise from iteration to iteration, so the mean depends on their number. Give it more warm-up.',
    ONE_RUN: 'There is one run a side, which does not show how much runs differ. Make ten or more.',
    ALL_EQUAL:
      'All times are equal, so that nothing is known of their spread: the clock is coarse, or the file is rounded.',
    WARM_UP_INCLUDED: 'The times hold those of the warm-up, which differ from the others. Leave out the first ones.',
    METRIC_UNAVAILABLE: 'A metric that was asked for was not measured, and another one stands in.',
    METRICS_DISAGREE:
      'One metric says one thing of B and another one something else: a side waits, or uses several cores. Choose with --metric the one that matters to you.',
    STDERR_LARGE:
      'A side writes more than 16 MiB to standard error, which is part of its time. Redirect it: 2> /dev/null.',
    OUTPUTS_VARY:
      'A side prints something else in every run, so --same-output cannot compare the sides. Take out what varies with --normalise-output COMMAND.',
    OPERATION_TIMES_PRINTED:
      'The output looks like that of a harness, whose run may fill a fixed time whatever the code costs. Have the times that it prints compared (docs/parsers.md).',
    BENCHMARKS_DIFFER: 'The sides do not hold the same benchmarks. Those of one side alone are not compared.',
    INVOCATIONS_DIFFER:
      'The sides have different numbers of invocations in an iteration, and pay unequally for what surrounds one. Give both the same number.',
    NO_RUN_VARIANCE:
      'A file holds a single run, which does not show how much runs differ. Repeat the run ten times or more and give the folder of the files.',
    BLOCK_ORDER:
      'All of A was measured before all of B, so a change of the machine between them looks like a difference of the programs. Let the tool measure both in turns, or measure with deadheat itself.',
    REAL_TIME_FAR_OFF:
      'A file has far more real time than CPU time: other programs had the core, or the program waits. Ask for --metric time where waiting counts.',
    COARSE_CLOCK:
      'Times come in such large steps that a smaller difference cannot be seen. Let an iteration take longer, or print more digits.',
    CONTROL_FIRED:
      'A differs from itself, so what was measured beside it is not to be trusted. Look at what disturbs the machine and measure again.',
    WAIVER_EXPIRED: 'A benchmark was excused until a day that has passed, and counts again.',
    FAMILY_NEEDS_RUNS:
      'With so many benchmarks so few runs cannot make one count as slower. The message names the number of runs that can.',
    BENCHMARKS_UNMATCHED: 'Benchmarks of one side have none of the same name on the other.',
    NAMES_DIFFER: 'Two benchmarks were compared although they have different names. Check that they are the same work.',
    MACHINES_DIFFER: 'The files come from different machines. Measure both sides on one.',
    MISSING_PARTS: 'Parts of the experiment are missing, and so are their runs.',
    FEW_HOSTS: 'There are so few hosts that the interval holds for these machines alone.',
    LAYOUT_SUSPECTED:
      'Both sides do the same work by their counted instructions, and the times differ by less than two layouts of one program do. Build several layouts (deadheat git --layouts 8), or let a gate pass it with --layout-proof.',
    LAYOUTS_IDENTICAL:
      'Builds that were to differ in their layout hold the same machine code, so the interval holds less of what layouts do than it says, or nothing. Have the build use the compiler in PATH, or the seed in DEADHEAT_LAYOUT_SEED (docs/layouts.md).',
    NOT_CONFIRMED: 'Other hosts do not confirm that B is slower. Look at what differs between them.',
  },
  /** The machine and other work on it, which take from both sides of a shared core alike. */
  disturbance: {
    SINGLE_CORE:
      'Only one CPU may be used, and a duet needs a core for each side; another method was taken. Give the process two CPUs for a duet.',
    NO_SHARED_MEMORY:
      'There is no writable /dev/shm for the barrier between the sides; another method was taken. Mount a tmpfs there (docker: --shm-size=64m), or name a folder in memory in DEADHEAT_SHM.',
    NO_NATIVE_CALLS:
      'The C library cannot be called here, so processes can be neither pinned nor timed from inside. Run on Linux, x64 or arm64.',
    SMT_SIBLINGS:
      'The CPUs of the sides are threads of one core and share its execution units, so each side is slower by what the other does. Choose CPUs of two cores with --cpus.',
    CPU_QUOTA:
      'The control group may use less than two CPUs, and a duet keeps two busy: the kernel stops the sides at different times. Raise the limit, or use --method tandem.',
    CPU_THROTTLED:
      'The control group used up its CPU quota during the runs and was stopped. Start the container or job with a higher limit or none.',
    LOAD: 'Other work competed for the cores when the experiment began. In a tandem it takes time from both sides alike and widens the interval a little; a duet, turns and programs that wait suffer from it. Stop the other work or wait, else give the experiment more runs.',
    STEAL:
      'The hypervisor took more than 1 % of the time of the cores away. Judge programs that compute by CPU time (--method tandem), give the experiment more runs, or use a machine with cores of its own.',
    GOVERNOR:
      'The clock of each core follows its own load, so that runs are made at different speeds. As root: deadheat doctor --apply; else choose the power profile "performance".',
  },
  /** The interval, a cause of an open verdict and of nothing else. */
  width: {
    RUN_FAR_OFF:
      'Some runs lie more than five robust standard deviations from the median ratio. They stay in the result. Look what else ran then, or give it a few --warmup runs.',
    RUNS_CORRELATED:
      'Ratios of neighbouring runs resemble each other, so the interval was made wider: something on the machine changes more slowly than runs follow each other. Repeat the experiment later.',
    TIME_LIMIT: 'The time limit ended the experiment before all planned runs. Raise --max-time.',
    PRECISION_NOT_REACHED:
      'The interval is wider than was asked for when the time ended. The message names the time that would do (--max-time).',
    NOT_DECIDED: 'The runs that the limits allow leave the question open. Raise --max-runs or --max-time.',
    FEW_MEASUREMENTS: 'There are few measurements in a run. Give it more iterations.',
  },
  /** Nothing that can be done about this result. */
  note: {
    CHANGE_AT_EDGE: 'A change lies so near to an end of the series that it may be chance.',
    COARSE_CPU_TIME: 'The system reports CPU time in coarse steps. Let every execution do more work.',
    INTERRUPTED: 'The experiment was ended from outside. The message says what remained undone.',
    ARTIFACT_FAILED: 'A file that was asked for beside the result could not be made.',
    SUMMARY_ONLY:
      'A file holds means and no single times: no outlier, trend or warm-up can be seen. Let the tool keep its samples.',
    SORTED_SAMPLES: 'A file holds its times sorted, so that no change over time can be seen.',
    NO_TIMESTAMPS: 'A file does not say when an iteration began, so iterations cannot be paired by time.',
    RATE_INVERTED: 'Scores of operations in a time were turned into the time of one operation.',
    JOURNAL_TORN: 'The last line of the journal is incomplete and its run left out; --resume makes it again.',
    LOCK_BY_IDENTITY:
      'The file system of the recording keeps no locks that end with their process. Let nothing else write to the recording, above all no other container.',
    FILES_IGNORED: 'Files of a folder were left out since they are no results.',
  },
} as const;

type Kind = keyof typeof meanings;
type Code = { readonly [K in Kind]: keyof (typeof meanings)[K] }[Kind];

/** What every warning is about, and what it means and asks for. */
export const warningFacts = Object.fromEntries(
  (Object.keys(meanings) as Kind[]).flatMap((kind) =>
    Object.entries(meanings[kind]).map(([code, meaning]) => [code, { kind, meaning }]),
  ),
) as Readonly<Record<Code, { readonly kind: Kind; readonly meaning: string }>>;

/** A warning about a result. It is data: it travels with the result into every output, and its message ends with what to do. */
export const warningSchema = z.object({
  /** Stable name of the kind of warning. */
  code: z.enum(Object.keys(warningFacts) as Code[]),
  /** The finding, and what to do about it. */
  message: z.string(),
});
export type Warning = z.infer<typeof warningSchema>;
