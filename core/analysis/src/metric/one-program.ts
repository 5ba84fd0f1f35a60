import { sides, type Benchmark, type Side } from '@deadheat/model';

/** Words that by convention distinguish the names of versions of one program. */
const versionWord = /^(?:old|new|before|after|base|baseline|head|main|master|current|candidate)$/i;
/** Amounts within this factor, such as sizes of inputs and levels of compression, ask for about as much of the caches. */
const alike = 1.25;

/** `env` with the variables that it sets for the program behind it. */
const envPrefix = /^(?:\S*\/)?env(?:\s+[A-Za-z_]\w*=\S*)+(?=\s)/;

/** Letters, numbers and everything else of an argument, without the folder of a path. */
function partsOf(argument: string): readonly string[] {
  return argument.replace(/^.*\//s, '').match(/[A-Za-z]+|\d+(?:\.\d+)?|[^A-Za-z\d]+/g) ?? [];
}

function isNumber(part: string): boolean {
  return /^\d/.test(part);
}

function isVersionOf(side: Side, part: string): boolean {
  return part === side || versionWord.test(part);
}

/** The name of an input, without the number that distinguishes it from another: `in` and `.txt` of `in2.txt`, whose number is no amount. */
const numbered = /^(.*[A-Za-z])[-_]?\d{0,2}(\.(?!(?:[cm]?[jt]s|py|rb|pl|php|lua|sh|jar)$)[A-Za-z]+)$/;

/** True if two arguments are names of inputs of which one has a number and the other has none. */
function isNumberedInput(a: string, b: string): boolean {
  const [ofA, ofB] = [a, b].map((argument) => numbered.exec(argument.replace(/^.*\//s, ''))?.slice(1).join(''));
  return ofA !== undefined && ofA === ofB && /\d\./.test(a) !== /\d\./.test(b);
}

/** True if two arguments differ at most in a folder, in the name of a version or a side, or in an amount by a quarter. */
function isSameArgument(a: string, b: string, isProgram: boolean): boolean {
  const [ofA, ofB] = [partsOf(a), partsOf(b)];
  return (
    ofA.length === ofB.length &&
    ofA.every((one, index) => {
      const other = ofB[index] ?? '';
      if (one === other || (isVersionOf('A', one) && isVersionOf('B', other))) return true;
      if (!isNumber(one) || !isNumber(other)) return false;
      const [low, high] = [Number(one), Number(other)].toSorted((x, y) => x - y) as [number, number];
      return isProgram || ofA[index - 1]?.toLowerCase() === 'v' || high <= alike * low;
    })
  );
}

/**
 * True if both sides are known to be builds of one program, or runs of it with about equal amounts of work, by their command lines alone: they
 * lose about the same where they share the caches of a core. The folders of paths may differ, and so may versions in the name of the
 * program, variables that `env` sets before it, `v1` and words such as `old` and `new` in every argument, A and B as the names of the sides, and numbers by a quarter; one of two inputs may have a
 * number that the other lacks.
 */
export function isOneProgram({ commands }: Pick<Benchmark, 'commands'>): boolean {
  const [a = [], b = []] = sides.map((side) =>
    commands[side].argv.join(' ').replace(envPrefix, '').trim().split(/\s+/),
  );
  return (
    a.length === b.length &&
    a.every((argument, k) => {
      const other = b[k] ?? '';
      return isSameArgument(argument, other, k === 0) || (k > 0 && isNumberedInput(argument, other));
    })
  );
}
