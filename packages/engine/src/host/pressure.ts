import { readText } from './read-text.ts';

/** How much something on the machine waits for a resource (pressure stall information, Linux 4.20). */
export interface Pressure {
  /** Part of the last ten seconds in which at least one task waited. */
  readonly share10: number;
  /** Time in which at least one task waited, since the machine was started, ns. */
  readonly totalNs: number;
}

/** The pressure on `cpu`, `memory` or `io` of the whole machine; `null` when the kernel does not tell. */
export function readPressure(resource: 'cpu' | 'memory' | 'io', root = '/'): Pressure | null {
  const match = /^some avg10=(\d+\.\d+) .*\btotal=(\d+)$/m.exec(readText(root, `/proc/pressure/${resource}`) ?? '');
  // Percent and microseconds (Documentation/accounting/psi.rst).
  return match === null ? null : { share10: Number(match[1]) / 100, totalNs: Number(match[2]) * 1000 };
}
