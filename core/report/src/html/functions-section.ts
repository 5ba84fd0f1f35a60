import type { CalledPlace, Explanation } from '@deadheat/model';
import { html, Markup } from '../markup.ts';
import {
  functionName,
  functionRow,
  listedFunctions,
  placeOf,
  rowHeads,
  summarySentences,
} from '../text/explanation-text.ts';
import { numberColumns, plainTable, scrolled } from './tables.ts';

/** A place of the graph as the script of the page reads it: ns of A and of B are with everything below. */
type Drawn = readonly [number, number, number, ...Drawn[]];

/** Places with less of both sides than this share are not drawn: they would be narrower than a pixel. */
const leastShare = 0.0005;

/** The list of the functions behind a difference, and the sentences below it. */
export function functionsTable(explanation: Explanation): Markup {
  const rows = listedFunctions(explanation).map((cost) => functionRow(cost, explanation));
  const [head, place, ...numbers] = rowHeads;
  const caption = `Functions behind the difference of ${explanation.benchmark}, CPU time a run`;
  return html`${scrolled('Functions', plainTable({ caption, columns: [head, place, ...numberColumns(numbers)], rows }))}
  ${summarySentences(explanation).map((sentence) => html`<p class="note">${sentence}</p>`)}`;
}

/**
 * The functions behind a difference with a differential flame graph: the width of a place is the CPU time of both sides, its colour the
 * difference. The script of the page draws the graph, with search and zoom; the list of functions is there without it.
 */
export function functionsSection(explanation: Explanation): Markup {
  const { table, tree } = explanation;
  const root = withBelow(tree);
  const data = {
    labels: table.map((aligned) => [functionName(aligned), placeOf(aligned)]),
    root: drawn(root, (root[1] + root[2]) * leastShare),
  };
  // No text in it can end the element or open a comment.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return html`<section id="functions" aria-labelledby="functions-h">
    <h2 id="functions-h">Functions</h2>
    ${functionsTable(explanation)}
    <p class="note">
      The graph is the call tree of both sides: the width is the mean CPU time of A and B with everything that was
      called. Red: B takes more there than A; blue: less; grey: the same. Click a function to make it as wide as the
      page.
    </p>
    <form hidden>
      <label>Function <input type="search" placeholder="part of a name" /></label>
      <button type="button">Show all</button> <output aria-live="polite"></output>
    </form>
    <div class="graph" role="group" aria-label="Differential flame graph"></div>
    <p class="about note" aria-live="polite">&#160;</p>
    ${new Markup(`<script type="application/json" class="data">${json}</script>`)}
  </section>`;
}

function withBelow([fn, ownA, ownB, ...below]: CalledPlace): Drawn {
  const children = below.map((child) => withBelow(child)).toSorted((x, y) => x[0] - y[0]);

  function sum(at: 1 | 2): number {
    return children.reduce((total, child) => total + child[at], 0);
  }

  return [fn, ownA + sum(1), ownB + sum(2), ...children];
}

function drawn([fn, A, B, ...below]: Drawn, least: number): Drawn {
  return [fn, A, B, ...below.filter(([, a, b]) => a + b >= least).map((child) => drawn(child, least))];
}
