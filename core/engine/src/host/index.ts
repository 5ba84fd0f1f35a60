export { chooseCpus } from './choose-cpus.ts';
export { readOnlineCpus, readSmtSiblings } from './cpu-topology.ts';
export { machineWarnings, type NoisyRun, noiseWarnings } from './machine-warnings.ts';
export { NoiseProbes } from './noise-probe.ts';
export { hostId, readMachine } from './read-machine.ts';
