import { DeadheatError } from '@deadheat/model';

/**
 * Why a request was not answered, as the JSON interface says it.
 *
 * - `BAD_REQUEST`: a parameter cannot be what it is.
 * - `UNAUTHORIZED`: no token, or one that opens nothing. `FORBIDDEN`: it does not open this.
 * - `NOT_FOUND`, `METHOD_NOT_ALLOWED`.
 * - `NO_FLEET`: this dashboard shows none.
 * - `UNAVAILABLE`: the history or the fleet cannot be asked now. `FAILED`: something else went wrong, which the operator is told.
 */
export type RequestErrorCode =
  | 'BAD_REQUEST'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'NO_FLEET'
  | 'UNAVAILABLE'
  | 'FAILED';

export const requestErrorStatus = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NO_FLEET: 404,
  UNAVAILABLE: 503,
  FAILED: 500,
} as const satisfies Readonly<Record<RequestErrorCode, number>>;

/** A request was not answered; the message is for whoever asked. */
export class RequestError extends DeadheatError<RequestErrorCode> {
  override readonly name = 'RequestError';
}

/** What whoever asked is told of an error, without what only the operator is to know. */
export const toRequestError = (error: unknown): RequestError => {
  if (error instanceof RequestError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (error instanceof Error && (error.name === 'HistoryError' || error.name === 'FleetError')) {
    if (code === 'NOT_FOUND') return new RequestError('NOT_FOUND', error.message, { cause: error });
    if (code === 'NOT_ALLOWED') return new RequestError('FORBIDDEN', error.message, { cause: error });
    return new RequestError('UNAVAILABLE', error.message, { cause: error });
  }
  return new RequestError('FAILED', 'Something went wrong; whoever runs this dashboard finds what in its output.', {
    cause: error,
  });
};
