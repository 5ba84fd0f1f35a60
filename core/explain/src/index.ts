export { explain, type Explanation, type ExplainOptions, worstBenchmark } from './explain.ts';
export { renderFlamePage } from './shown/render-flame-page.ts';
export { renderJson } from './shown/render-json.ts';
export { renderCollapsed, renderPprof, renderSpeedscope } from './shown/profile-formats.ts';
export { renderMarkdown, renderText } from './shown/render-text.ts';
