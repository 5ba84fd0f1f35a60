import { html, type Held, type Markup } from '@deadheat/report';

/** Names and what they are. */
export const facts = (list: readonly (readonly [name: string, value: Held])[]): Markup =>
  html`<dl class="facts">
    ${list.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
