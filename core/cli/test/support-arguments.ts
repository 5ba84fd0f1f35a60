import type { CompareInvocation } from '../src/arguments/invocation.ts';
import type { FileProbe } from '../src/arguments/probe-file.ts';
import { toCompareInvocation } from '../src/arguments/to-compare-invocation.ts';
import type { CompareValues } from '../src/command/compare-options.ts';
import { type OutputChoices, toOutputChoices } from '../src/command/output-options.ts';
import type { Invocation } from '../src/program/invocation.ts';
import { loadSubcommands } from '../src/program/load-subcommands.ts';
import { parseArguments } from '../src/program/parse-arguments.ts';

export const loaded = await loadSubcommands();

/** Typed values of a comparison, or of a command that makes one of a command line. */
interface Request extends CompareValues {
  readonly commands: readonly string[];
  readonly commandLine?: string | null;
  readonly resume: string | null;
}

/** The request of arguments, with every subcommand at hand; the file of `--input` is as `probe` says. */
export function parse(
  args: readonly string[],
  probe: FileProbe = 'readable',
):
  | Exclude<Invocation, { readonly kind: 'compare' }>
  | ({ readonly kind: 'compare' } & CompareInvocation)
  | ({ readonly kind: 'resume'; readonly recording: string } & OutputChoices) {
  const invocation = parseArguments(args, { version: '0.1.0', loaded });
  const probeFile = (): FileProbe => probe;
  if (invocation.kind === 'subcommand') {
    const { commandLine = null, ...values } = invocation.request as Request;
    if (commandLine !== null) toCompareInvocation([commandLine, commandLine], values, { probeFile });
  }
  if (invocation.kind !== 'compare') return invocation;
  const { commands, resume, ...values } = invocation.request as Request;
  return resume === null
    ? { kind: 'compare', ...toCompareInvocation(commands, values, { probeFile }) }
    : { kind: 'resume', recording: resume, ...toOutputChoices(values) };
}
