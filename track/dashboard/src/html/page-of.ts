import { createHash } from 'node:crypto';
import { html, printable } from '@deadheat/report';
import { pageScript, pageStyle } from './page-files.ts';
import type { Caller } from '../context.ts';
import type { DashboardPage, Page } from '../pages/page.ts';

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
