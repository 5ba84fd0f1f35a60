export { LineArrivals, type Arrival } from './arrivals.ts';
export type { OutputParser, ParsedIteration, ParserContext } from './output-parser.ts';
export { ParserError, type ParserErrorCode } from './parser-error.ts';
export { OutputTail, readsAsItComes } from './output-tail.ts';
export { parseText } from './parse-text.ts';
export { placeIterations, type PlacedIterations } from './place-iterations.ts';
export { fillResults, findResults, readResults, writtenResults, type ResultFiles } from './result-files.ts';
export { moduleLimits, runModule, type ModuleLimits } from './run-module.ts';
