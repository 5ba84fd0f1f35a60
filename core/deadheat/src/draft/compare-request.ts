import type { FamilyCorrection, Settings, Side } from '@deadheat/model';
import type { Parameter } from '../settings/parameters.ts';

/**
 * Shell between the tool and a command. `automatic`: nothing, or `/bin/sh -c` for a command with shell syntax.
 * `shell`: this command line followed by `-c`.
 */
export type ShellChoice =
  { readonly kind: 'automatic' } | { readonly kind: 'none' } | { readonly kind: 'shell'; readonly commandLine: string };

/** A further command that A is compared with, beside B. */
export interface Contender {
  readonly command: string;
  /** Name in reports; `null` = the command line. */
  readonly name: string | null;
  readonly prepare: string | null;
  readonly conclude: string | null;
}

/** A comparison of two commands, every default filled in but the CPUs and the seed. Templates keep their `{VAR}`. */
export interface CompareRequest extends Settings {
  /** Commands as they were typed; one alone is compared with itself. */
  readonly commands: Readonly<Record<Side, string>>;
  readonly alone: boolean;
  /** Each is a benchmark of its own against A; absent = there is B alone. */
  readonly contenders?: readonly Contender[];
  /** Names in reports; `null` = the command line. */
  readonly names: Readonly<Record<Side, string | null>>;
  readonly setup: string | null;
  readonly prepare: Readonly<Record<Side, string | null>>;
  readonly conclude: Readonly<Record<Side, string | null>>;
  readonly cleanup: string | null;
  /** Every combination of their values is one benchmark; empty = one benchmark. */
  readonly parameters: readonly Parameter[];
  readonly shell: ShellChoice;
  readonly input: string | null;
  /** Folder of which each side gets a copy; `null` = none. */
  readonly scratch: string | null;
  readonly showOutput: boolean;
  /** True if A is also measured against itself. */
  readonly control: boolean;
  readonly correction: FamilyCorrection;
  readonly strict: boolean;
  readonly workload: 'command' | 'harness';
  readonly cpus: readonly number[] | null;
  /** Tandems at once; `null` = as many as there are cores for them less one, at least one. */
  readonly lanes: number | 'all' | null;
  /** `null` = a new one. */
  readonly seed: string | null;
}
