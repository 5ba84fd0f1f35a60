export { explain, type ExplainOptions, worstBenchmark } from './explain.ts';
export { renderCollapsed, renderPprof, renderSpeedscope } from './profile-formats.ts';
