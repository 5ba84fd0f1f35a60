export interface Pooler {
  readonly url: (role: string, database: string) => string;
  /** Ends it without a word. */
  readonly crash: () => void;
  readonly start: () => void;
  readonly stop: () => void;
}
export function whyNoPooler(): string | null;
export function startPooler(options: {
  readonly server: string;
  readonly serverPort?: number;
  readonly connections: number;
  readonly tcp?: { readonly address: string; readonly port: number } | null;
}): Pooler;
