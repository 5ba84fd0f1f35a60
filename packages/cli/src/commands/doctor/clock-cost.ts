import { monotonicNowNs } from '@deadheat/sync';

const readings = 20_000;

/** What reading the time is like. */
export interface ClockCost {
  /** Time that one reading takes, ns. */
  readonly readNs: number;
  /** Smallest step between two readings that differ, ns. */
  readonly stepNs: number;
}

/** Reads the clock of the measurements again and again, some milliseconds long. */
export function measureClock(nowNs: () => number = monotonicNowNs): ClockCost {
  const began = nowNs();
  let last = began;
  let stepNs = Infinity;
  for (let reading = 0; reading < readings; reading++) {
    const now = nowNs();
    if (now > last) stepNs = Math.min(stepNs, now - last);
    last = now;
  }
  return { readNs: (last - began) / readings, stepNs: Number.isFinite(stepNs) ? stepNs : 0 };
}
