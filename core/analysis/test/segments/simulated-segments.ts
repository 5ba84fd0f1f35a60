import type { FlatSample, Random } from '@deadheat/stats';

/** The model of Antoch et al., OOPSLA'26, equation 1, all effects normal. */
export interface Model {
  readonly runs: number;
  readonly measurements: number;
  /** Changes a measurement. */
  readonly rate: number;
  readonly baseline: number;
  readonly runVariance: number;
  readonly segmentVariance: number;
  readonly measurementVariance: number;
}

interface Effects {
  /** Last index of every segment but the final one. */
  readonly changes: readonly number[];
  readonly values: Float64Array;
}

const drawRun = (model: Model, random: Random): Effects => {
  const [run, segment, noise] = [model.runVariance, model.segmentVariance, model.measurementVariance].map(Math.sqrt);
  const own = model.baseline + run! * random.normal();
  const values = new Float64Array(model.measurements);
  const changes: number[] = [];
  let level = own + segment! * random.normal();
  for (let i = 0; i < values.length; i++) {
    values[i] = level + noise! * random.normal();
    if (i < values.length - 1 && random.next() < model.rate) {
      changes.push(i);
      level = own + segment! * random.normal();
    }
  }
  return { changes, values };
};

const flatten = (runs: readonly Effects[]): FlatSample => {
  const runStarts = [0];
  const segmentStarts = [0];
  let at = 0;
  for (const { changes, values } of runs) {
    for (const change of changes) segmentStarts.push(at + change + 1);
    at += values.length;
    segmentStarts.push(at);
    runStarts.push(segmentStarts.length - 1);
  }
  const values = new Float64Array(at);
  let place = 0;
  for (const run of runs) {
    values.set(run.values, place);
    place += run.values.length;
  }
  return { values, offsets: [Int32Array.from(runStarts), Int32Array.from(segmentStarts)] };
};

/** Runs with their true segments. */
export const simulateRuns = (model: Model, random: Random): FlatSample =>
  flatten(Array.from({ length: model.runs }, () => drawRun(model, random)));

/** Logarithms of ratios of a duet: both sides by the model on the log scale, segments where either side changes. */
export const simulateDuet = (model: Model, random: Random): FlatSample =>
  flatten(
    Array.from({ length: model.runs }, () => {
      const a = drawRun({ ...model, baseline: 0 }, random);
      const b = drawRun(model, random);
      const changes = [...new Set([...a.changes, ...b.changes])].toSorted((left, right) => left - right);
      return { changes, values: b.values.map((value, i) => value - a.values[i]!) };
    }),
  );
