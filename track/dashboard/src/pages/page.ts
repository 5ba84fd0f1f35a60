import { html, type Markup } from '@deadheat/report';
import type { RequestError } from '../errors.ts';

/** The content of a page. */
export interface Page {
  readonly title: string;
  readonly section: string;
  readonly content: Markup;
  readonly isLive?: boolean;
  readonly hasPictures?: boolean;
}

const titles: Readonly<Record<string, string>> = {
  NOT_FOUND: 'Nothing here',
  NO_FLEET: 'No fleet',
  FORBIDDEN: 'Not allowed',
  BAD_REQUEST: 'Not understood',
  UNAVAILABLE: 'Not available now',
};

/** The page for an error. */
export function errorPage({ code, message }: RequestError): Page {
  return {
    title: titles[code] ?? 'Something went wrong',
    section: '',
    content: html`<p>${message}</p>
      <p class="note"><code>${code}</code> · <a href="/">To the first page</a></p>`,
  };
}

/** The page that asks for a token. */
export function loginPage({ next, isWrong }: { readonly next: string; readonly isWrong: boolean }): Page {
  return {
    title: 'Log in',
    section: '/login',
    content: html`${isWrong ? html`<p class="failure" role="alert">That token opens nothing here.</p>` : null}
      <form class="login" method="post" action="/login">
        <input type="hidden" name="next" value="${next}" />
        <input type="text" name="user" value="deadheat" autocomplete="username" hidden />
        <label>Token <input type="password" name="token" required autocomplete="current-password" /></label>
        <button type="submit">Log in</button>
      </form>
      <p class="note">
        Whoever runs this dashboard has one for you: a line of the file that was given to --token-file.
      </p>`,
  };
}
