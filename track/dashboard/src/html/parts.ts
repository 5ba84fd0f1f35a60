import { html, type Markup } from '@deadheat/report';
import type { CatalogView } from '../source/catalog.ts';

/** A select field of a form. */
export function choice(
  name: string,
  {
    label,
    options,
    chosen,
  }: {
    readonly label: string;
    readonly options: readonly (readonly [value: string, text: string])[];
    readonly chosen: string | undefined;
  },
): Markup {
  return html`<label
    >${label}
    <select name="${name}">
      ${options.map(([value, text]) => (value === (chosen ?? '') ? html`<option value="${value}" selected>${text}</option>` : html`<option value="${value}">${text}</option>`))}
    </select></label
  >`;
}

/** A select field for a project of a catalog, or all of them. */
export function projectChoice(
  { projects }: Pick<CatalogView, 'projects'>,
  chosen: string | undefined,
  { hasAll = true }: { readonly hasAll?: boolean } = {},
): Markup {
  const options = projects.map(({ project }) => [project, project] as const);
  return choice('project', {
    label: 'Project',
    options: [...(hasAll ? [['', 'all'] as const] : []), ...options],
    chosen,
  });
}

/** One page of a list. */
interface Paging {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** Index of its first entry, and of the first that is not on it. */
  readonly from: number;
  readonly to: number;
}

/** The requested page of a list; the last page when the number is too large. */
export function pagingOf(total: number, { page, size }: { readonly page: number; readonly size: number }): Paging {
  const pages = Math.max(1, Math.ceil(total / size));
  const shown = Math.min(page, pages);
  return { page: shown, pages, from: (shown - 1) * size, to: Math.min(total, shown * size) };
}

/** Links to the pages before and after. */
export function pagingLinks(
  { page, pages, from, to }: Paging,
  { total, linkTo }: { readonly total: number; readonly linkTo: (page: number) => string },
): Markup | null {
  if (pages === 1) return null;

  function step(at: number, name: string): Markup {
    return at < 1 || at > pages ? html`<span class="off">${name}</span>` : html`<a href="${linkTo(at)}">${name}</a>`;
  }

  return html`<nav class="paging" aria-label="Pages">
    ${step(page - 1, 'Previous')} <span>${from + 1} to ${to} of ${total}</span> ${step(page + 1, 'Next')}
  </nav>`;
}
