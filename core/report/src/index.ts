export { html, Markup } from './markup.ts';
export type { Held } from './markup.ts';
export { facts, plainTable, scrolled } from './html/tables.ts';
export { differenceMarkup, intervalGlyph, verdictBadge } from './html/verdict-table.ts';
export { renderSummary } from './markdown/render-summary.ts';
export type { SummaryOptions } from './markdown/render-summary.ts';
export type { Pipeline } from './markdown/origin.ts';
export { renderTables, type TablesOptions } from './markdown/render-tables.ts';
export { pagePolicy, renderPage } from './render-page.ts';
export { renderPlots, type NamedPlot, standing } from './render-plots.ts';
export { scaleOfIntervals } from './plot/forest-picture.ts';
export {
  renderSeries,
  renderTracks,
  type SeriesDot,
  type SeriesTrack,
  type SeriesView,
} from './plot/series-picture.ts';
export { renderHistogram, type HistogramRatio } from './plot/histogram-picture.ts';
export { renderSparkline, type SparklineView } from './plot/sparkline.ts';
export { verdictOrder } from './report-input.ts';
export type { ReportInput } from './report-input.ts';
export { aloneText, essentialDetails, furtherDetails, timesName } from './text/comparison-details.ts';
export { eachHostDetails } from './text/host-details.ts';
export {
  countOf,
  formatChosenShare,
  formatDifference,
  formatRatio,
  formatShare,
  percentDigits,
  chooseTimeUnit,
  formatStretch,
  formatTime,
} from './text/numbers.ts';
export type { TimeUnit } from './text/numbers.ts';
export { gateDetails, standingNote, standings } from './text/gate-details.ts';
export type { Standing } from './text/gate-details.ts';
export type { Detail } from './text/host-details.ts';
export { csvRows } from './text/csv-rows.ts';
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
export { renderStudy, studyCsv, studyTable, formatStudyCell } from './text/render-study.ts';
export { isSelfComparison, verdictSentence, verdictWords, verdictWordsOf } from './text/verdict-sentence.ts';
export { nameOf, printable, shorten } from './text/printable.ts';
export { chooseAmountUnit, formatAmountIn, type AmountUnit } from './text/quantities.ts';
export { pageStyle, pageStyleHash } from './html/page-files.ts';
export { robustDomain, type Axis, type Pen } from './plot/axes.ts';
export { picture, type Mark, type PictureOptions } from './plot/drawing.ts';
export { dotsPath, element, group, linePath, path, tenth, textAt } from './plot/element.ts';
