import type { Method, Side } from '@deadheat/model';
import { methodOfType } from './adapters/duet-csv.ts';

/** What the name of one of asynchronous-duet's result files says. */
export interface DuetResult {
  readonly suite: string;
  readonly benchmark: string;
  readonly run: string;
  readonly method: Method;
  readonly side: Side;
}

const pattern = /^([^.]+)\.(.+)\.([^.]+)\.(duet|syncduet|seqn?\d*)\.(?:AB|BA|None)\.([AB])\./;

/**
 * Reads `suite.benchmark.runid.type.order.side.file`; `null` for any other name. The benchmark's own name may hold dots.
 * Source: asynchronous-duet, `duet/constants.py`.
 */
export const duetResultOf = (name: string): DuetResult | null => {
  const [, suite = '', benchmark = '', run = '', type = '', side] = pattern.exec(name) ?? [];
  const method = methodOfType(type);
  if (method === null || (side !== 'A' && side !== 'B')) return null;
  return { suite, benchmark, run, method, side };
};
