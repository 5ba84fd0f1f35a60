import { sides, type Comparison } from '@deadheat/model';
import type { Figure } from '../plot/figure.ts';
import { printable } from '../text/printable.ts';
import { html, Markup } from './markup.ts';

const mostName = 60;

/** A figure with its caption; wide ones scroll on a narrow page, where their text would be too small. */
export function figureMarkup(
  { name, title, pictures, caption, hasSides, wide }: Figure,
  { sides: summaries }: Pick<Comparison, 'sides'>,
): Markup {
  const drawn = new Markup(pictures.join('\n'));
  return html`<figure class="${wide ? 'broad' : 'half'} ${name}">
    <figcaption>
      <h4>${title}</h4>
      <p>${caption}</p>
      ${
        hasSides
          ? html`<p class="legend">
              ${sides.map(
                (side) =>
                  html`<span
                    ><span class="side ${side}"><span aria-hidden="true">●</span> ${side}</span>
                    ${shortened(summaries[side].name)}</span
                  >`,
              )}
            </p>`
          : null
      }
    </figcaption>
    ${pictures.length === 0 ? null : wide ? html`<div class="scroll" tabindex="0" role="group" aria-label="${title}">${drawn}</div>` : drawn}
  </figure>`;
}

function shortened(name: string): string {
  const shown = printable(name);
  return shown.length > mostName ? `${shown.slice(0, mostName - 1)}…` : shown;
}
