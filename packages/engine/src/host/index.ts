export * from './choose-cpus.ts';
export * from './cpu-error.ts';
export * from './cpu-list.ts';
export { readOnlineCpus, readSmtSiblings } from './cpu-topology.ts';
export * from './create-noise-probe.ts';
export * from './machine-warnings.ts';
export * from './noise-warnings.ts';
export * from './read-machine.ts';
export * from './tuning/index.ts';
