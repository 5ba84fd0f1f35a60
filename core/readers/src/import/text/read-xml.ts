import { malformedText } from '../import-error.ts';
import type { ImportSource } from '../import-source.ts';
import { readLines, type TextLine } from './read-lines.ts';

/** The start of an element, or its end; an empty element is both, one behind the other. */
export interface XmlTag {
  readonly kind: 'start' | 'end';
  readonly name: string;
  /** Value of an attribute of a start; `null` = it has none of that name. */
  readonly attribute: (name: string) => string | null;
  /** Line in which it ends, from 1. */
  readonly line: number;
}

const longestTag = 1 << 20;
const markup =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<[!?][^>]*>|<(\/?)([^\s<>/="']+)((?:\s+[^\s<>/="']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const entities: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w+));/g, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return entities.get(String(name)) ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hexadecimal), 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The value of an attribute in a text that `markup` took for attributes; of several of one name the last. */
function attributeIn(attributes: string, name: string): string | null {
  let value: string | null = null;
  for (let at = 0; ;) {
    const equals = attributes.indexOf('=', at);
    if (equals === -1) return value;
    const isAsked = attributes.slice(at, equals).trim() === name;
    let open = equals + 1;
    while (attributes[open] !== '"' && attributes[open] !== "'") open += 1;
    const close = attributes.indexOf(attributes[open] ?? '', open + 1);
    if (isAsked) value = unescaped(attributes.slice(open + 1, close));
    at = close + 1;
  }
}

function noAttribute(): null {
  return null;
}

/**
 * The tags of an XML file in their order, in batches that each have to be gone through, without its texts, comments and declarations. What
 * a reader of benchmarks needs, no validation: the ends are not matched with the starts.
 *
 * @throws ImportError `MALFORMED_FILE` with the line for what is no tag, or one that does not end; or as the source
 */
export async function* readXmlTags(
  source: ImportSource,
  { advice }: { readonly advice: string },
): AsyncGenerator<Iterable<XmlTag>> {
  let rest = '';
  let firstLine = 1;
  function malformed(line: number, what: string): Error {
    return malformedText({ path: source.path, line, column: 1 }, { what, advice });
  }
  function* tagsOf({ number: line, text }: TextLine): Generator<XmlTag> {
    if (rest === '') firstLine = line;
    rest = rest === '' ? text : `${rest}\n${text}`;
    let at = rest.indexOf('<');
    while (at !== -1) {
      markup.lastIndex = at;
      const found = markup.exec(rest);
      if (found === null) break;
      const [all, slash, name, attributes = '', empty] = found;
      if (name !== undefined) {
        if (slash === '') {
          yield { kind: 'start', name, attribute: (asked) => attributeIn(attributes, asked), line };
        }
        if (slash === '/' || empty === '/') yield { kind: 'end', name, attribute: noAttribute, line };
      }
      at = rest.indexOf('<', at + all.length);
    }
    rest = at === -1 ? '' : rest.slice(at);
    if (isBroken(rest)) throw malformed(firstLine, 'expected a tag of XML');
    if (rest.length > longestTag) throw malformed(firstLine, 'a tag of more than 1 Mi characters');
  }
  function* tagsOfAll(lines: Iterable<TextLine>): Generator<XmlTag> {
    for (const line of lines) yield* tagsOf(line);
  }
  for await (const lines of readLines(source)) yield tagsOfAll(lines);
  if (rest !== '') throw malformed(firstLine, 'a tag that does not end');
}

/** Whether what begins with `<` and is no tag cannot become one with more lines. */
function isBroken(rest: string): boolean {
  if (rest === '' || rest.startsWith('<!--') || rest.startsWith('<![CDATA[')) return false;
  return /^<[^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*[<>]/.test(rest);
}
