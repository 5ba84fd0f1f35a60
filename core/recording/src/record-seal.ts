import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { sides, type SideResult, type Trial } from '@deadheat/model';
import { RecordError } from './record-error.ts';
import { readWholeLines } from './workload-record/read-workload-record.ts';

type Sealed = Pick<SideResult, 'record' | 'seal'>;
type Seal = NonNullable<SideResult['seal']>;

/** The trial with the seals of its records as they are on disk now, whatever seals it had; one that is not there has none. */
export function sealRecords(trial: Trial, directory: string): Trial {
  function sealed(result: SideResult): SideResult {
    const { seal: _, ...side } = result;
    const seal = side.record === null ? null : sealOf(join(directory, side.record));
    return seal === null ? side : { ...side, seal };
  }
  if (sides.every((side) => trial.sides[side].record === null)) return trial;
  return { ...trial, sides: { A: sealed(trial.sides.A), B: sealed(trial.sides.B) } };
}

/** How a record differs from its seal, such as `it has 90 bytes instead of 128`; `null` = it fits, or was never sealed. */
export function brokenSeal(directory: string, { record, seal }: Sealed): string | null {
  if (record === null || seal === undefined) return null;
  const found = sealOf(join(directory, record));
  if (found === null) return 'it is not there';
  if (found.bytes !== seal.bytes) return `it has ${found.bytes} bytes instead of ${seal.bytes}`;
  return found.crc32 === seal.crc32 ? null : 'its checksum does not fit';
}

/** @throws RecordError `MALFORMED` where a record was changed since its run; `NOT_READABLE` or `IO` */
export function checkSeal(directory: string, side: Sealed): void {
  const trouble = brokenSeal(directory, side);
  if (trouble === null) return;
  const path = join(directory, side.record ?? '');
  throw new RecordError(
    'MALFORMED',
    `${path} was changed after its run: ${trouble}. Restore the file from a copy, or repair the recording, which leaves that run out.`,
    { path },
  );
}

function sealOf(path: string): Seal | null {
  let bytes = 0;
  let check = 0;
  try {
    // A line of any length: what it holds is judged by whoever reads it.
    const options = { maximumBytes: Infinity, tooLong: () => new RangeError('line too long') };
    for (const piece of readWholeLines(path, options)) {
      bytes += piece.length;
      check = crc32(piece, check);
    }
  } catch (error) {
    if (error instanceof RecordError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
  return { bytes, crc32: hexOf(check) };
}

function hexOf(check: number): string {
  return check.toString(16).padStart(8, '0');
}

/** CRC-32 of a text, or of its bytes, in eight hexadecimal digits. */
export function checksumOf(text: string | Buffer): string {
  return hexOf(crc32(text));
}

const documentSeal = /,\n {2}"check": "([0-9a-f]{8})"\n\}\n?$/;
/** Characters of a document that hold its seal. */
const sealRoom = 40;

/** JSON of a document of a recording, whose last key `check` is the CRC-32 of all bytes before its comma; a `check` that it has is replaced. */
export function sealDocument(value: object): string {
  const { check: _, ...document } = value as { readonly check?: unknown };
  const body = JSON.stringify(document, null, 2).slice(0, -2);
  return `${body},\n  "check": "${checksumOf(body)}"\n}\n`;
}

/** True for a document that was changed since `sealDocument` made it; one without a seal, as those of earlier versions, was not. */
export function isSealBroken(text: string, { check }: { readonly check?: unknown }): boolean {
  const [end, found] = documentSeal.exec(text.slice(-sealRoom)) ?? [];
  if (end === undefined) return check !== undefined;
  return found !== checksumOf(text.slice(0, text.length - end.length));
}
