import { setTimeout as sleep } from 'node:timers/promises';
import { checkPlace, HistoryError, isDatabaseUrl, connect, databaseFailure } from '@deadheat/history';
import type { Client, Notification } from 'pg';
import { FleetError } from '../fleet-error.ts';

/**
 * Refuses what cannot be a fleet: anything but a URL of PostgreSQL, and one that holds a password.
 *
 * @throws FleetError `BAD_URL`
 */
export function checkFleetUrl(url: string): void {
  if (!isDatabaseUrl(url)) {
    throw new FleetError(
      'BAD_URL',
      `A fleet is a PostgreSQL database: --fleet postgres://user@host/name, not '${url}'.`,
    );
  }
  try {
    checkPlace(url);
  } catch (error) {
    if (error instanceof HistoryError) throw new FleetError('BAD_URL', error.message, { cause: error });
    throw error;
  }
}

/** Tells a worker that a job waits, or that one of its runs is cancelled; only the worker listens. */
export function workerChannel(number: number): string {
  return `deadheat_worker_${number}`;
}

/** Tells that runs of an experiment changed. */
export function experimentChannel(id: string): string {
  return `deadheat_experiment_${id}`;
}

/** Tells that anything in the fleet changed: for those who look on. */
export const fleetChannel = 'deadheat_fleet';

interface LinkOptions {
  readonly url: string;
  /** Where passwords are looked up. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Makes a new connection what it must be: locks, channels. Throws what the place makes impossible. */
  readonly onConnect: (client: Client) => Promise<void>;
  readonly onNotification?: (notification: Notification) => void;
  /** Told when the database cannot be reached, once until it can again. */
  readonly onLost?: (error: Error) => void;
  readonly onFound?: () => void;
  /** Whether a database that is away is also waited for at the beginning. */
  readonly waits?: boolean;
  /** Ends all waiting. */
  readonly signal: AbortSignal;
}

/** First and longest pause before it is tried again, ms. */
const firstPauseMs = 100;
const longestPauseMs = 1000;

/** A query that takes longer has lost its server, ms. */
const longestQueryMs = 30_000;

/** A connection to the fleet's database that comes back when it breaks; one use at a time. */
export class Link {
  readonly #options: LinkOptions;
  #client: Client | null = null;
  #connecting: Promise<Client> | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;
  #isLost = false;

  private constructor(options: LinkOptions) {
    this.#options = options;
  }

  /**
   * Connects; the first time an error is an error, unless it `waits`.
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
   * Does something with the database. When the connection breaks it is done again on a new one: it has to be something that may
   * be done twice.
   *
   * @throws HistoryError for what the database refuses; the signal's reason when that aborts while there is no connection
   */
  async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const turn = this.#turn.then(() => this.#use(work));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** As `use`, in a transaction. */
  async transaction<T>(work: (client: Client) => Promise<T>): Promise<T> {
    return this.use(async (client) => {
      await client.query('begin');
      try {
        const result = await work(client);
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch(() => undefined);
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#turn.catch(() => undefined);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }

  async #use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    for (;;) {
      const client = this.#client ?? (await this.#reconnect());
      const limit = setTimeout(() => cut(client), longestQueryMs);
      try {
        return await work(client);
      } catch (error) {
        // Of two transactions that wait for each other the server ends one, which is to try again.
        if (hasCode(error, '40P01')) continue;
        const failure = databaseFailure(error, this.#options.url);
        if (!isLoss(failure) && this.#client === client) throw failure;
        this.#drop(client);
      } finally {
        clearTimeout(limit);
      }
    }
  }

  /** Tries until it succeeds, or fails for a reason that time does not mend. */
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
    const client = await connect(url, variables);
    client.on('end', () => this.#drop(client));
    if (onNotification !== undefined) client.on('notification', onNotification);
    try {
      await onConnect(client);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw databaseFailure(error, url);
    }
    this.#client = client;
    return client;
  }

  /** Forgets a connection that broke, and looks for a new one at once: who holds a lock by it must be seen to live. */
  #drop(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    cut(client);
    if (!this.#closed) void this.#reconnect().catch(() => undefined);
  }
}

/** Ends a connection without asking its other end. */
function cut(client: Client): void {
  const { connection } = client as unknown as { readonly connection: { readonly stream: { destroy(): void } } };
  connection.stream.destroy();
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function isLoss(error: unknown): error is HistoryError {
  return error instanceof HistoryError && error.code === 'NO_CONNECTION';
}
