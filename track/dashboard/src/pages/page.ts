import { html, type Markup } from '@deadheat/report';
import type { z } from 'zod';
import type { Caller, ServerContext } from '../context.ts';
import type { RequestError } from '../errors.ts';

/** The content of a page. */
export interface Page {
  readonly title: string;
  readonly content: Markup;
}

/** The request for a page. */
interface Asked<Query> {
  readonly context: ServerContext;
  readonly caller: Caller;
  readonly query: Query;
  /** The `:id` of its path; empty where it has none. */
  readonly id: string;
}

/** A page of the dashboard: `routes.ts` lists them in the order of the menu. */
export interface DashboardPage {
  /** `:id` stands for an id. */
  readonly path: string;
  /** Its name in the menu; absent = it is not in the menu. */
  readonly menu?: string;
  /** Path of the entry of the menu that it belongs to; absent = its own. */
  readonly section?: string;
  /** True when only a dashboard with a fleet has it in the menu. */
  readonly isOfFleet?: boolean;
  /** `live` = the page is updated while it is open, without a script by loading it again; `pictures` = pictures can be zoomed. */
  readonly script?: 'live' | 'pictures';
  readonly query: z.ZodType;
  readonly show: (asked: Asked<never>) => Promise<Page>;
}

/** A page whose query and content have matching types. */
export function definePage<Query extends z.ZodType>(
  page: Omit<DashboardPage, 'query' | 'show'> & {
    readonly query: Query;
    readonly show: (asked: Asked<z.output<Query>>) => Promise<Page>;
  },
): DashboardPage {
  return page;
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
    content: html`<p>${message}</p>
      <p class="note"><code>${code}</code> · <a href="/">To the first page</a></p>`,
  };
}

/** The page that asks for a token. */
export function loginPage({ next, isWrong }: { readonly next: string; readonly isWrong: boolean }): Page {
  return {
    title: 'Log in',
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
