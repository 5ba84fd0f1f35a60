import type { ExperimentDraft } from '@deadheat/engine';
import { sides, type Benchmark, type Command, type Side } from '@deadheat/model';

/** Where a side is executed and how it is called. */
export interface SidePlace {
  /** Absolute. */
  readonly folder: string;
  /** The version, such as `main (1a2b3c4)`. */
  readonly label: string;
  /** Variables beside those of the benchmark. */
  readonly environment: Readonly<Record<string, string>>;
}

type Both<Value> = Readonly<Record<Side, Value>>;

/**
 * One experiment of the same one described twice, each time for the tree of a side: side A is that of A's tree, side B that of
 * B's. What belongs to both, such as settings and parsers, is as in the tree of B. Sides that the user gave no name are called by
 * their versions.
 */
export function joinDrafts(drafts: Both<ExperimentDraft>, places: Both<SidePlace>): ExperimentDraft {
  const benchmarks = drafts.B.benchmarks.map((benchmark, index) =>
    joinSides({ A: drafts.A.benchmarks[index] ?? benchmark, B: benchmark }, places),
  );
  return { ...drafts.B, benchmarks };
}

function joinSides(benchmarks: Both<Benchmark>, places: Both<SidePlace>): Benchmark {
  const pick = <Value>(value: (benchmark: Benchmark, side: Side) => Value): { A: Value; B: Value } => {
    const [A, B] = sides.map((side) => value(benchmarks[side], side));
    return { A: A as Value, B: B as Value };
  };
  return {
    ...benchmarks.B,
    commands: pick(({ commands }, side) => labelled(commands[side], places[side])),
    hooks: pick(({ hooks }, side) => hooks[side]),
    results: pick(({ results }, side) => results[side]),
    environment: pick(({ environment }, side) => ({ ...places[side].environment, ...environment[side] })),
    workingDirectory: pick(({ workingDirectory }, side) => workingDirectory[side] ?? places[side].folder),
  };
}

/** The command line tells the version, so that two of one command are not taken for a comparison of one with itself. */
function labelled(command: Command, { label }: SidePlace): Command {
  const isNamed = command.name !== command.commandLine;
  return { ...command, name: isNamed ? command.name : label, commandLine: `${command.commandLine}  # ${label}` };
}
