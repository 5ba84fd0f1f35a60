import { startDrawing } from './plot/drawing.ts';
import { seriesPicture, type SeriesView } from './plot/series-picture.ts';

/** A series over commits as the markup of an SVG element, whose colours are those of a page's style. */
export async function renderSeries(view: SeriesView): Promise<string> {
  return seriesPicture(await startDrawing(), view);
}
