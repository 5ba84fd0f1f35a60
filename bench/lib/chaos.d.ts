/** What befalls a fleet. */
export type ChaosKind = 'kill' | 'hang' | 'cut' | 'disk' | 'pooler' | 'database';

export function chaos(options: {
  readonly workers: number;
  readonly runs: number;
  readonly events: Readonly<Partial<Record<ChaosKind, number>>>;
  readonly pauseMs: number;
  readonly executionS: number;
  readonly lease: string;
  readonly seed: string;
  readonly log?: (text: string) => void;
}): Promise<{
  readonly status: number | null;
  readonly submitterLog: string;
  readonly workerLogs: readonly string[];
  readonly events: Readonly<Partial<Record<ChaosKind, number>>>;
  readonly seconds: number;
  readonly runs: readonly number[];
  readonly hosts: Readonly<Record<string, number>>;
  readonly stored: number;
  readonly different: readonly number[];
  readonly attempts: number;
  readonly restartMs: readonly { readonly run: number; readonly ms: number }[];
  readonly falls: number;
  readonly dropped: number;
  readonly leftovers: readonly string[];
}>;
