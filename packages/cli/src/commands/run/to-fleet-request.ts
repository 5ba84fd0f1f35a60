import type { FleetRequest } from '../../experiment/fleet-request.ts';
import { UsageError } from 'deadheat/settings';
import { flagOf } from '../../arguments/flag-of.ts';
import type { RawRunOptions } from './raw-run-options.ts';

/** What only a fleet gives. */
const onlyFleet = ['confirm', 'label', 'code', 'repository'] as const;

/** What `deadheat run` is asked of a fleet; `null` = it is not to take part. */
export function toFleetRequest(raw: RawRunOptions): FleetRequest | null {
  const { fleet: url, hosts = null, confirm = null, label = [], code, repository = null } = raw;
  if (url === undefined) {
    const idle = onlyFleet.find((key) => raw[key] !== undefined);
    if (idle === undefined) return null;
    throw new UsageError('CONFLICT', `${flagOf(idle)} does nothing without --fleet`, {
      hint: 'Add --fleet URL, or leave it out.',
    });
  }
  if (raw.part !== undefined) {
    throw new UsageError('CONFLICT', '--part makes runs here, and --fleet elsewhere', {
      hint: 'Leave one of them out.',
    });
  }
  if (raw.engine === 'slurm') {
    throw new UsageError('CONFLICT', '--engine slurm and --fleet are two ways to other machines', {
      hint: 'Leave one of them out.',
    });
  }
  if (raw.showOutput === true) {
    throw new UsageError('CONFLICT', '--show-output does nothing with --fleet: the programs run elsewhere', {
      hint: 'Leave one of them out.',
    });
  }
  if (code === 'here' && repository !== null) {
    throw new UsageError('CONFLICT', '--repository does nothing with --code here', { hint: 'Leave one of them out.' });
  }
  const what = code ?? (repository === null ? null : 'HEAD');
  return { url, hosts, labels: Object.fromEntries(label), code: what === null ? null : { what, repository }, confirm };
}
