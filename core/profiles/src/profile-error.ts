import { DeadheatError } from '@deadheat/model';

export type ProfileErrorCode =
  | 'NOT_PROFILABLE'
  | 'NO_JFR_TOOL'
  | 'PROFILE_MISSING'
  | 'PROFILE_MALFORMED'
  | 'PROFILE_CLOCK'
  | 'PROGRAM_FAILED'
  | 'NO_ITERATIONS';

/** Why a program cannot be profiled, or its profile not be read; the message ends with what to do. */
export class ProfileError extends DeadheatError<ProfileErrorCode> {
  override readonly name = 'ProfileError';
}
