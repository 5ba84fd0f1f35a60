import { describeUnmatched, labelOfBenchmark, listBenchmarks } from '@deadheat/analysis';
import type { Method, Params, Side, Warning } from '@deadheat/model';
import { BenchmarkSet, type BenchmarkKey } from './benchmark-set.ts';
import { ImportError } from './import-error.ts';
import type { ImportedBenchmark, ImportedFile } from './imported-file.ts';

/** One benchmark with its two sides. */
export interface MatchedBenchmark {
  readonly name: string;
  readonly params: Params;
  /** The method by which both sides were measured against each other; `sequential` unless a file says otherwise. */
  readonly method: Method;
  /** `true` = all of A was measured before all of B, as far as the files say. */
  readonly inBlocks: boolean;
  /** The names of the sides. */
  readonly names: Readonly<Record<Side, string>>;
  readonly sides: Readonly<Record<Side, ImportedBenchmark>>;
}

export interface Matches {
  readonly matched: readonly MatchedBenchmark[];
  readonly warnings: readonly Warning[];
}

/** Settings of the matching. */
export interface MatchOptions {
  /** `true` = a benchmark that one side lacks is an error; otherwise it is a warning. */
  readonly strict: boolean;
}

/**
 * Finds the two sides of every benchmark of a file that holds both.
 *
 * @throws ImportError `ONE_SIDE_ONLY`, `SIDES_NOT_CLEAR`, `NOTHING_IN_COMMON`, `BENCHMARKS_UNMATCHED`
 */
export function matchWithin(file: ImportedFile, { strict }: MatchOptions): Matches {
  const { path, benchmarks } = file;
  if (benchmarks.some(({ side }) => side !== null)) {
    function of(side: Side): readonly ImportedBenchmark[] {
      return benchmarks.filter((one) => one.side === side);
    }
    return match({ A: of('A'), B: of('B') }, { A: `${path} A`, B: `${path} B` }, { inBlocks: false, strict });
  }
  const [A, B] = benchmarks;
  if (!file.alternatives || A === undefined || B === undefined) {
    const what = `${path} holds one side, and a comparison needs two`;
    const why =
      'To halve one file into A and B would compare a program with itself under the same conditions (an A/A split): ' +
      'that says nothing about another version, and single runs of one file are often not independent';
    const next = `Name the other side's file as well: deadheat analyse OLD NEW. To see what this machine can see, measure: deadheat COMMAND.`;
    throw new ImportError('ONE_SIDE_ONLY', `${what}. ${why}. ${next}`, { path });
  }
  if (benchmarks.length > 2) {
    const what = `${path} holds ${benchmarks.length} alternatives, and it is not clear which is A and which is B`;
    throw new ImportError('SIDES_NOT_CLEAR', `${what}. Write a file for each side, and name both.`, { path });
  }
  const params = Object.fromEntries(Object.entries(A.params).filter(([key, value]) => B.params[key] === value));
  const names =
    A.name === B.name ? { A: distinctName(A, params), B: distinctName(B, params) } : { A: A.name, B: B.name };
  const name = A.name === B.name ? A.name : `${A.name} vs ${B.name}`;
  return {
    matched: [{ name, params, method: 'sequential', inBlocks: file.inBlocks, names, sides: { A, B } }],
    warnings: [],
  };
}

/** A name with the parameters that are not common to both sides. */
function distinctName({ name, params }: ImportedBenchmark, common: Params): string {
  const own = Object.entries(params).filter(([key]) => common[key] === undefined);
  return [name, ...own.map(([key, value]) => `${key}=${value}`)].join(' ');
}

/**
 * Finds the benchmarks that two files have in common: by name and parameters; then by name alone where tools differ, as
 * they name different parameters; a single benchmark in each file is one pair whatever it is called.
 *
 * @throws ImportError `SIDES_NOT_CLEAR` when a file holds both sides itself; `NOTHING_IN_COMMON`, `BENCHMARKS_UNMATCHED`
 */
export function matchBetween(files: Readonly<Record<Side, ImportedFile>>, { strict }: MatchOptions): Matches {
  for (const { path, benchmarks } of [files.A, files.B]) {
    if (new Set(benchmarks.flatMap(({ side }) => side ?? [])).size < 2) continue;
    const what = `${path} holds both sides itself`;
    throw new ImportError('SIDES_NOT_CLEAR', `${what}. Analyse it alone: deadheat analyse ${path}.`, { path });
  }
  const sides = { A: files.A.benchmarks.map(withoutSide), B: files.B.benchmarks.map(withoutSide) };
  return match(
    sides,
    { A: files.A.path, B: files.B.path },
    { byNameAlone: files.A.format !== files.B.format, inBlocks: true, strict },
  );
}

function withoutSide(benchmark: ImportedBenchmark): ImportedBenchmark {
  const { side, method } = benchmark;
  return side === null && method === null ? benchmark : { ...benchmark, side: null, method: null };
}

interface Pair {
  readonly A: ImportedBenchmark;
  readonly B: ImportedBenchmark;
}

function match(
  sides: Readonly<Record<Side, readonly ImportedBenchmark[]>>,
  paths: Readonly<Record<Side, string>>,
  {
    byNameAlone = false,
    inBlocks,
    strict,
  }: MatchOptions & { readonly byNameAlone?: boolean; readonly inBlocks: boolean },
): Matches {
  const left = new Set(sides.B);
  const pairs: Pair[] = [];
  const alone = new Set(sides.A);
  function take(A: ImportedBenchmark, B: ImportedBenchmark): void {
    left.delete(B);
    alone.delete(A);
    pairs.push({ A, B });
  }
  function idOf(one: BenchmarkKey): string {
    return BenchmarkSet.idOf({ ...one, side: null });
  }
  const byId = groupBy(sides.B, idOf);
  for (const A of sides.A) {
    const B = byId.get(idOf(A))?.shift();
    if (B !== undefined) take(A, B);
  }
  /** Takes what has the same key on both sides, where it is the only one on each. */
  function takeUnique(keyOf: (one: ImportedBenchmark) => string): void {
    const [keysOfA, keysOfB] = [groupBy([...alone], keyOf), groupBy([...left], keyOf)];
    for (const [key, [A, ...moreOfA]] of keysOfA) {
      const [B, ...moreOfB] = keysOfB.get(key) ?? [];
      if (A === undefined || B === undefined || moreOfA.length + moreOfB.length > 0) continue;
      if (isSameMode(A, B)) take(A, B);
    }
  }
  takeUnique(({ name, params, method }) => idOf({ name, params, method }));
  if (byNameAlone) takeUnique(({ name }) => name);
  const warnings: Warning[] = pairs.filter(({ A, B }) => conditionsOf(A) !== conditionsOf(B)).map(conditionsDiffer);
  const [onlyA, onlyB] = [sides.A[0], sides.B[0]];
  const areAlone = pairs.length === 0 && sides.A.length === 1 && sides.B.length === 1;
  if (areAlone && onlyA && onlyB && isSameMode(onlyA, onlyB)) {
    take(onlyA, onlyB);
    warnings.push({
      code: 'NAMES_DIFFER',
      message:
        `compared although they are called ${labelOfBenchmark(onlyA)} in ${paths.A} and ${labelOfBenchmark(onlyB)} in ${paths.B}, because ` +
        'each holds a single benchmark; check that they are the same work',
    });
  }
  if (pairs.length === 0) {
    const what = `${paths.A} and ${paths.B} have no benchmark in common`;
    throw new ImportError(
      'NOTHING_IN_COMMON',
      `${what}: ${describeUnmatched(sides)}. Benchmarks are matched by name, mode and parameters, so give both sides the same.`,
      { path: paths.B },
    );
  }
  const missing = [
    ...(alone.size > 0 ? [`only ${paths.A} holds ${listBenchmarks([...alone])}`] : []),
    ...(left.size > 0 ? [`only ${paths.B} holds ${listBenchmarks([...left])}`] : []),
  ];
  if (missing.length > 0) {
    const message = `${missing.join('; ')}: not compared. Give both sides the same names and parameters to compare them.`;
    if (strict) throw new ImportError('BENCHMARKS_UNMATCHED', message, { path: alone.size > 0 ? paths.A : paths.B });
    warnings.push({ code: 'BENCHMARKS_UNMATCHED', message });
  }
  return {
    matched: pairs.map(({ A, B }) => ({
      name: A.name,
      params: conditionsOf(A) === conditionsOf(B) ? { ...A.params, ...A.conditions } : A.params,
      method: A.method ?? 'sequential',
      // With several files of a side it is unknown whether they were measured in turns.
      inBlocks: inBlocks && A.files === 1 && B.files === 1,
      names: paths,
      sides: { A, B },
    })),
    warnings,
  };
}

/** Times of two modes are of different things; a tool without modes may be compared with any. */
function isSameMode(A: ImportedBenchmark, B: ImportedBenchmark): boolean {
  return A.mode === null || B.mode === null || A.mode === B.mode;
}

function conditionsOf({ conditions }: ImportedBenchmark): string {
  const pairs = Object.entries(conditions).map(([key, value]) => `${key}=${value}`);
  return pairs.join(' ') || 'none';
}

function conditionsDiffer({ A, B }: Pair): Warning {
  return {
    code: 'NAMES_DIFFER',
    message:
      `${labelOfBenchmark(A)} was executed with ${conditionsOf(A)} on side A and with ${conditionsOf(B)} on side B, and what that ` +
      'changes is in the result; give both sides the same where it is not what is compared',
  };
}

function groupBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): ReadonlyMap<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
