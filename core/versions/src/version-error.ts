import { DeadheatError } from '@deadheat/model';

export type VersionErrorCode =
  /** The program that makes versions ready is not here. */
  | 'GIT_MISSING'
  | 'NPM_MISSING'
  /** The requested thing is not there. */
  | 'NOT_A_REPOSITORY'
  | 'UNKNOWN_REVISION'
  | 'SHALLOW_CLONE'
  | 'NO_COMMON_ANCESTOR'
  | 'NOT_AN_ANCESTOR'
  | 'NO_EARLIER_COMMIT'
  | 'UNKNOWN_BENCH_PATH'
  | 'BAD_PACKAGE'
  | 'FOLDER_TOO_LARGE'
  /** A side cannot be made ready. */
  | 'GIT_FAILED'
  | 'CHECKOUT_FAILED'
  | 'SUBMODULE_MISSING'
  | 'SETUP_FAILED'
  | 'INSTALL_FAILED'
  | 'COMMAND_FAILED'
  | 'INTERRUPTED';

/** Why a version of a program cannot be made ready; the message names side and commit and ends with what to do. */
export class VersionError extends DeadheatError<VersionErrorCode> {
  override readonly name = 'VersionError';
}
