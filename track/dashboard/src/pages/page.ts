import { createHash } from 'node:crypto';
import { html, type Markup, printable } from '@deadheat/report';
import type { z } from 'zod';
import type { Caller, ServerContext } from '../context.ts';
import type { RequestError } from '../errors.ts';
import { pageScript, pageStyle } from '../html/page-files.ts';

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

/** A file that pages load; its path holds a hash of its content. */
interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

function asset(content: string, name: string, type: string): Asset {
  return {
    path: `/assets/${createHash('sha256').update(content).digest('base64url').slice(0, 16)}-${name}`,
    type,
    content,
  };
}

export const assets: Readonly<Record<'style' | 'script', Asset>> = {
  style: asset(pageStyle, 'style.css', 'text/css; charset=utf-8'),
  script: asset(pageScript, 'page.js', 'text/javascript; charset=utf-8'),
};

/** A page of the dashboard as HTML. */
export function pageOf(
  { title, content }: Page,
  frame: {
    readonly page: DashboardPage | undefined;
    /** Pages; those with a name in the menu are listed. */
    readonly menu: readonly DashboardPage[];
    /** The user; `null` = not logged in. */
    readonly caller: Caller | null;
    readonly toolVersion: string;
  },
): string {
  const { page, menu, caller, toolVersion } = frame;
  const section = page?.section ?? page?.path;
  const entries = menu.flatMap(({ path, menu: name }) => (name === undefined ? [] : [[path, name] as const]));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="generator" content="deadheat ${toolVersion}" />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${assets.style.path}" />
        ${page?.script === 'live' ? html`<noscript><meta http-equiv="refresh" content="10" /></noscript>` : null}
        ${page?.script !== undefined ? html`<script type="module" src="${assets.script.path}"></script>` : null}
        <title>${printable(title)} · deadheat</title>
      </head>
      <body>
        <a class="skip" href="#main">To the content</a>
        <header>
          <div class="bar">
            <p class="brand"><a href="/">deadheat</a></p>
            ${
              entries.length === 0
                ? null
                : html`<nav aria-label="Dashboard">
                    <ul class="menu">
                      ${entries.map(
                        ([path, name]) =>
                          html`<li>
                            ${path === section ? html`<a href="${path}" aria-current="page">${name}</a>` : html`<a href="${path}">${name}</a>`}
                          </li>`,
                      )}
                    </ul>
                  </nav>`
            }
            ${
              caller?.session === null || caller === null
                ? null
                : html`<form method="post" action="/logout">
                    <input type="hidden" name="key" value="${caller.session.formKey}" /><button type="submit">
                      Log out
                    </button>
                  </form>`
            }
          </div>
          <h1>${printable(title)}</h1>
        </header>
        <main id="main" tabindex="-1">${content}</main>
        <footer>
          <p>deadheat ${toolVersion} · <a href="/api/v1/openapi.json">JSON interface</a></p>
        </footer>
      </body>
    </html> `.text;
}
