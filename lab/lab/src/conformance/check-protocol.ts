import { DeadheatError, type Side } from '@deadheat/model';
import { Guardian, makeTemporaryFolder, removeRegistered } from '@deadheat/sync';
import { readWorkloadRecord, RecordError } from '@deadheat/recording';
import { judge } from './judge.ts';
import { observe } from './observe.ts';
import { rules, type Rule, type RuleId } from './rules.ts';
import { scenarios } from './scenario.ts';

export interface CheckProtocolOptions {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Sides that the program is to be. */
  readonly sides: readonly Side[];
  /** How long each step may take: starting, an iteration, ending. */
  readonly timeoutNs: number;
  readonly signal: AbortSignal;
  /** Told before each scenario. */
  readonly onScenario?: (scenario: { readonly side: Side; readonly name: string }) => void;
}

/** What a program did wrong. */
export interface ProtocolProblem {
  readonly side: Side;
  readonly scenario: string;
  readonly what: string;
}

export interface CheckedRule extends Rule {
  readonly rule: RuleId;
  /** `untested`: no scenario came so far. */
  readonly outcome: 'held' | 'broken' | 'untested';
  readonly problems: readonly ProtocolProblem[];
}

export interface ProtocolCheck {
  readonly argv: readonly string[];
  readonly sides: readonly Side[];
  /** Whether nothing was broken. */
  readonly holds: boolean;
  /** In the order of docs/formats/protocol.md. */
  readonly rules: readonly CheckedRule[];
}

/**
 * Runs a program as a side against a peer and a runner that are played, and holds what it does against the workload
 * protocol (docs/formats/protocol.md).
 *
 * @throws DeadheatError `PROGRAM_NOT_STARTED`, `INTERRUPTED`; SyncError `NO_SHARED_MEMORY` or `NO_NATIVE_CALLS`
 */
export async function checkProtocol(options: CheckProtocolOptions): Promise<ProtocolCheck> {
  const { argv, sides, timeoutNs, signal, onScenario } = options;
  const problems = new Map<RuleId, ProtocolProblem[]>();
  const calibration = makeTemporaryFolder('calibration');
  const guardian = new Guardian();
  try {
    for (const side of sides) {
      for (const scenario of scenarios) {
        onScenario?.({ side, name: scenario.name });
        const observed = {
          argv,
          side,
          timeoutMs: timeoutNs / 1e6,
          signal,
          guardian,
          calibration,
          checkRecord: whyUnreadable,
        };
        const observation = await observe(scenario, observed).catch((cause: unknown) => {
          throw explain(cause, { program: argv[0] ?? '', signal });
        });
        for (const { rule, problem } of judge(scenario, observation)) {
          const known = problems.get(rule) ?? [];
          problems.set(rule, known);
          if (problem === null) continue;
          if (known.some((other) => other.side === side && other.scenario === scenario.name)) continue;
          known.push({ side, scenario: scenario.name, what: problem });
        }
      }
    }
  } finally {
    await guardian.close();
    removeRegistered(calibration);
  }
  const checked = (Object.keys(rules) as RuleId[]).map((rule): CheckedRule => {
    const found = problems.get(rule);
    const outcome = found === undefined ? 'untested' : found.length === 0 ? 'held' : 'broken';
    return { rule, ...rules[rule], outcome, problems: found ?? [] };
  });
  return { argv, sides, holds: checked.every(({ outcome }) => outcome !== 'broken'), rules: checked };
}

/** Why a record cannot be read, without the path, which is the check's own. */
async function whyUnreadable(path: string): Promise<string | null> {
  try {
    await readWorkloadRecord(path);
    return null;
  } catch (error) {
    if (error instanceof RecordError) return error.message.replaceAll(path, 'record');
    throw error;
  }
}

function explain(
  cause: unknown,
  { program, signal }: { readonly program: string; readonly signal: AbortSignal },
): unknown {
  if (signal.aborted) return new DeadheatError('INTERRUPTED', 'interrupted', { cause });
  if (!(cause instanceof Error) || !('syscall' in cause) || !String(cause.syscall).startsWith('spawn')) return cause;
  const why = 'code' in cause && cause.code === 'ENOENT' ? 'it was not found' : cause.message;
  return new DeadheatError(
    'PROGRAM_NOT_STARTED',
    `cannot start ${program}: ${why}. Name a program as it is to be started, its arguments as words of their own.`,
    { cause },
  );
}
