import type { Side } from '@deadheat/model';
import type { RunRequest } from './executor.ts';

/**
 * Variables of the workload protocol that differ from run to run, for a program that times itself.
 *
 * @param options.page path of the shared page; `null` = there is no barrier
 * @param options.record whether the program itself writes its file
 */
export function protocolVariables(
  { selfTimed, cpus }: RunRequest,
  options: { readonly side: Side; readonly page: string | null; readonly record: boolean },
): Readonly<Record<string, string>> {
  if (selfTimed === null) return {};
  const { side, page, record } = options;
  const { files, iterations, warmup, fill, tradeEvery, calibration } = selfTimed;
  const own = cpus[side];
  const peer = cpus[side === 'A' ? 'B' : 'A'];
  return {
    DEADHEAT_CALIBRATION: calibration,
    ...(page === null ? {} : { DEADHEAT_PAGE: page }),
    ...(record ? { DEADHEAT_RECORD: files[side] } : {}),
    ...(iterations === null ? {} : { DEADHEAT_ITERATIONS: String(iterations) }),
    ...(warmup === null ? {} : { DEADHEAT_WARMUP: String(warmup) }),
    ...(fill && page !== null ? { DEADHEAT_FILL: '1' } : {}),
    ...(tradeEvery === null || page === null ? {} : { DEADHEAT_TRADE: `${tradeEvery}:${own},${peer}` }),
  };
}
