export function chaos(options: {
  readonly workers: number;
  readonly runs: number;
  readonly kills: number;
  readonly killPauseMs: number;
  readonly outageMs: number;
  readonly executionS: number;
  readonly seed: string;
  readonly log?: (text: string) => void;
}): Promise<{
  readonly status: number | null;
  readonly submitterLog: string;
  readonly kills: number;
  readonly seconds: number;
  readonly runs: readonly number[];
  readonly hosts: Readonly<Record<string, number>>;
  readonly stored: number;
  readonly different: readonly number[];
  readonly attempts: number;
  readonly restartMs: readonly { readonly run: number; readonly ms: number }[];
  readonly dropped: number;
  readonly leftovers: readonly string[];
}>;
