import { basename } from 'node:path';
import { workloadFacts, type Benchmark, type Side } from '@deadheat/model';
import type { Page, WaitPolicy } from '@deadheat/sync';
import type { RunRequest } from '../executor.ts';
import { protocolVariables, workloadVariables } from '../environment.ts';

/** Where things are in a container. */
export const inside = {
  /** Folder of the run: record, latches. */
  run: '/deadheat/run',
  record: '/deadheat/run/record.jsonl',
  /** Folder of the shared page. */
  pages: '/deadheat/shm',
  calibration: '/deadheat/calibration',
  input: '/deadheat/input',
} as const;

/** The variables that a side's program gets besides those of its image; nothing of this process's own environment. */
export function insideVariables(
  side: Side,
  {
    request,
    benchmark,
    page,
    wait,
  }: {
    readonly request: RunRequest;
    readonly benchmark: Benchmark;
    readonly page: Page | null;
    readonly wait: WaitPolicy;
  },
): Readonly<Record<string, string>> {
  const { selfTimed, cpus, run, padBytes } = request;
  const places = { files: { A: inside.record, B: inside.record }, calibration: inside.calibration };
  return {
    ...benchmark.environment[side],
    DEADHEAT_SIDE: side,
    ...workloadVariables(benchmark),
    DEADHEAT_RUN: String(run),
    DEADHEAT_CPUS: cpus[side].join(','),
    DEADHEAT_PAD: 'x'.repeat(padBytes[side]),
    ...protocolVariables(
      { ...request, selfTimed: selfTimed === null ? null : { ...selfTimed, ...places } },
      {
        side,
        page: page === null ? null : `${inside.pages}/${basename(page.path)}`,
        record: workloadFacts[benchmark.workload].protocol,
        wait,
      },
    ),
  };
}
