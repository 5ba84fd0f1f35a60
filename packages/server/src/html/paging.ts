import { html, type Markup } from '@deadheat/report';

/** One page of a list. */
export interface Paging {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** Index of its first entry, and of the first that is not on it. */
  readonly from: number;
  readonly to: number;
}

/** The page of a list that was asked for; beyond the last it is the last. */
export const pagingOf = (total: number, { page, size }: { readonly page: number; readonly size: number }): Paging => {
  const pages = Math.max(1, Math.ceil(total / size));
  const shown = Math.min(page, pages);
  return { page: shown, pages, from: (shown - 1) * size, to: Math.min(total, shown * size) };
};

/** Links to the pages before and after. */
export const pagingLinks = (
  { page, pages, from, to }: Paging,
  { total, linkTo }: { readonly total: number; readonly linkTo: (page: number) => string },
): Markup | null => {
  if (pages === 1) return null;
  const step = (at: number, name: string): Markup =>
    at < 1 || at > pages ? html`<span class="off">${name}</span>` : html`<a href="${linkTo(at)}">${name}</a>`;
  return html`<nav class="paging" aria-label="Pages">
    ${step(page - 1, 'Previous')} <span>${from + 1} to ${to} of ${total}</span> ${step(page + 1, 'Next')}
  </nav>`;
};
