import { RequestError } from '../request-error.ts';

/**
 * Refuses a form that another site made a browser send. Browsers that do not say where a request comes from say whose page it is.
 *
 * @throws RequestError `FORBIDDEN`
 */
export const checkSameSite = (header: (name: string) => string | undefined): void => {
  const site = header('sec-fetch-site');
  const origin = header('origin');
  const isOwn =
    site === undefined
      ? origin === undefined || hostOf(origin) === header('host')
      : site === 'same-origin' || site === 'none';
  if (!isOwn) throw new RequestError('FORBIDDEN', 'This form was sent by another site, and nothing was done.');
};

const hostOf = (origin: string): string | null => {
  try {
    return new URL(origin).host;
  } catch {
    return null;
  }
};
