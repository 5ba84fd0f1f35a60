export { createExcerpt, renderExcerpt, type Excerpt } from '../errors/excerpt.ts';
export { UsageError, type UsageErrorCode } from '../errors/usage-error.ts';
export { checkParameterName, expandParameters, fillParameters, type Parameter } from './parameters.ts';
export {
  badValue,
  parseChoice,
  parseChoices,
  parseConfidence,
  parseCount,
  parseCpus,
  parseDuration,
  parseLanes,
  parseShare,
  parseText,
} from './parse-values.ts';
export { editDistance, listWords, nearestWord } from './words.ts';
