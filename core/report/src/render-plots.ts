import { benchmarkFigures } from './benchmark-figures.ts';
import { plotStyle } from './html/page-files.ts';
import { forestPicture, forestScale } from './plot/forest-picture.ts';
import { pointsFinder, worstFirst, type ReportInput } from './report-input.ts';
import { marksFor, mostSections } from './render-page.ts';

/** A picture in a file of its own. */
export interface NamedPlot {
  /** Name of its file, such as `01-times.svg`; benchmarks are counted in the order of the report. */
  readonly name: string;
  readonly svg: string;
}

/** The pictures of a report as SVG files with colours of their own: the forest plot, then those of every benchmark. */
export function renderPlots({ report, points }: ReportInput): readonly NamedPlot[] {
  const told = worstFirst(report.comparisons).slice(0, mostSections);
  const pointsOf = pointsFinder(points);
  const digits = Math.max(2, String(told.length).length);
  const mostMarks = marksFor(told.length);
  return [
    {
      name: 'forest.svg',
      svg: standing(forestPicture(worstFirst(report.comparisons), forestScale(report.comparisons))),
    },
    ...told.flatMap((comparison, index) => {
      const own = pointsOf(comparison);
      if (own === null) return [];
      const number = String(index + 1).padStart(digits, '0');
      return benchmarkFigures({ comparison, points: own, mostMarks }).flatMap(({ name, pictures }) =>
        pictures.map((svg, part) => ({
          name: `${number}-${name}${pictures.length === 1 ? '' : `-${part + 1}`}.svg`,
          svg: standing(svg),
        })),
      );
    }),
  ];
}

/** A picture of the page as a file, with its namespace and its style. */
export function standing(picture: string): string {
  const style = `<style>${plotStyle}svg{background:var(--bg);font:11px system-ui,sans-serif}</style>`;
  return `${picture.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ').replace('>', () => `>${style}`)}\n`;
}
