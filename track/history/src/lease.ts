import { randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { History } from './history.ts';

/** A history for as long as a question takes. */
type Ask = <Value>(question: (history: Pick<History, 'lease' | 'leases'>) => Promise<Value>) => Promise<Value>;

/** A name for this process as the holder of leases: its machine, its process and a random part. */
export function drawHolder(): string {
  return `${machine()}/${process.pid}/${randomBytes(4).toString('hex')}`;
}

/** The name of this machine and, on Linux, its namespace of process numbers, of which a container has its own. */
function machine(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Names of the leases that others hold. Leases of processes of this machine that have ended are given back. */
export async function leasedByOthers(
  history: Pick<History, 'lease' | 'leases'>,
  own: string,
): Promise<ReadonlySet<string>> {
  const others = new Set<string>();
  for (const [name, holder] of await history.leases()) {
    if (isGone(holder)) await history.lease({ name, holder, ms: 0, renews: true });
    else if (holder !== own) others.add(name);
  }
  return others;
}

/**
 * Works while no other process holds a lease, and gives it back in the end. `renew` extends the lease unless that was done lately, and
 * resolves to `false` where another process has taken it.
 *
 * @param options.ms length of the lease after each renewal, ms
 * @param options.patienceMs longest wait for another holder, ms
 * @returns `null` = another process holds it
 */
export async function withLease<Value>(
  ask: Ask,
  options: {
    readonly name: string;
    readonly holder: string;
    readonly ms: number;
    readonly patienceMs: number;
    readonly pauseMs: number;
    readonly signal: AbortSignal;
  },
  work: (renew: () => Promise<boolean>) => Promise<Value>,
): Promise<Value | null> {
  const { name, holder, ms, patienceMs, pauseMs, signal } = options;
  const end = performance.now() + patienceMs;
  let heldSince = 0;

  async function lease(forMs: number, renews: boolean): Promise<boolean> {
    const askedAt = performance.now();
    const isHeld = await ask(async (history) => {
      if (!renews) await leasedByOthers(history, holder);
      return history.lease({ name, holder, ms: forMs, renews });
    });
    if (isHeld) heldSince = askedAt;
    return isHeld;
  }

  while (!(await lease(ms, false))) {
    if (signal.aborted || performance.now() >= end) return null;
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  // Questions of several parts of the work follow each other.
  let renewing: Promise<boolean> = Promise.resolve(true);
  try {
    return await work(async () => {
      renewing = renewing
        .catch(() => false)
        .then(async () => performance.now() - heldSince < ms / 8 || (await lease(ms, true)));
      return renewing;
    });
  } finally {
    // A process that a signal ends does not wait for a history that does not answer.
    await Promise.race([lease(0, true).catch(() => undefined), sleep(1000, undefined, { ref: false })]);
  }
}

/** Checks whether a holder was a process of this machine that has ended. */
function isGone(holder: string): boolean {
  const [host, pid] = holder.split('/');
  if (host !== machine()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
