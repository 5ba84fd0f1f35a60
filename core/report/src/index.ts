export { type Held, html, Markup } from './markup.ts';
export { functionsTable } from './html/functions-section.ts';
export { facts, plainTable, scrolled } from './html/tables.ts';
export { differenceMarkup, intervalGlyph, verdictBadge } from './html/verdict-table.ts';
export { markdownDialect } from './markdown/dialects.ts';
export { renderFunctionsMarkdown, type Pipeline, renderSummary } from './markdown/render-summary.ts';
export { renderTables } from './markdown/render-tables.ts';
export { pagePolicy, renderPage, renderPlots, standing } from './render-page.ts';
export { forestScale } from './plot/forest-picture.ts';
export {
  renderHistogram,
  renderSeries,
  renderSparkline,
  renderTracks,
  type SeriesTrack,
} from './plot/series-picture.ts';
export { verdictOrder } from './report-input.ts';
export { comparisonKey } from './report-input.ts';
export { missedShare, type Standing, standings } from './text/details.ts';
export {
  chooseTimeUnit,
  countOf,
  formatChosenShare,
  formatDifference,
  formatRatio,
  formatShare,
  formatStretch,
  formatTime,
  percentDigits,
} from './text/numbers.ts';
export { csvRows, nameOf, printable, shorten } from './text/printable.ts';
export {
  alignCells,
  type Colors,
  colorVerdict,
  createColors,
  detailLines,
  proseWidth,
  type TextStyle,
  warningLines,
  wrapText,
} from './text/layout.ts';
export type { ResultView, SortOrder } from './text/overview.ts';
export { renderReport } from './text/render-report.ts';
export { formatStudyCell, renderStudy, studyCsv, studyTable } from './text/render-study.ts';
export { functionName, renderFunctions } from './text/explanation-text.ts';
export { verdictSentence, verdictWords, verdictWordsOf } from './text/verdict-sentence.ts';
export { type AmountUnit, chooseAmountUnit, formatAmountIn } from './text/quantities.ts';
export { pageStyle, pageStyleHash } from './html/page-files.ts';
export { type Axis, type Mark, type Pen, picture, type PictureOptions, robustDomain } from './plot/drawing.ts';
export { dotsPath, element, group, linePath, path, tenth, textAt } from './plot/element.ts';
