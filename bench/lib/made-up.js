// What the benches that judge made-up measurements have in common.
import { benchmarkDefaults, defaultSettings, experimentDefaults } from '@deadheat/model';

/** A benchmark of two commands and an experiment of it, `changes` added to each. */
export function madeUpExperiment(method, { benchmark: own = {}, config: further = {} } = {}) {
  const command = { name: 'x', commandLine: 'x', argv: ['/bin/x'], executedBy: 'direct' };
  const benchmark = { ...benchmarkDefaults, name: 'x', commands: { A: command, B: command }, ...own };
  const config = {
    name: 'x',
    benchmarks: [benchmark],
    ...defaultSettings(method),
    ...experimentDefaults,
    cpus: [0, 1],
    tandemCpus: [],
    sequentialCpus: [],
    lanes: 1,
    seed: 'x',
    ...further,
  };
  return { benchmark, config };
}

/** A run; `sides` is what is known of each side, at least its iterations or its record. */
export function madeUpTrial(run, { method, sides: { A, B } }) {
  const side = (own) => ({
    padBytes: 0,
    exitCode: 0,
    signal: null,
    userNs: 1,
    systemNs: 1,
    maxRssBytes: null,
    voluntarySwitches: 0,
    involuntarySwitches: 0,
    record: null,
    iterations: [],
    ...own,
  });
  return {
    trial: run,
    benchmark: 0,
    method,
    run,
    phase: 'measure',
    order: 'AB',
    status: 'ok',
    failures: [],
    wallNs: 25e6,
    sides: { A: side(A), B: side(B) },
    noise: { stealNs: 0, throttledNs: 0, contextSwitches: 0 },
  };
}
