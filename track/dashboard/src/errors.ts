import { DeadheatError, type ErrorCode } from '@deadheat/model';

/**
 * Why a request was refused, as the JSON interface reports it.
 *
 * - `BAD_REQUEST`: a parameter has an invalid value.
 * - `UNAUTHORIZED`: no token, or an unknown one. `FORBIDDEN`: the token does not allow this.
 * - `NOT_FOUND`, `METHOD_NOT_ALLOWED`.
 * - `NO_FLEET`: this dashboard shows none. `BUSY`: it has too many followers.
 * - `UNAVAILABLE`: the history or the fleet cannot be asked now. `FAILED`: something else went wrong, which is
 *   reported to the operator.
 */
export const requestErrorStatus = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NO_FLEET: 404,
  BUSY: 503,
  UNAVAILABLE: 503,
  FAILED: 500,
} as const satisfies Partial<Record<ErrorCode, number>>;

/** A request was refused; the message is for the user who sent it. */
export class RequestError extends DeadheatError<keyof typeof requestErrorStatus> {
  override readonly name = 'RequestError';
}

/** A message without addresses of databases and what systems said of them: users are to see neither. */
function withoutAddresses(message: string): string {
  return message.replaceAll(/ \([^()]*\)/g, '').replaceAll(/postgres(?:ql)?:\/\/\S*[^\s.,:;]/gi, 'the database');
}

/** The error that the user sees, without details that are only for the operator. */
export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (error instanceof Error && ['HistoryError', 'RecordError', 'FleetError'].includes(error.name)) {
    const message = withoutAddresses(error.message);
    if (code === 'NOT_FOUND') return new RequestError('NOT_FOUND', message, { cause: error });
    if (code === 'NOT_ALLOWED') return new RequestError('FORBIDDEN', message, { cause: error });
    return new RequestError('UNAVAILABLE', message, { cause: error });
  }
  return new RequestError('FAILED', 'Something went wrong; whoever runs this dashboard finds what in its output.', {
    cause: error,
  });
}

/**
 * The dashboard could not be served; the message says why and what to do.
 *
 * - `ADDRESS_IN_USE`, `ADDRESS_NOT_ALLOWED`: the system did not let it listen at the address, or other machines could
 *   reach it without a token.
 * - `BAD_TOKEN`: a file of tokens that cannot be used.
 * - `BAD_REPOSITORY`: no address of a repository in the browser.
 */
export class ServerError extends DeadheatError {
  override readonly name = 'ServerError';
}
