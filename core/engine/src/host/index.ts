export { chooseCpus } from './choose-cpus.ts';
export { readOnlineCpus, readSmtSiblings } from './cpu-topology.ts';
export { machineWarnings } from './machine-warnings.ts';
export { NoiseProbes } from './noise-probe.ts';
export { type NoisyRun, noiseWarnings } from './noise-warnings.ts';
export { hostId, readMachine } from './read-machine.ts';
