import type { Caller } from './access/caller.ts';
import type { ServerContext } from './context.ts';
import { RequestError } from './request-error.ts';

/** The fleet that is shown. @throws RequestError `NO_FLEET` */
export const fleetOf = ({ fleet }: ServerContext): NonNullable<ServerContext['fleet']> => {
  if (fleet !== null) return fleet;
  throw new RequestError('NO_FLEET', 'This dashboard shows no fleet. deadheat serve --fleet URL shows one.');
};

/** Whether somebody may cancel experiments here. */
export const mayCancel = ({ fleet }: ServerContext, { access }: Caller): boolean =>
  access === 'write' && fleet !== null && fleet.cancel !== null;

/**
 * Cancels an experiment of the fleet.
 *
 * @throws RequestError `NO_FLEET`, `FORBIDDEN`, `NOT_FOUND`
 */
export const cancelExperiment = async (
  context: ServerContext,
  { caller, experiment }: { readonly caller: Caller; readonly experiment: string },
): Promise<void> => {
  const { cancel, feed } = fleetOf(context);
  if (cancel !== null && mayCancel(context, caller)) {
    if ((await feed.read()).experiments.some(({ id }) => id === experiment)) return cancel(experiment);
    throw new RequestError('NOT_FOUND', `The fleet has no experiment ${experiment}.`);
  }
  throw new RequestError(
    'FORBIDDEN',
    'Only a token to write cancels an experiment: a line `write TOKEN` of --token-file.',
  );
};
