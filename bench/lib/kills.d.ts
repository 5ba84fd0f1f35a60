export const kinds: Readonly<Record<string, unknown>>;
export const workloadNames: readonly string[];
export function raceNamespaces(options: {
  readonly seed: string;
}): Promise<{ readonly raced: boolean; readonly refused: boolean; readonly exact: boolean } | null>;
export function killExperiment(options: {
  readonly kind: string;
  readonly workload: string;
  readonly seed: string;
  readonly command?: readonly string[];
}): Promise<{
  readonly hit: boolean;
  readonly status: number | string;
  readonly hang: boolean;
  readonly exact: boolean;
  readonly files: readonly string[];
  readonly processes: readonly { readonly pid: number; readonly command: string }[];
  readonly log: string;
}>;
