export interface Pooler {
  readonly url: (role: string, database: string) => string;
  readonly stop: () => void;
}
export function whyNoPooler(): string | null;
export function startPooler(options: { readonly server: string; readonly connections: number }): Pooler;
