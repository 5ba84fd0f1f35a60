import { html } from '@deadheat/report';
import type { RequestError } from '../request-error.ts';
import type { Page } from './page.ts';

const titles: Readonly<Record<string, string>> = {
  NOT_FOUND: 'Nothing here',
  NO_FLEET: 'No fleet',
  FORBIDDEN: 'Not allowed',
  BAD_REQUEST: 'Not understood',
  UNAVAILABLE: 'Not available now',
};

/** An error for people. */
export const errorPage = ({ code, message }: RequestError): Page => ({
  title: titles[code] ?? 'Something went wrong',
  section: '',
  content: html`<p>${message}</p>
    <p class="note"><code>${code}</code> · <a href="/">To the projects</a></p>`,
});
