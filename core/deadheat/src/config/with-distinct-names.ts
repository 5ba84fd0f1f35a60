import { relative } from 'node:path';
import { sides, type Command, type Container, type Hooks, type Side } from '@deadheat/model';

/** One side with its parameters filled in. */
export interface FilledSide {
  readonly command: Command;
  /** Absolute. */
  readonly cwd: string;
  /** Absolute; `null` = none. */
  readonly scratch: string | null;
  readonly environment: Record<string, string>;
  readonly hooks: Hooks;
  readonly container: Container | null;
}

type Both = Readonly<Record<Side, FilledSide>>;

/**
 * Sides of one command line that differ in variables, folder, name or hooks are not the same command: their command
 * lines say in what they differ, so that reports do not take the comparison for one of A with itself.
 */
export function withDistinctNames(both: Both, folder: string): Both {
  const { A, B } = both;
  if (A.command.commandLine !== B.command.commandLine || JSON.stringify(A) === JSON.stringify(B)) return both;
  const described = sides.map((side) => describe(both[side], { other: both[side === 'A' ? 'B' : 'A'], folder }));
  const isDistinct = described[0] !== described[1];
  const [a, b] = sides.map((side, index): FilledSide => {
    const { command } = both[side];
    const commandLine = isDistinct ? (described[index] ?? '') : `${described[index]} (${side})`;
    const name = command.name === command.commandLine ? commandLine : command.name;
    return { ...both[side], command: { ...command, name, commandLine } };
  });
  return { A: a ?? A, B: b ?? B };
}

function describe(
  { command, cwd, environment, container }: FilledSide,
  { other, folder }: { readonly other: FilledSide; readonly folder: string },
): string {
  const variables = Object.entries(environment)
    .filter(([name, value]) => other.environment[name] !== value)
    .map(([name, value]) => `${name}=${value} `);
  const place = cwd === other.cwd ? '' : ` (in ${relative(folder, cwd) || '.'})`;
  const image = container === null || container.image === other.container?.image ? '' : ` (in ${container.image})`;
  const name = command.name === other.command.name ? '' : ` (${command.name})`;
  return `${variables.join('')}${command.commandLine}${place}${image}${name}`;
}
