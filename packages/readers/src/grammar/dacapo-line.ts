/** How an iteration of DaCapo or ScalaBench ended. */
export interface DacapoLine {
  readonly benchmark: string;
  /**
   * `warmup`: DaCapo's word for every iteration but the last; `passed` ends a run, `failed` loses it.
   */
  readonly event: 'warmup' | 'passed' | 'failed';
  /** Whole milliseconds; `null` where the line has none. */
  readonly ms: number | null;
}

const line = /^===== (?:DaCapo|ScalaBench) .*?(\S+) (completed warmup|PASSED|FAILED)\b(.*)=====\s*$/;
const time = / in (\d{1,12}) msec /;
/** Lines of the harness are far shorter; a pattern is not tried on what else a program prints. */
const longest = 1000;
const events = { 'completed warmup': 'warmup', PASSED: 'passed', FAILED: 'failed' } as const;

/**
 * `===== DaCapo 9.12 avrora completed warmup 1 in 1234 msec =====` and its kin; `null` for any other line. Source: DaCapo's
 * `harness/Callback.java`.
 */
export const readDacapoLine = (text: string): DacapoLine | null => {
  const [, benchmark, event, rest = ''] = text.length > longest ? [] : (line.exec(text) ?? []);
  if (benchmark === undefined) return null;
  const ms = time.exec(rest)?.[1];
  return { benchmark, event: events[event as keyof typeof events], ms: ms === undefined ? null : Number(ms) };
};
