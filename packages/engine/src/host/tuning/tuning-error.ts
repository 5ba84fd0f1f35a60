import { DeadheatError } from '@deadheat/model';

/**
 * `TUNING_ABSENT`: this machine shows none of the settings; `TUNING_REFUSED`: the system does not let them be written;
 * `TUNING_STATE`: the former values cannot be kept, or what was kept cannot be read.
 */
export type TuningErrorCode = 'TUNING_ABSENT' | 'TUNING_REFUSED' | 'TUNING_STATE';

/** The settings of the machine cannot be changed or put back; the message ends with what to do. */
export class TuningError extends DeadheatError<TuningErrorCode> {
  override readonly name = 'TuningError';
}
