import { DeadheatError } from '@deadheat/model';

export type EngineErrorCode =
  | 'CANNOT_RESUME_HERE'
  | 'CANNOT_RUN_HERE'
  | 'CANNOT_DIVIDE'
  | 'TOO_MANY_LANES'
  | 'SCRATCH_FAILED'
  | 'PROGRAM_NOT_STARTED'
  | 'INTERRUPTED';

/** Why an experiment or a check cannot be run; the message ends with what to do. */
export class EngineError extends DeadheatError<EngineErrorCode> {
  override readonly name = 'EngineError';
}
