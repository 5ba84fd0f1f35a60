import { html } from '@deadheat/report';
import type { Page } from './page.ts';

/** Asks for a token. */
export const loginPage = ({ next, isWrong }: { readonly next: string; readonly isWrong: boolean }): Page => ({
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
});
