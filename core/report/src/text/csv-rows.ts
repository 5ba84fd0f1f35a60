/** Rows as RFC 4180 says, with LF at the end of a line. A value that is not known is empty. */
export function csvRows(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map((field) => csvField(field)).join(',')}\n`).join('');
}

function csvField(field: string | number | null): string {
  const text = field === null ? '' : `${field}`;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
