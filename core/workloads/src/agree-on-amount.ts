import { createHash, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { monotonicNowNs } from '@deadheat/sync';
import { cacheDirectory } from './c/build-program.ts';
import { workloads, type WorkloadName } from './javascript/workloads.ts';
import { runAlone, type Language } from './workload-command.ts';
import { WorkloadError } from './workload-error.ts';

/** Largest amount that every workload takes. */
export const maximumAmount: number = 2 ** 31 - 1;

/**
 * The amount of work that takes about `durationNs`: doubles the amount until it shows above the time that the smallest
 * amount takes (a start, a preparation), then extrapolates.
 *
 * @param measure does an amount and gives its time in ns; several tries give the smallest time, because a disturbance
 *   only adds to it
 * @param durationNs wanted; at least a fifth of it is work, even where the smallest amount alone takes longer
 * @returns a whole number from 1 to {@link maximumAmount}
 * @throws RangeError unless `durationNs` is above 0
 */
export function calibrate(measure: (amount: number) => number, durationNs: number): number {
  if (!(durationNs > 0)) throw new RangeError(`a duration above 0 ns expected, not ${durationNs}`);
  const smallest = measure(1);
  let amount = 2;
  let extra = measure(amount) - smallest;
  while (extra < durationNs / 4 && amount < maximumAmount / 2) {
    amount *= 2;
    extra = measure(amount) - smallest;
  }
  const perUnit = Math.max(extra, 1) / (amount - 1);
  const wanted = 1 + Math.max(durationNs - smallest, durationNs / 5) / perUnit;
  return Math.min(maximumAmount, Math.max(1, Math.round(wanted)));
}

/** A workload and the time that its amount is to take. */
export interface AmountRequest {
  readonly workload: WorkloadName;
  readonly language: Language;
  readonly durationNs: number;
}

const tries = 3;

/**
 * The amount of work that takes about `durationNs` on this machine. It is measured once and then remembered, so that
 * both sides of a comparison and all its runs do the same amount: in the folder of `DEADHEAT_CALIBRATION` for an
 * experiment that has one, else in the folder of {@link cacheDirectory}. When two processes measure at the same time,
 * the first result is kept.
 *
 * @param measure see {@link calibrate}; by default it runs the workload
 * @throws WorkloadError `WORKLOAD_FAILED` when the remembered amount cannot be read; the message names the file
 */
export function agreeOnAmount(
  { workload, language, durationNs }: AmountRequest,
  {
    environment = process.env,
    measure = language === 'c' ? measureInC(workload) : measureInJavascript(workload),
  }: {
    readonly environment?: Readonly<Record<string, string | undefined>>;
    readonly measure?: (amount: number) => number;
  } = {},
): number {
  const { DEADHEAT_CALIBRATION: agreed = '' } = environment;
  const machine = createHash('sha256').update(JSON.stringify([cpus()[0]?.model, process.arch, process.version]));
  const file = `amount-${workload}-${language}-${durationNs}ns-${machine.digest('hex').slice(0, 8)}.json`;
  const path = join(agreed === '' ? cacheDirectory(environment) : agreed, file);
  const known = readAmount(path);
  if (known !== null) return known;
  const amount = calibrate(measure, durationNs);
  const unfinished = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(unfinished, `${JSON.stringify({ workload, language, durationNs, amount })}\n`);
  try {
    linkSync(unfinished, path);
    return amount;
  } catch (error) {
    const first = (error as NodeJS.ErrnoException).code === 'EEXIST' ? readAmount(path) : null;
    if (first === null) throw error;
    return first;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function readAmount(path: string): number | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const amount = Number(/"amount":(\d+)/.exec(text)?.[1]);
  if (amount >= 1 && amount <= maximumAmount) return amount;
  throw new WorkloadError('WORKLOAD_FAILED', `${path} holds no amount of work.\nRemove it, and it is measured again.`);
}

function measureInC(workload: WorkloadName): (amount: number) => number {
  return (amount) => {
    const { iterations } = runAlone({ workload, amount, iterations: tries }, 'c');
    return Math.min(...iterations.map(({ startNs, endNs }) => endNs - startNs));
  };
}

function measureInJavascript(workload: WorkloadName): (amount: number) => number {
  const work = workloads[workload].prepare();
  let result = 0;
  return (amount) => {
    const times = Array.from({ length: tries }, () => {
      const start = monotonicNowNs();
      result += work(amount);
      return monotonicNowNs() - start;
    });
    // The result is used, so that the compiler cannot remove the work.
    return Number.isNaN(result) ? Infinity : Math.min(...times);
  };
}
