export { readDuetName } from './formats/duetbench-results.ts';
export { formatReader, lab, readDuetbenchSpec, showSteady } from './plugs.ts';
