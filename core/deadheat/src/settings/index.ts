export { createExcerpt, renderExcerpt, type Excerpt } from '../errors/excerpt.ts';
export { UsageError } from '../errors/usage-error.ts';
export { experimentFlags } from './experiment-table.ts';
export { attributeOf, flagOfKey, layerOfFlags, type CamelCase, type TypedLayer } from './layer-of-flags.ts';
export { checkParameterName, type Parameter } from './parameters.ts';
export { withNames, type Flag, type FlagGroup } from './option.ts';
export {
  badValue,
  parseChoice,
  parseChoices,
  parseConfidence,
  parseCount,
  parseCpus,
  parseDuration,
  parseMemory,
  parseShare,
  parseText,
} from './parse-values.ts';
export { type Path, Problems } from './problem.ts';
export {
  artifactsSchema,
  countSchema,
  durationSchema,
  lineSchema,
  mapSchema,
  shareSchema,
  textSchema,
  wordSchema,
} from './scalars.ts';
