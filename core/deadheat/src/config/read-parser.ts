import { statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { builtInParserSchema, type Parser, nearestWord } from '@deadheat/model';
import type { PlacedText } from './benchmark-spec.ts';
import type { Problems } from '../settings/problem.ts';

const extensions = new Set(['.js', '.mjs']);

/** A parser that the file names: one that is built in, or a module from the folder of the file. `null` = reported as a problem. */
export function readParser(
  { text, path }: PlacedText,
  { folder, problems }: { readonly folder: string; readonly problems: Problems },
): Parser | null {
  const names = builtInParserSchema.options;
  const builtIn = names.find((name) => name === text);
  if (builtIn !== undefined) return { kind: 'built-in', name: builtIn };
  if (!text.includes('/') && !extensions.has(extname(text))) {
    const nearest = nearestWord(text.toLowerCase(), names);
    const known = `There are ${names.join(', ')}; a parser of your own is named by its path, ./parser.js.`;
    problems.add(path, `there is no parser ${text}`, { hint: nearest === null ? known : `Did you mean ${nearest}?` });
    return null;
  }
  const file = resolve(folder, text);
  if (!extensions.has(extname(file))) {
    problems.add(path, `the parser ${text} is no ES module`, { hint: 'Its name has to end in .js or .mjs.' });
    return null;
  }
  if (!isFile(file)) {
    problems.add(path, `there is no file ${file}`);
    return null;
  }
  return { kind: 'module', path: file };
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
