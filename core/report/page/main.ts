import { drawFlames } from './flame.ts';
import { addPointTips, addZoom } from './plots.ts';
import { addControls, addSorting } from './verdict-table.ts';

/** A reader looks at the verdicts first: nothing is filled unasked for so long, ms. */
const patience = 2000;
/** Time that filling leaves to what else a moment without work is for, ms. */
const spare = 8;

const table = document.querySelector<HTMLTableElement>('#verdicts-table');
const controls = document.querySelector<HTMLElement>('#controls');
if (table !== null && controls !== null) {
  addSorting(table);
  addControls(table, controls);
}
// A page may have hundreds of figures: each is made ready when it comes near.
const watch = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLElement)) continue;
      watch.unobserve(target);
      addZoom(target);
      addPointTips(target);
    }
  },
  { rootMargin: '400px' },
);

function watchFigures(within: ParentNode): void {
  for (const figure of within.querySelectorAll('figure.times')) watch.observe(figure);
}

const functions = document.querySelector<HTMLElement>('#functions');
if (functions !== null) drawFlames(functions);
watchFigures(document);
fillSections(watchFigures);
document.documentElement.dataset['ready'] = '';

/**
 * Brings the details of sections to where they belong. Those of a page of hundreds of benchmarks lie in `noscript`, which a browser with
 * script takes for one text: a section is filled when it comes near, before printing, and all of them one after the other when there
 * is nothing else to do, so that they can be searched for and read aloud.
 */
function fillSections(onFilled: (section: Element) => void): void {
  const waiting = new Set<Element>();

  function fill(section: Element): void {
    if (!waiting.delete(section)) return;
    near.unobserve(section);
    const kept = section.querySelector('noscript');
    if (kept === null) return;
    const filled = document.createElement('template');
    filled.innerHTML = kept.textContent;
    kept.replaceWith(filled.content);
    onFilled(section);
  }

  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) fill(target);
    },
    { rootMargin: '800px' },
  );
  for (const section of document.querySelectorAll('.benchmark:has(> noscript)')) {
    waiting.add(section);
    near.observe(section);
  }
  addEventListener('beforeprint', () => {
    for (const section of waiting) fill(section);
  });

  function fillSome(timeLeft: () => number): void {
    for (const section of waiting) {
      fill(section);
      if (timeLeft() < spare) break;
    }
    if (waiting.size > 0) whenIdle(fillSome);
  }

  if (waiting.size > 0) setTimeout(() => whenIdle(fillSome), patience);
}

/** Not every browser reports when it has nothing to do. */
function whenIdle(act: (timeLeft: () => number) => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback((deadline) => act(() => deadline.timeRemaining()));
  else setTimeout(() => act(() => 0), 20);
}
