import { DeadheatError } from '@deadheat/model';

/** What was asked for cannot be had on this machine; exit code 5. */
export class EnvironmentError extends DeadheatError<'ENVIRONMENT_REFUSED'> {
  override readonly name = 'EnvironmentError';

  constructor(message: string, options?: ErrorOptions) {
    super('ENVIRONMENT_REFUSED', message, options);
  }
}
