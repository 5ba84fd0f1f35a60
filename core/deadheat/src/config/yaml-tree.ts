import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type YAMLError,
} from 'yaml';
import type { PlacedProblem } from './config-error.ts';
import type { Path, Problem } from '../settings/problem.ts';

/** Most values that a file may stand for once its aliases are followed. */
const mostValues = 100_000;
/** Most maps and lists inside each other; a configuration needs six. */
const mostLevels = 100;
/** Characters from which a text is a long one. */
const longText = 100_000;
const tooDeep = `more than ${mostLevels} maps and lists stand inside each other`;
const lessDeep = 'Write fewer of them inside each other.';

/** A value of a file that knows where it stands. */
interface Place {
  /** Plain data: maps as objects without prototype, lists as arrays, scalars. */
  readonly data: unknown;
  readonly start: number;
  /** A scalar as it is written, without quotes; `null` for maps and lists. */
  readonly source: string | null;
  readonly children: ReadonlyMap<string | number, { readonly keyStart: number; readonly place: Place }>;
}

/** A YAML text as data, with the way back from a path to line and column. */
export interface YamlTree {
  readonly data: unknown;
  /** A scalar as it is written, so that 1.10 stays `1.10`; `null` where there is none. */
  sourceOf(path: Path): string | null;
  /** Finds a problem's place; for what is missing, the nearest that is there. */
  locate(problem: Problem): PlacedProblem;
}

export type YamlReading =
  | { readonly kind: 'tree'; readonly tree: YamlTree }
  | { readonly kind: 'malformed'; readonly problems: readonly PlacedProblem[] };

/** Reads YAML 1.2 with anchors, aliases and merge keys; every syntax error is reported. An empty text is `null`. */
export function readYaml(text: string): YamlReading {
  const lineCounter = new LineCounter();
  const document = parseOrNull(text, lineCounter);
  const lines = text.split(/\r\n|\n/);
  const placeAt = (offset: number, message: string, hint: string | null): PlacedProblem => {
    const { line, col } = lineCounter.linePos(Math.min(offset, text.length));
    return { message, hint, line: Math.max(1, line), column: Math.max(1, col), text: lines[line - 1] ?? '' };
  };
  const malformed = (problems: readonly PlacedProblem[]): YamlReading => ({ kind: 'malformed', problems });
  if (document === null) return malformed([placeAt(0, tooDeep, lessDeep)]);
  const wrong = [...document.errors, ...document.warnings];
  const deep = wrong.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (deep !== undefined) return malformed([placeAt(deep.pos[0], tooDeep, lessDeep)]);
  if (wrong.length > 0) {
    return malformed(
      wrong.map((error) => {
        const { message, hint } = explainYamlError(error);
        return placeAt(error.pos[0], message, hint);
      }),
    );
  }
  try {
    const root = new TreeBuilder(document).build();
    return { kind: 'tree', tree: toTree(root, placeAt) };
  } catch (error) {
    if (error instanceof TreeError) return malformed([placeAt(error.offset, error.message, error.hint)]);
    throw error;
  }
}

/** `null` = it is nested too deeply for the stack of the parser. */
function parseOrNull(text: string, lineCounter: LineCounter): Document.Parsed | null {
  try {
    // The library compares each key with every other, and reports all that are there twice; in a long text the tree finds the first.
    return parseDocument(text, { lineCounter, prettyErrors: false, merge: true, uniqueKeys: text.length < longText });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function toTree(
  root: Place,
  placeAt: (offset: number, message: string, hint: string | null) => PlacedProblem,
): YamlTree {
  return {
    data: root.data,
    sourceOf: (path) => {
      let place: Place | undefined = root;
      for (const step of path) place = place?.children.get(step)?.place;
      return place?.source ?? null;
    },
    locate: ({ path, at, message, hint }) => {
      let place = root;
      let keyStart = root.start;
      for (const [index, step] of path.entries()) {
        const child = place.children.get(step);
        // A missing part is reported at the place where it should have been.
        if (child === undefined) return placeAt(keyStart, message, hint);
        ({ keyStart, place } = child);
        if (index === path.length - 1 && at === 'value' && place.source !== '') keyStart = place.start;
      }
      return placeAt(keyStart, message, hint);
    },
  };
}

class TreeError extends Error {
  readonly offset: number;
  readonly hint: string;
  constructor(message: string, details: { readonly offset: number; readonly hint: string }) {
    super(message);
    this.offset = details.offset;
    this.hint = details.hint;
  }
}

class TreeBuilder {
  readonly #document: Document.Parsed;
  readonly #open = new Set<Node>();
  #values = 0;

  constructor(document: Document.Parsed) {
    this.#document = document;
  }

  build(): Place {
    return this.#place(this.#document.contents, 0);
  }

  #place(node: Node | null, offset: number): Place {
    const start = node?.range?.[0] ?? offset;
    this.#values += 1;
    if (this.#values > mostValues) {
      throw new TreeError(`the file stands for more than ${mostValues} values`, {
        offset: start,
        hint: 'Aliases inside what aliases stand for multiply; write fewer of them.',
      });
    }
    if (isAlias(node)) return this.#alias(node.resolve(this.#document), { name: node.source, start });
    if (isMap(node)) return this.#nested(node, () => this.#map(node.items as readonly MapItem[], start));
    if (isSeq(node)) return this.#nested(node, () => this.#list(node.items as readonly Node[], start));
    if (isScalar(node)) {
      const source = typeof node.value === 'string' ? node.value : (node.source ?? '');
      return { data: node.value, start, source, children: new Map() };
    }
    return { data: null, start, source: '', children: new Map() };
  }

  #alias(target: Node | undefined, { name, start }: { readonly name: string; readonly start: number }): Place {
    if (target === undefined) {
      throw new TreeError(`there is no &${name} before *${name}`, {
        offset: start,
        hint: `Write &${name} before the value that *${name} is to repeat.`,
      });
    }
    if (this.#open.has(target)) {
      throw new TreeError(`*${name} stands inside the value that it repeats`, {
        offset: start,
        hint: 'A value cannot hold itself.',
      });
    }
    // The place of the alias is reported, not that of the anchor: the alias has to be changed.
    return { ...this.#place(target, start), start };
  }

  #nested(node: Node, build: () => Place): Place {
    if (this.#open.size >= mostLevels) {
      throw new TreeError(tooDeep, { offset: node.range?.[0] ?? 0, hint: lessDeep });
    }
    this.#open.add(node);
    const place = build();
    this.#open.delete(node);
    return place;
  }

  #list(items: readonly Node[], start: number): Place {
    const children = new Map<number, { readonly keyStart: number; readonly place: Place }>();
    for (const [index, item] of items.entries()) {
      const place = this.#place(item, start);
      children.set(index, { keyStart: place.start, place });
    }
    return { data: [...children.values()].map(({ place }) => place.data), start, source: null, children };
  }

  #map(items: readonly MapItem[], start: number): Place {
    const children = new Map<string | number, { readonly keyStart: number; readonly place: Place }>();
    const merged: Place[] = [];
    for (const { key, value } of items) {
      const keyStart = key.range?.[0] ?? start;
      if (!isScalar(key)) {
        throw new TreeError('a key is a map, a list or an alias', {
          offset: keyStart,
          hint: 'A key is a plain text; a text that begins with {, [ or * needs quotes.',
        });
      }
      if (key.value === '__proto__') {
        throw new TreeError('__proto__ cannot be a key', { offset: keyStart, hint: 'Choose another name.' });
      }
      const place = this.#place(value, keyStart);
      const name = typeof key.value === 'string' ? key.value : (key.source ?? '');
      if (isMergeKey(key.value)) merged.push(...this.#mergeSources(place));
      else if (children.has(name)) throw new TreeError(keyTwice.message, { offset: keyStart, hint: keyTwice.hint });
      else children.set(name, { keyStart, place });
    }
    for (const source of merged) {
      for (const [name, child] of source.children) if (!children.has(name)) children.set(name, child);
    }
    const data = Object.create(null) as Record<string, unknown>;
    for (const [name, { place }] of children) data[String(name)] = place.data;
    return { data, start, source: null, children };
  }

  /** `<<: *a` or `<<: [*a, *b]`; what is named first wins. */
  #mergeSources(place: Place): readonly Place[] {
    const sources = Array.isArray(place.data) ? [...place.children.values()].map((child) => child.place) : [place];
    const wrong = sources.find(({ data }) => typeof data !== 'object' || data === null || Array.isArray(data));
    if (wrong === undefined) return sources;
    throw new TreeError('<< merges maps only', {
      offset: wrong.start,
      hint: 'Write <<: *name, where &name stands before a map.',
    });
  }
}

interface MapItem {
  readonly key: Node;
  readonly value: Node | null;
}

function isMergeKey(value: unknown): boolean {
  return value === '<<' || (typeof value === 'symbol' && value.description === '<<');
}

/** Message for a key that a map has twice. */
const keyTwice = { message: 'this key is there twice', hint: 'Leave one of them out.' };

/** Explanation of a syntax error in words of the file, and its remedy. Errors not listed keep the parser's sentence. */
const explanations: Readonly<Record<string, { readonly message: string; readonly hint: string }>> = {
  DUPLICATE_KEY: keyTwice,
  TAB_AS_INDENT: { message: 'a tab cannot indent', hint: 'Indent with spaces.' },
  MULTIPLE_DOCS: { message: 'a second document begins here', hint: 'One file holds one experiment; remove the ---.' },
  TAG_RESOLVE_FAILED: {
    message: 'this tag has no meaning here',
    hint: 'Remove it; a text that begins with ! needs quotes.',
  },
  MISSING_CHAR: { message: 'a quote or bracket is not closed', hint: 'It was opened here or on a line above.' },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a map cannot begin on the line of its key',
    hint: 'Put a text that holds ": " in quotes, or begin the map on the next line.',
  },
};

/** Says what is wrong with the syntax of a file. */
function explainYamlError(error: YAMLError): { readonly message: string; readonly hint: string | null } {
  const known = explanations[error.code];
  if (known !== undefined) return known;
  const own = error.message.split('\n')[0] ?? '';
  return { message: own.replace(/^./, (letter) => letter.toLowerCase()), hint: null };
}
