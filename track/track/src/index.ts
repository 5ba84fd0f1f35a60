/*
 * The plug of the house: the families of subcommands and the schedulers that the command loads from this package.
 */
export { history } from './history-family.ts';
export { fleet } from './fleet-family.ts';
export { fleetScheduler, slurmScheduler } from './schedulers.ts';
