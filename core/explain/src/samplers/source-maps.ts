import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { originalPositionFor, sourceContentFor, TraceMap } from '@jridgewell/trace-mapping';

/** A function of generated code; line and column are counted from 0, as V8 does. */
export interface GeneratedFunction {
  readonly functionName: string;
  /** Path of the file that was executed. */
  readonly file: string;
  readonly lineNumber: number;
  /** V8 gives that of the parameters. */
  readonly columnNumber: number;
}

/** Where a function stands in its source. */
export interface OriginalFunction {
  readonly name: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

interface MappedFile {
  readonly map: TraceMap;
  readonly lines: readonly string[];
}

const comment = /^[ \t]*\/[/*][#@][ \t]*sourceMappingURL=([^\s'"*]+)[ \t]*(?:\*\/)?[ \t]*$/gm;

/** Finds functions in the sources behind executed files that name a source map: one in the file, or one beside it. A file is read once. */
export class SourceMaps {
  readonly #files = new Map<string, MappedFile | null>();

  /** The function in its source; `null` = the file names no map that can be read, or the map does not have the place. */
  find({ functionName, file, lineNumber, columnNumber }: GeneratedFunction): OriginalFunction | null {
    let mapped = this.#files.get(file);
    if (mapped === undefined) this.#files.set(file, (mapped = readMapped(file)));
    if (mapped === null || lineNumber < 0) return null;
    const { map, lines } = mapped;
    const text = lines[lineNumber] ?? '';
    const nameColumn = columnOfName(functionName, text.slice(0, columnNumber));
    const at = originalPositionFor(map, { line: lineNumber + 1, column: nameColumn ?? columnNumber });
    if (at.source === null) return null;
    const source = at.source.startsWith('file:') ? fileURLToPath(at.source) : at.source;
    const renamed = nameColumn === null ? null : (at.name ?? nameIn(sourceContentFor(map, at.source), at));
    return { name: renamed ?? functionName, file: source, line: at.line };
  }
}

/** The column of the name before the parameters: `name(`, `name = (`, `name: async (`; `null` = it does not stand there. */
function columnOfName(name: string, before: string): number | null {
  const short = name.split('.').at(-1) ?? '';
  if (short === '') return null;
  const rest = before.replace(/(?:\s*[=:]\s*)?(?:async\s*)?(?:function\s*\*?\s*)?$/, '');
  for (const text of [before, rest]) if (text.endsWith(short)) return text.length - short.length;
  return null;
}

/** The word at a place of a source whose map has no names. */
function nameIn(
  source: string | null,
  { line, column }: { readonly line: number; readonly column: number },
): string | null {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*/u.exec(source?.split('\n')[line - 1]?.slice(column) ?? '')?.[0] ?? null;
}

function readMapped(file: string): MappedFile | null {
  try {
    const text = readFileSync(file, 'utf8');
    const url = [...text.matchAll(comment)].at(-1)?.[1];
    if (url === undefined) return null;
    const place = new URL(url, pathToFileURL(file));
    const inline = /^data:[^,]*?(;base64)?,(.*)$/.exec(url);
    const json =
      inline === null
        ? readFileSync(fileURLToPath(place), 'utf8')
        : inline[1] === undefined
          ? decodeURIComponent(inline[2] ?? '')
          : Buffer.from(inline[2] ?? '', 'base64').toString('utf8');
    return { map: new TraceMap(json, (inline === null ? place : pathToFileURL(file)).href), lines: text.split('\n') };
  } catch {
    // Without its map the file is shown as it was executed.
    return null;
  }
}
