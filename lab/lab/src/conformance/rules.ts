const environment = 'The environment';
const record = 'The record';
const barrier = 'The barrier';
const side = 'What a side does';
const failing = side;

/** Something that the protocol asks of a program. */
export interface Rule {
  /** Heading in docs/formats/protocol.md. */
  readonly section: string;
  readonly text: string;
}

export type RuleId =
  | 'alone'
  | 'iterations'
  | 'warmup'
  | 'fill'
  | 'wait'
  | 'record-form'
  | 'record-time'
  | 'record-clock'
  | 'record-in-time'
  | 'barrier'
  | 'barrier-wrap'
  | 'decision-copy'
  | 'decision'
  | 'state'
  | 'benchmark-number'
  | 'started'
  | 'work-done'
  | 'end'
  | 'poison'
  | 'failure'
  | 'refusal';

/** What a program has to do, and the section of docs/formats/protocol.md that says so; in the order of that page. */
export const rules: Readonly<Record<RuleId, Rule>> = {
  alone: { section: environment, text: 'without a page it runs alone to a good end' },
  iterations: { section: environment, text: 'it does DEADHEAT_ITERATIONS iterations of each benchmark' },
  warmup: { section: environment, text: 'it marks the first DEADHEAT_WARMUP iterations as warm-up' },
  fill: { section: environment, text: 'with DEADHEAT_FILL it works until the other side has done its iteration' },
  wait: { section: environment, text: 'with DEADHEAT_WAIT=yield it waits at the barrier without a busy loop' },
  'record-form': { section: record, text: 'its record can be read' },
  'record-time': { section: record, text: 'time in its record does not run backwards' },
  'record-clock': { section: record, text: 'its clock is CLOCK_MONOTONIC in nanoseconds' },
  'record-in-time': { section: record, text: 'each line is in the record before the next barrier' },
  barrier: { section: barrier, text: 'it begins no iteration before both sides have reached the barrier' },
  'barrier-wrap': { section: barrier, text: 'it passes barriers whose number wraps' },
  'decision-copy': { section: barrier, text: "as side A it copies the runner's decision for its benchmark" },
  decision: { section: barrier, text: 'it does what was decided: measure, warm up, stop' },
  state: { section: side, text: 'it stores its process id and that it is running' },
  'benchmark-number': { section: side, text: 'it counts the benchmarks that it begins' },
  started: { section: side, text: 'it stores when each iteration started' },
  'work-done': { section: side, text: 'it counts the iterations that it has done' },
  end: { section: side, text: 'it ends with status 0, having stored that it finished' },
  poison: { section: failing, text: 'poison frees it from the barrier' },
  failure: { section: failing, text: 'when it fails it says why and ends with a status that is not 0' },
  refusal: { section: 'Refusal', text: 'it refuses what is no page of its version' },
};

/** What one look at one rule gave. */
export interface Finding {
  readonly rule: RuleId;
  /** What the program did wrong; `null` = it did right. */
  readonly problem: string | null;
}
