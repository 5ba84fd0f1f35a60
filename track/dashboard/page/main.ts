import { addZoom } from '../../../core/report/page/plots.ts';
import { followFleet } from './follow-fleet.ts';
import { labelDots } from './label-dots.ts';

followFleet();
for (const figure of document.querySelectorAll<HTMLElement>('figure.series')) {
  addZoom(figure);
  labelDots(figure);
}
document.documentElement.dataset['ready'] = '';
