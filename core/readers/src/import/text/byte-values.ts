export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** Powers of ten that a float64 holds exactly, 10^0 to 10^22. */
const powers = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
/** Below it every whole number is a float64. */
const exactBelow = 2 ** 53;

/** Reads numbers of few digits and at most a point among them, as nearly all are, without making a text of each. */
export class DecimalReader {
  #end = 0;
  #hasPoint = false;

  /** Whether there was a point among the digits that were read last. */
  get hasPoint(): boolean {
    return this.#hasPoint;
  }

  /** The place behind the digits, and behind the point, that were read last. */
  get end(): number {
    return this.#end;
  }

  /**
   * The number whose digits begin at a place: what `Number` makes of them, since both parts of the quotient are exact (Clinger, How to
   * read floating point numbers accurately, PLDI'90). NaN = there is none, or `Number` is needed.
   */
  read(bytes: Uint8Array, at: number): number {
    let end = at;
    let digits = 0;
    let byte = bytes[end] ?? 0;
    for (; byte >= 0x30 && byte <= 0x39; byte = bytes[++end] ?? 0) digits = digits * 10 + (byte - 0x30);
    let isNumber = end > at;
    let power = 1;
    this.#hasPoint = byte === 0x2e;
    if (this.#hasPoint) {
      const first = ++end;
      byte = bytes[end] ?? 0;
      for (; byte >= 0x30 && byte <= 0x39; byte = bytes[++end] ?? 0) digits = digits * 10 + (byte - 0x30);
      isNumber &&= end > first;
      power = powers[end - first] ?? Number.NaN;
    }
    this.#end = end;
    return isNumber && digits < exactBelow ? digits / power : Number.NaN;
  }
}

const slots = 2048;
const longest = 128;

/** The texts of bytes, of which the same ones come again and again: names, units, keys. Keeps the last of them, in bounded memory. */
export class ByteTexts {
  readonly #bytes = new Uint8Array(slots * longest);
  readonly #lengths = new Uint8Array(slots);
  readonly #texts: string[] = Array.from({ length: slots }, () => '');

  /** The text of the bytes from one place to before another, with memory of its own. */
  textOf(bytes: Buffer, from: number, to: number): string {
    const length = to - from;
    if (length === 0) return '';
    if (length > longest) return bytes.toString('utf8', from, to);
    let hash = length;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    const slot = (hash ^ (hash >>> 15)) & (slots - 1);
    const place = slot * longest - from;
    if (this.#lengths[slot] === length) {
      let at = from;
      while (at < to && this.#bytes[place + at] === bytes[at]) at += 1;
      if (at === to) return this.#texts[slot] ?? '';
    }
    for (let at = from; at < to; at++) this.#bytes[place + at] = bytes[at] ?? 0;
    this.#lengths[slot] = length;
    const text = bytes.toString('utf8', from, to);
    this.#texts[slot] = text;
    return text;
  }
}
