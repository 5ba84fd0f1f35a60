import { crc32 } from 'node:zlib';

const seal = /,"line":([1-9]\d{0,15}),"check":"([0-9a-f]{8})"\}$/;
/** Characters of the longest seal. */
const longestSeal = 44;

/** JSON of a trial as line `line` (from 1) of a journal, without the line feed. */
export function sealLine(json: string, line: number): string {
  const body = `${json.slice(0, -1)},"line":${line}`;
  return `${body},"check":"${checksumOf(body)}"}`;
}

/**
 * Place, from 1, and trial, as JSON, of a line as `sealLine` made it; `null` = it was changed since, or has no checksum.
 *
 * @param text without its line feed
 */
export function unsealLine(text: string): { readonly line: number; readonly json: string } | null {
  const [end, line, check] = seal.exec(text.slice(-longestSeal)) ?? [];
  if (end === undefined || line === undefined) return null;
  const json = text.slice(0, text.length - end.length);
  return check === checksumOf(`${json},"line":${line}`) ? { line: Number(line), json: `${json}}` } : null;
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
