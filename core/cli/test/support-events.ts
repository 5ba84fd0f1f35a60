import type { ExperimentConfig, EngineEvent, Progress, SideResult } from '@deadheat/model';
import { draftOf } from './support-arguments.ts';
import { aReport, machine } from '../../report/test/support-report.ts';

const side: SideResult = {
  cpu: 0,
  padBytes: 0,
  exitCode: 0,
  signal: null,
  userNs: null,
  systemNs: null,
  maxRssBytes: null,
  voluntarySwitches: null,
  involuntarySwitches: null,
  record: null,
  iterations: [{ i: 0, s: 0, e: 1000 }],
};

/** The start of a comparison of two commands. */
export function started({ resumedTrials = 0 }: { readonly resumedTrials?: number } = {}): EngineEvent {
  const draft = draftOf(['gzip -6 f', 'gzip -7 f']);
  const config: ExperimentConfig = { ...draft, cpus: [0, 1], tandemCpus: [0, 1], sequentialCpus: [0, 1], lanes: 1 };
  const { tool, experiment } = aReport([]);
  return {
    kind: 'experiment-started',
    directory: 'dir',
    resumedTrials,
    experiment: {
      schema: 'deadheat.experiment/1',
      id: experiment.id,
      startedAt: experiment.startedAt,
      tool,
      machine,
      config,
      warnings: [],
    },
  };
}

/** A finished run, as far as progress needs it. */
export function trialFinished(progress: Partial<Progress>): EngineEvent {
  return {
    kind: 'trial-finished',
    trial: {
      trial: 0,
      benchmark: 0,
      method: 'sync-duet',
      run: 0,
      phase: 'measure',
      order: 'AB',
      status: 'ok',
      failures: [],
      wallNs: 2000,
      sides: { A: side, B: side },
      noise: { stealNs: null, throttledNs: null, contextSwitches: null },
    },
    progress: { benchmark: 0, runs: 3, expectedRuns: 20, elapsedNs: 1e9, share: 0.15, done: false, ...progress },
  };
}
