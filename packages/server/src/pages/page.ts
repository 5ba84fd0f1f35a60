import type { Markup } from '@deadheat/report';

/** What a page says. */
export interface Page {
  readonly title: string;
  readonly section: string;
  readonly content: Markup;
  readonly isLive?: boolean;
}
