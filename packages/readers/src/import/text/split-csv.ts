/**
 * The fields of one row of separated values. A field in double quotes may hold the separator and, doubled, quotes
 * (RFC 4180).
 *
 * @returns `null` when a quote is not closed
 */
export const splitCsv = (line: string, separator: string): readonly string[] | null => {
  if (!line.includes('"')) return line.split(separator);
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    if (line[at] === '"') {
      let field = '';
      let from = at + 1;
      for (;;) {
        const quote = line.indexOf('"', from);
        if (quote === -1) return null;
        field += line.slice(from, quote);
        if (line[quote + 1] !== '"') {
          at = quote + 1;
          break;
        }
        field += '"';
        from = quote + 2;
      }
      const next = line.indexOf(separator, at);
      fields.push(field + line.slice(at, next === -1 ? line.length : next));
      if (next === -1) return fields;
      at = next + 1;
    } else {
      const next = line.indexOf(separator, at);
      fields.push(line.slice(at, next === -1 ? line.length : next));
      if (next === -1) return fields;
      at = next + 1;
    }
  }
};
