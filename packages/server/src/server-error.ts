import { DeadheatError } from '@deadheat/model';

/**
 * Why the dashboard could not be served.
 *
 * - `ADDRESS_IN_USE`, `ADDRESS_NOT_ALLOWED`: the system did not let it listen there, or others could reach it without a token.
 * - `BAD_TOKEN`: a file of tokens that cannot be used.
 */
export type ServerErrorCode = 'ADDRESS_IN_USE' | 'ADDRESS_NOT_ALLOWED' | 'BAD_TOKEN';

/** The dashboard could not be served; the message says why and what to do. */
export class ServerError extends DeadheatError<ServerErrorCode> {
  override readonly name = 'ServerError';
}
