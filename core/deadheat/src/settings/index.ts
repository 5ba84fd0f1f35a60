export { createExcerpt, renderExcerpt, type Excerpt } from '../errors/excerpt.ts';
export { UsageError, type UsageErrorCode } from '../errors/usage-error.ts';
export {
  experimentFlags,
  experimentTable,
  optionTable,
  type ExperimentKey,
  type ExperimentLayer,
} from './experiment-table.ts';
export { attributeOf, flagOfKey, layerOfFlags, spelling, type CamelCase, type TypedLayer } from './layer-of-flags.ts';
export { checkParameterName, expandParameters, fillParameters, type Parameter } from './parameters.ts';
export { withNames, type Flag, type FlagGroup, type Option, type Subject } from './option.ts';
export {
  badValue,
  parseChoice,
  parseChoices,
  parseConfidence,
  parseCount,
  parseCpus,
  parseDuration,
  parseLanes,
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
  marginSchema,
  textSchema,
  wordSchema,
} from './scalars.ts';
export { impliedMethod, meansDuet, SettingsResolver, type PlacedLayer, type Wording } from './settings-resolver.ts';
export { programTable, workloadTable } from './program-table.ts';
export { isSetting, settingsTable, type SettingKey, type SettingsLayer } from './settings-table.ts';
export { listWords } from './words.ts';
