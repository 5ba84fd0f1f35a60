import { loadOptional } from '@deadheat/model';
import type { Client } from 'pg';
import type PgBoss from 'pg-boss';

const schema = 'deadheat_queue';

/**
 * Lease of a job: a day, the longest that the queue allows. The queue should never take a run back from a living
 * worker; the death of a worker is detected by its lock.
 */
const leaseSeconds = 24 * 3600;

/** A job in a queue: an attempt of a run. The token of the attempt is the id of the job. */
export interface Job {
  readonly token: string;
  readonly worker: string;
  /** Whether the job comes before others, because a worker that died had begun it. */
  readonly isUrgent?: boolean;
}

/**
 * The queues of workers, one each, in the schema `deadheat_queue` (pg-boss). All operations use the caller's connection
 * and transaction. There are no timers, which would wake up a machine while it is measured.
 */
export class Queue {
  readonly #boss: PgBoss;
  readonly #client: Client;
  #refused: unknown = null;

  private constructor(client: Client, { Boss, migrate }: { readonly Boss: typeof PgBoss; readonly migrate: boolean }) {
    this.#client = client;
    this.#boss = new Boss({
      schema,
      db: { executeSql: (text, values) => this.#execute(text, values) },
      migrate,
      supervise: false,
      schedule: false,
    });
  }

  /** Opens the queues on a connection. */
  static async open(client: Client): Promise<Queue> {
    return Queue.#start(client, false);
  }

  /** Makes what the queues need in the database, or brings it to this version. */
  static async install(client: Client): Promise<void> {
    await Queue.#start(client, true);
  }

  static async #start(client: Client, migrate: boolean): Promise<Queue> {
    const { default: Boss } = await loadOptional('database', () => import('pg-boss'));
    const queue = new Queue(client, { Boss, migrate });
    await queue.#boss.start();
    return queue;
  }

  async send(jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0) return;
    await this.#boss.insert(
      jobs.map(({ token, worker, isUrgent = false }) => ({
        id: token,
        name: queueOf(worker),
        expireInSeconds: leaseSeconds,
        retryLimit: 0,
        priority: isUrgent ? 1 : 0,
      })),
    );
  }

  /** Takes the oldest job of a worker; its token, or `null` when there is none. */
  async fetch(worker: string): Promise<string | null> {
    this.#refused = null;
    const [job] = await this.#boss.fetch(queueOf(worker), { batchSize: 1 });
    // The library takes every error for an empty queue.
    if (this.#refused !== null) throw this.#refused;
    return job?.id ?? null;
  }

  async complete({ token, worker }: Job): Promise<void> {
    await this.#boss.complete(queueOf(worker), token);
  }

  async cancel(jobs: readonly Job[]): Promise<void> {
    for (const { token, worker } of jobs) await this.#boss.cancel(queueOf(worker), token);
  }

  async #execute(text: string, values: unknown[] = []): Promise<{ rows: unknown[] }> {
    try {
      const result = await this.#client.query(text, values.length === 0 ? undefined : values);
      return { rows: Array.isArray(result) ? [] : result.rows };
    } catch (error) {
      this.#refused = error;
      throw error;
    }
  }
}

function queueOf(worker: string): string {
  return `worker-${worker}`;
}
