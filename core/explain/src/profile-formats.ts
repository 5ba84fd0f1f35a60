import { gzipSync } from 'node:zlib';
import { Profile, type FunctionInput, type LocationInput, type SampleInput, StringTable } from 'pprof-format';
import { type AlignedFunction, type CalledPlace, type Explanation, sides, type Side } from '@deadheat/model';
import { functionName } from '@deadheat/report';

type Tree = Pick<Explanation, 'tree' | 'table'>;

/** A stack of the tree with the CPU time of both sides, ns a run. */
interface Weighted {
  /** Numbers of functions, the outermost first. */
  readonly path: readonly number[];
  readonly ns: Readonly<Record<Side, number>>;
}

function weightedStacks({ tree }: Tree): readonly Weighted[] {
  const stacks: Weighted[] = [];
  function visit([, A, B, ...below]: CalledPlace, path: readonly number[]): void {
    if (A + B > 0) stacks.push({ path, ns: { A, B } });
    for (const child of below) visit(child, [...path, child[0]]);
  }
  visit(tree, []);
  return stacks;
}

function nameIn(table: readonly AlignedFunction[], fn: number): string {
  const aligned = table[fn];
  return aligned === undefined ? '' : functionName(aligned);
}

/** Collapsed stacks with two columns, ns of A and of B: the input of difffolded tools. */
export function renderCollapsed(explanation: Tree): string {
  const lines = weightedStacks(explanation).map(({ path, ns }) => {
    const names = path.map((fn) => nameIn(explanation.table, fn).replaceAll(/[;\s]+/g, '_'));
    return `${names.join(';')} ${ns.A} ${ns.B}\n`;
  });
  return lines.join('');
}

/** A file of speedscope with a profile for each side. */
export function renderSpeedscope(explanation: Tree & Pick<Explanation, 'benchmark'>): string {
  const stacks = weightedStacks(explanation);
  const frames = explanation.table.map((aligned) => {
    const frame = aligned.B ?? aligned.A;
    return {
      name: functionName(aligned),
      ...(frame === null || frame.file === '' ? {} : { file: frame.file }),
      ...(frame?.line == null ? {} : { line: frame.line }),
    };
  });
  const profiles = sides.map((side) => {
    const own = stacks.filter(({ ns }) => ns[side] > 0);
    return {
      type: 'sampled',
      name: `${side} of ${explanation.benchmark}`,
      unit: 'nanoseconds',
      startValue: 0,
      endValue: own.reduce((sum, { ns }) => sum + ns[side], 0),
      samples: own.map(({ path }) => path),
      weights: own.map(({ ns }) => ns[side]),
    };
  });
  return `${JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    shared: { frames },
    profiles,
    name: explanation.benchmark,
    activeProfileIndex: 1,
    exporter: 'deadheat',
  })}\n`;
}

/** A compressed profile of pprof with the values `A`, `B` and `difference`, ns of CPU time a run; the last is shown first. */
export function renderPprof(explanation: Tree): Uint8Array {
  const strings = new StringTable();
  const functions: FunctionInput[] = explanation.table.map((aligned, at) => {
    const frame = aligned.B ?? aligned.A;
    const name = strings.dedup(functionName(aligned));
    return {
      id: at + 1,
      name,
      systemName: name,
      filename: strings.dedup(frame?.file ?? ''),
      startLine: frame?.line ?? 0,
    };
  });
  const locations: LocationInput[] = functions.map(({ id = 0, startLine = 0 }) => ({
    id,
    line: [{ functionId: id, line: startLine }],
  }));
  const samples: SampleInput[] = weightedStacks(explanation).map(({ path, ns }) => ({
    locationId: path.toReversed().map((fn) => fn + 1),
    value: [ns.A, ns.B, ns.B - ns.A],
  }));
  const unit = strings.dedup('nanoseconds');
  const sampleType = ['A', 'B', 'difference'].map((type) => ({ type: strings.dedup(type), unit }));
  const profile = new Profile({
    sampleType,
    sample: samples,
    location: locations,
    function: functions,
    stringTable: strings,
    defaultSampleType: strings.dedup('difference'),
  });
  return gzipSync(profile.encode());
}
