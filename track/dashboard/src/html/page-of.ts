import { createHash } from 'node:crypto';
import { html, printable, type Held } from '@deadheat/report';
import { pageScript, pageStyle } from './page-files.ts';
import type { Caller } from '../context.ts';

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

/** The frame around the content of a page. */
interface PageFrame {
  readonly title: string;
  /** Path of the entry of the menu that it belongs to. */
  readonly section: string;
  /** The user; `null` = not logged in. */
  readonly caller: Caller | null;
  readonly hasFleet: boolean;
  readonly toolVersion: string;
  /** True when the page is updated while it is open; without a script the browser then reloads it regularly. */
  readonly isLive?: boolean;
  /** True when the script makes more of its pictures. */
  readonly hasPictures?: boolean;
}

const sections: readonly (readonly [path: string, name: string])[] = [
  ['/', 'What changed'],
  ['/projects', 'Projects'],
  ['/benchmarks', 'Benchmarks'],
  ['/summary', 'Summary'],
  ['/commits', 'Commits'],
  ['/compare', 'Compare'],
  ['/canaries', 'Canaries'],
];
const fleetSections: typeof sections = [
  ['/fleet', 'Fleet'],
  ['/workers', 'Workers'],
];

/** A page of the dashboard as HTML. */
export function pageOf(frame: PageFrame, content: Held): string {
  const { title, section, caller, hasFleet, toolVersion, isLive = false, hasPictures = false } = frame;
  const menu = caller === null ? [] : [...sections, ...(hasFleet ? fleetSections : [])];
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="generator" content="deadheat ${toolVersion}" />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${assets.style.path}" />
        ${isLive ? html`<noscript><meta http-equiv="refresh" content="10" /></noscript>` : null}
        ${isLive || hasPictures ? html`<script type="module" src="${assets.script.path}"></script>` : null}
        <title>${printable(title)} · deadheat</title>
      </head>
      <body>
        <a class="skip" href="#main">To the content</a>
        <header>
          <div class="bar">
            <p class="brand"><a href="/">deadheat</a></p>
            ${
              menu.length === 0
                ? null
                : html`<nav aria-label="Dashboard">
                    <ul class="menu">
                      ${menu.map(
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
