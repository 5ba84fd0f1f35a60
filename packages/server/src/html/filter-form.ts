import { html, type Markup } from '@deadheat/report';

/** A choice of a form. */
export const choice = (
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
): Markup =>
  html`<label
    >${label}
    <select name="${name}">
      ${options.map(([value, text]) => (value === (chosen ?? '') ? html`<option value="${value}" selected>${text}</option>` : html`<option value="${value}">${text}</option>`))}
    </select></label
  >`;
