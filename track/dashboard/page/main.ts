import { addZoom } from '../../../core/report/page/add-zoom.ts';
import { followFleet } from './follow-fleet.ts';
import { tellDots } from './tell-dots.ts';

followFleet();
for (const figure of document.querySelectorAll<HTMLElement>('figure.series')) {
  addZoom(figure);
  tellDots(figure);
}
document.documentElement.dataset['ready'] = '';
