import type { Caller, ServerContext } from './context.ts';
import { RequestError } from './errors.ts';

/** The fleet of this dashboard. @throws RequestError `NO_FLEET` */
export function fleetOf({ fleet }: ServerContext): NonNullable<ServerContext['fleet']> {
  if (fleet !== null) return fleet;
  throw new RequestError('NO_FLEET', 'This dashboard shows no fleet. deadheat history serve --fleet URL shows one.');
}

/** Checks whether a user may cancel experiments. */
export function mayCancel({ fleet }: ServerContext, { access }: Caller): boolean {
  return access === 'write' && fleet !== null && fleet.cancel !== null;
}

/**
 * Cancels an experiment of the fleet.
 *
 * @throws RequestError `NO_FLEET`, `FORBIDDEN`, `NOT_FOUND`
 */
export async function cancelExperiment(
  context: ServerContext,
  { caller, experiment }: { readonly caller: Caller; readonly experiment: string },
): Promise<void> {
  const { cancel, feed } = fleetOf(context);
  if (cancel !== null && mayCancel(context, caller)) {
    if ((await feed.read()).experiments.some(({ id }) => id === experiment)) return cancel(experiment);
    throw new RequestError('NOT_FOUND', `The fleet has no experiment ${experiment}.`);
  }
  throw new RequestError(
    'FORBIDDEN',
    'Only a token to write cancels an experiment: a line `write TOKEN` of --token-file.',
  );
}
