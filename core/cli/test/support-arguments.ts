import type { FileProbe } from '../src/arguments/probe-file.ts';
import { loadSubcommands } from '../src/program/load-subcommands.ts';
import type { Invocation } from '../src/program/invocation.ts';
import { parseArguments } from '../src/program/parse-arguments.ts';

export const loaded = await loadSubcommands();

/** What arguments ask for, with every subcommand at hand; the file of `--input` is as `probe` says. */
export function parse(args: readonly string[], probe: FileProbe = 'readable'): Invocation {
  return parseArguments(args, { version: '0.1.0', probeFile: () => probe, loaded });
}
