import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isCount, isCounter, resourcesOf, type Count, type ExperimentConfig } from '@deadheat/model';
import { counterObstacles, hasNativeCalls, makeTemporaryFolder, removeRegistered } from '@deadheat/sync';

/** A tool of valgrind that counts. */
interface Tool {
  readonly options: readonly string[];
  /** Variables that make a program count as it should. */
  readonly variables: Readonly<Record<string, string>>;
  /** The line with the count, its digits in groups, in the log of each process. */
  readonly line: RegExp;
}

/** With a random hash seed, CPython looks its names up in another order in each process. */
const sameHashes = { PYTHONHASHSEED: '0' };

const tools: Readonly<Record<Count, Tool>> = {
  instructions: {
    options: ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null'],
    variables: sameHashes,
    line: /^==\d+== I +refs: +([\d,]+)$/m,
  },
  allocations: {
    options: ['--tool=memcheck', '--leak-check=no', '--undef-value-errors=no'],
    // CPython has an allocator of its own for small objects, behind which malloc sees arenas alone.
    variables: { ...sameHashes, PYTHONMALLOC: 'malloc' },
    line: /^==\d+== +total heap usage: ([\d,]+) allocs/m,
  },
};

let found: string | null | undefined;

/** Path of valgrind; `null` = it is not installed. */
function findValgrind(): string | null {
  found ??=
    (process.env['PATH'] ?? '')
      .split(delimiter)
      .map((folder) => join(folder, 'valgrind'))
      .find((path) => {
        try {
          accessSync(path, constants.X_OK);
          return true;
        } catch {
          return false;
        }
      }) ?? null;
  return found;
}

/** Work that is to be counted by valgrind here: what was asked for and no processor counts. None where valgrind is missing. */
export function countsHere(config: Pick<ExperimentConfig, 'metric' | 'also'>): readonly Count[] {
  const asked = resourcesOf(config).filter((metric) => isCount(metric));
  if (asked.length === 0 || !hasNativeCalls() || findValgrind() === null) return [];
  const obstacles = counterObstacles();
  return asked.filter((count) => !isCounter(count) || obstacles[count] !== null);
}

/** A program that is to run under a tool of valgrind, and the reader of its count. */
export interface CountedProgram {
  readonly argv: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** The count of all its processes; `undefined` = one of them wrote none. Removes the logs. */
  take(): number | undefined;
}

/**
 * The command that counts what a program and the processes that it starts do. A process that another forks without executing a program begins with the
 * count of its parent.
 */
export function underValgrind(count: Count, argv: readonly string[]): CountedProgram {
  const { options, variables, line } = tools[count];
  const logs = makeTemporaryFolder('count');
  const log = `--log-file=${join(logs.replaceAll('%', '%%'), '%p')}`;
  return {
    argv: [findValgrind() ?? 'valgrind', ...options, '--trace-children=yes', log, '--', ...argv],
    variables,
    take: () => {
      const counts = readdirSync(logs).map((name) => line.exec(readFileSync(join(logs, name), 'utf8'))?.[1]);
      removeRegistered(logs);
      if (counts.length === 0 || counts.includes(undefined)) return undefined;
      return counts.reduce((sum, digits = '') => sum + Number(digits.replaceAll(',', '')), 0);
    },
  };
}
