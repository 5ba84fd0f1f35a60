import { countOf, formatStretch, printable } from '@deadheat/report';
import type { Neighbour } from './neighbour.ts';
import type { StudyRequest } from './study-request.ts';

/** What a study is about to measure and how long that will take, as lines. */
export function renderStudyRequest(
  request: StudyRequest,
  { cpus, expectedNs }: { readonly cpus: readonly [number, number]; readonly expectedNs: number },
): string {
  const { kind, methods, neighbours, workloads, language, runs, iterations, durationNs, seed } = request;
  const lines = [
    `study ${kind}: ${workloads.join(', ')} in ${language}, each against itself`,
    `  methods     ${methods.join(', ')}`,
    `  amount      ${countOf(runs, 'run')} of ${countOf(iterations, 'iteration')} of ${formatIteration(durationNs)}, ` +
      'the first half of each run warm-up',
    `  neighbours  ${neighbours.map((neighbour) => describe(neighbour, cpus)).join('; ')}`,
    `  seed        ${printable(seed)}`,
    `  expected    about ${formatStretch(expectedNs)}; Ctrl-C ends it and keeps what is recorded`,
  ];
  return `${lines.join('\n')}\n`;
}

function describe(neighbour: Neighbour, [a, b]: readonly [number, number]): string {
  switch (neighbour) {
    case 'none':
      return 'none';
    case 'both':
      return a === b ? `both (bursts on CPU ${a})` : `both (bursts on CPUs ${a} and ${b} at once)`;
    case 'one':
      return `one (bursts on CPU ${a})`;
  }
}

function formatIteration(ns: number): string {
  return `${Number((ns / 1e6).toPrecision(4))} ms`;
}
