export { BenchmarkSet } from './benchmark-set.ts';
export { ImportError, malformedText } from './import-error.ts';
export { oneSided, runOf, unnamed } from './imported-file.ts';
export { readJson } from './json/read-json.ts';
export { entriesLeftOut, rateInverted } from './limits.ts';
export { readCsv } from './text/read-csv.ts';
export { readLines } from './import-source.ts';
export { readSpecLine } from '../grammar/lines.ts';
export { nsPer, scoreUnit } from '../grammar/units.ts';
