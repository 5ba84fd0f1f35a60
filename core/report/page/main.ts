import { addControls } from './add-controls.ts';
import { addPointTips } from './add-point-tips.ts';
import { addSorting } from './add-sorting.ts';
import { addZoom } from './add-zoom.ts';
import { fillSections } from './fill-sections.ts';

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

watchFigures(document);
fillSections(watchFigures);
document.documentElement.dataset['ready'] = '';
