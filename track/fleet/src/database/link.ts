import { setTimeout as sleep } from 'node:timers/promises';
import {
  checkPlace,
  connect,
  databaseFailure,
  endConnection,
  HistoryError,
  inTransaction,
  isDatabaseUrl,
} from '@deadheat/history';
import type { Client, Notification } from 'pg';
import { FleetError } from '../fleet-error.ts';

/**
 * Refuses a text that is not a URL of PostgreSQL, and a URL with a password.
 *
 * @throws FleetError `BAD_URL`
 */
export function checkFleetUrl(url: string): void {
  if (!isDatabaseUrl(url)) {
    throw new FleetError('BAD_URL', `A fleet is a PostgreSQL database, postgres://user@host/name, not '${url}'.`);
  }
  try {
    checkPlace(url);
  } catch (error) {
    if (error instanceof HistoryError) throw new FleetError('BAD_URL', error.message, { cause: error });
    throw error;
  }
}

/**
 * Checks whether a connection has a server process of its own, which notifications, and the end of which, belong to it. A pooler such as PgBouncer
 * tells a client a number that it made up, and gives it another process for every transaction.
 */
export async function isDirect(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ readonly pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid === (client as unknown as { readonly processID: number | null }).processID;
}

/** Listens on a channel, that of a worker or that of the runs of an experiment; `false` = there is a pooler in between, which brings no notifications. */
export async function listen(client: Client, channel: string): Promise<boolean> {
  const direct = await isDirect(client);
  if (direct) await client.query(`listen "${channel}"`);
  return direct;
}

/** Ends a pause when something happens, which may have been before the pause began. */
export class Bell {
  #isRung = false;
  #pause = new AbortController();

  ring(): void {
    this.#isRung = true;
    this.#pause.abort();
  }

  /** Forgets what has happened so far. */
  still(): void {
    this.#isRung = false;
  }

  /** Waits until it rings, at most for a time, ms. */
  async wait(ms: number): Promise<void> {
    if (this.#isRung) return;
    this.#pause = new AbortController();
    await sleep(ms, undefined, { signal: this.#pause.signal }).catch(() => undefined);
  }
}

/** Calls a function of the fleet's schema. Returns its rows; what gives one value has that as `result`. */
export async function call<Row extends object>(
  client: Client,
  name: string,
  args: readonly unknown[],
): Promise<readonly Row[]> {
  const places = args.map((_, index) => `$${index + 1}`).join(', ');
  const { rows } = await client.query<Row>(`select * from deadheat_fleet.${name}(${places}) as result`, [...args]);
  return rows;
}

/** Calls a function of the fleet's schema that gives one value. */
export async function ask<Value>(client: Client, name: string, args: readonly unknown[]): Promise<Value | undefined> {
  return (await call<{ readonly result: Value }>(client, name, args))[0]?.result;
}

export interface LinkOptions {
  readonly url: string;
  /** Environment variables, from which the password is taken. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Prepares a new connection: takes locks and listens on channels. Throws when that is impossible. */
  readonly onConnect: (client: Client) => Promise<void>;
  readonly onNotification?: (notification: Notification) => void;
  /** Called when the database cannot be reached, or is full in `store`, once for each interruption. */
  readonly onLost?: (error: Error) => void;
  readonly onFound?: () => void;
  /** True when opening waits for a database that cannot be reached. */
  readonly waits?: boolean;
  /** Ends all waiting. */
  readonly signal: AbortSignal;
}

/** First and longest pause before it is tried again, ms. */
const firstPauseMs = 100;
const longestPauseMs = 1000;

/** A query that takes longer, ms, counts as a lost connection. */
const longestQueryMs = 30_000;

/** The time that a question under way has for its answer once the signal aborts, ms. */
const lastAnswerMs = 1000;

/** A connection to the fleet's database that is opened again when it breaks. It executes one task at a time. */
export class Link {
  readonly #options: LinkOptions;
  /** Cuts every connection. */
  readonly #hurry = new AbortController();
  #client: Client | null = null;
  #connecting: Promise<Client> | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;
  #isLost = false;

  private constructor(options: LinkOptions) {
    this.#options = options;
    // A server that does not answer any more is not waited for.
    options.signal.addEventListener('abort', () => setTimeout(() => this.#hurry.abort(), lastAnswerMs).unref(), {
      once: true,
    });
  }

  /**
   * Connects. Unless `waits` is set, an error of the first attempt is thrown.
   *
   * @throws FleetError `BAD_URL`; HistoryError as `connect`; what `onConnect` throws
   */
  static async open(options: LinkOptions): Promise<Link> {
    checkFleetUrl(options.url);
    const link = new Link(options);
    await (options.waits === true ? link.#reconnect() : link.#connect());
    return link;
  }

  get url(): string {
    return this.#options.url;
  }

  /**
   * Executes a task on the connection. When the connection breaks, the task is executed again on a new one, so it must
   * be safe to execute twice.
   *
   * @throws HistoryError for what the database refuses; the signal's reason when that aborts while there is no
   *   connection
   */
  async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const turn = this.#turn.then(() => this.#use(work));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** `use` in a transaction. */
  async transaction<T>(work: (client: Client) => Promise<T>): Promise<T> {
    return this.use((client) => inTransaction(client, () => work(client)));
  }

  /** The same as `use`; waits while the database's disk is full, as for a database that cannot be reached. */
  async store<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const { signal, onLost, onFound } = this.#options;
    for (let told = false; ; told = true) {
      try {
        const result = await this.use(work);
        if (told) onFound?.();
        return result;
      } catch (error) {
        if (!(error instanceof HistoryError) || error.code !== 'DISK_FULL' || signal.aborted) throw error;
        if (!told) onLost?.(error);
        await sleep(longestPauseMs, undefined, { signal });
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#turn.catch(() => undefined);
    const client = this.#client;
    this.#client = null;
    if (client !== null) await endConnection(client);
  }

  async #use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    for (;;) {
      const client = this.#client ?? (await this.#reconnect());
      const limit = setTimeout(() => void endConnection(client, 0), longestQueryMs);
      try {
        return await work(client);
      } catch (error) {
        // In a deadlock the server aborts one of the transactions, which is then tried again.
        if (error instanceof Error && 'code' in error && error.code === '40P01') continue;
        const failure = databaseFailure(error, this.#options.url);
        if (!isLoss(failure) && this.#client === client) throw failure;
        this.#drop(client);
      } finally {
        clearTimeout(limit);
      }
    }
  }

  /** Connects again until it succeeds or fails for a permanent reason. */
  async #reconnect(): Promise<Client> {
    this.#connecting ??= this.#tryToConnect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async #tryToConnect(): Promise<Client> {
    const { signal, onLost, onFound } = this.#options;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, 2 * pauseMs)) {
      signal.throwIfAborted();
      try {
        const client = await this.#connect();
        if (this.#isLost) onFound?.();
        this.#isLost = false;
        return client;
      } catch (error) {
        if (!isLoss(error)) throw error;
        if (!this.#isLost) onLost?.(error);
        this.#isLost = true;
        await sleep(pauseMs, undefined, { signal });
      }
    }
  }

  async #connect(): Promise<Client> {
    const { url, variables, onConnect, onNotification } = this.#options;
    const client = await connect(url, variables, this.#hurry.signal);
    client.on('end', () => this.#drop(client));
    if (onNotification !== undefined) client.on('notification', onNotification);
    const limit = setTimeout(() => void endConnection(client, 0), longestQueryMs);
    try {
      await onConnect(client);
    } catch (error) {
      await endConnection(client);
      throw databaseFailure(error, url);
    } finally {
      clearTimeout(limit);
    }
    this.#client = client;
    return client;
  }

  /**
   * Drops a broken connection and opens a new one at once, because a lock that the connection holds shows that its
   * process lives.
   */
  #drop(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    void endConnection(client, 0);
    if (!this.#closed) void this.#reconnect().catch(() => undefined);
  }
}

function isLoss(error: unknown): error is HistoryError {
  return error instanceof HistoryError && error.code === 'NO_CONNECTION';
}
