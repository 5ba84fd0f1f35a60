// A program with work that can be saved: `examples/attempt/drive.mjs` tries to.
const rows = 3000;

/** Names of the columns. */
function columnsOf() {
  return ['id', 'name', 'size', 'kind'];
}

/** A row of made-up data. */
function rowOf(n) {
  const columns = columnsOf();
  const row = {};
  for (const column of columns) row[column] = column === 'id' ? n : `${column} ${(n * 7919) % 997}`;
  return row;
}

/** A text that differs between rows. */
function keyOf(row) {
  return JSON.stringify([row.kind, row.size, row.name]);
}

const table = [];
for (let n = 0; n < rows; n++) table.push(rowOf(n));

table.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : a.id - b.id));

let checksum = 0;
for (let round = 0; round < 40; round++) {
  for (const row of table) {
    const text = Object.values(row).join(';');
    for (let k = 0; k < text.length; k++) checksum = (checksum * 31 + text.charCodeAt(k)) | 0;
  }
}

const counts = new Map();
for (const row of table) {
  const same = table.slice(0, 300).filter((other) => other.kind === row.kind);
  counts.set(row.kind, same.length);
}

console.log(checksum, counts.size);
