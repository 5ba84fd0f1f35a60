import type { BuiltInParser } from '@deadheat/model';
import type { ParsedIteration } from './output-parser.ts';
import { parseDacapo } from './parsers/dacapo.ts';
import { parseGo } from './parsers/go.ts';
import { parseJmh } from './parsers/jmh.ts';
import { parseRenaissance } from './parsers/renaissance.ts';
import { parseSpecCpu } from './parsers/spec-cpu.ts';

/** The parsers that are built in; each throws an error that says what is not as its format has it. */
export const builtInParsers: Readonly<Record<BuiltInParser, (text: string) => readonly ParsedIteration[]>> = {
  renaissance: parseRenaissance,
  dacapo: parseDacapo,
  scalabench: parseDacapo,
  'spec-cpu': parseSpecCpu,
  jmh: parseJmh,
  go: parseGo,
};
