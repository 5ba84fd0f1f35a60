import { createHash } from 'node:crypto';
import { html, Markup } from '@deadheat/report';
import type { TreeNode } from '../align-functions.ts';
import type { Explanation } from '../explain.ts';
import { flameScript, flameStyle } from './flame-page-files.ts';
import { functionName, functionRow, listedFunctions, placeOf, rowHeads, summarySentences } from './render-text.ts';

/** A place of the graph as its script reads it: number of the label, ns of A and of B with everything below, and the places below. */
type Drawn = readonly [number, number, number, ...Drawn[]];

/** Places with less of both sides than this share are not drawn: they would be narrower than a pixel. */
const leastShare = 0.0005;

/**
 * A differential flame graph as one HTML file that needs no network: the width of a place is the CPU time of both sides, its colour the
 * difference. The graph is drawn as SVG by the script in the page, with search and zoom; the list of functions is there without script.
 */
export function renderFlamePage(explanation: Explanation): string {
  const { table, tree, benchmark, commands } = explanation;
  const whole = totalsOf(tree);
  const data = {
    labels: table.map((aligned) => [functionName(aligned), placeOf(aligned)]),
    root: drawn(tree, (whole.A + whole.B) * leastShare),
  };
  // No text in it can end the element or open a comment.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  const policy = `default-src 'none'; style-src '${hashOf(flameStyle)}'; script-src '${hashOf(flameScript)}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const rows = listedFunctions(explanation).map((cost) => {
    const tone = cost.isClear ? (cost.difference.estimate > 0 ? 'more' : 'less') : 'open';
    return html`<tr class="${tone}">
      ${functionRow(cost, explanation).map((cell) => html`<td>${cell}</td>`)}
    </tr>`;
  });
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <title>${benchmark}: functions behind the difference</title>
        ${new Markup(`<style>${flameStyle}</style>`)}
      </head>
      <body>
        <header>
          <p class="brand">deadheat explain</p>
          <h1>${benchmark}</h1>
          <p><b>A</b> <code>${commands.A}</code><br /><b>B</b> <code>${commands.B}</code></p>
        </header>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                ${rowHeads.map((head) => html`<th>${head}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${rows}
            </tbody>
          </table>
        </div>
        ${summarySentences(explanation).map((sentence) => html`<p class="note">${sentence}</p>`)}
        <h2>Call tree of both sides</h2>
        <p class="note">
          The width is the mean CPU time of A and B with everything that was called. Red: B takes more there than A;
          blue: less; grey: the same. Click a function to make it as wide as the page.
        </p>
        <form id="controls" hidden>
          <label>Function <input type="search" placeholder="part of a name" /></label>
          <button type="button">Show all</button> <output aria-live="polite"></output>
        </form>
        <div id="graph" role="img" aria-label="Differential flame graph"></div>
        <p id="about" class="note" aria-live="polite">&#160;</p>
        ${new Markup(`<script type="application/json" id="data">${json}</script><script>${flameScript}</script>`)}
      </body>
    </html>`;
  return `${page.text}\n`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function totalsOf(node: TreeNode): { readonly A: number; readonly B: number } {
  let { A, B } = node.self;
  for (const child of node.children.values()) {
    const below = totalsOf(child);
    A += below.A;
    B += below.B;
  }
  return { A, B };
}

function drawn(node: TreeNode, least: number): Drawn {
  const { A, B } = totalsOf(node);
  const children = [...node.children.values()]
    .map((child) => drawn(child, least))
    .filter(([, a, b]) => (a + b) / 1e9 >= least)
    .toSorted((x, y) => x[0] - y[0]);
  return [node.fn, Math.round(A * 1e9), Math.round(B * 1e9), ...children];
}
