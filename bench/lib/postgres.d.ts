/** A running server. */
export interface PostgresServer {
  /** Its URL for a role and a database, without a password; default: postgres and postgres. */
  readonly url: (role?: string, database?: string) => string;
  /** What psql prints for statements of the role postgres. */
  readonly sql: (text: string, database?: string) => string;
  /** Folder of its socket. */
  readonly folder: string;
  /** Of its first process. */
  readonly pid: () => number;
  /** Ends it without a word, as a power failure does; what was committed stays. */
  readonly crash: () => void;
  readonly start: () => void;
  readonly stop: () => void;
}

export function whyNoPostgres(): string | null;
export function startPostgres(options?: {
  /** Also listens there; the network `trusted` needs no password. */
  readonly tcp?: { readonly address: string; readonly port: number; readonly trusted: string } | null;
  readonly connections?: number;
  readonly settings?: readonly string[];
}): PostgresServer;
