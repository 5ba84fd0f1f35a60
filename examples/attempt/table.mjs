// A program with work that can be saved: `examples/attempt/drive.mjs` tries to.
const rows = 4000;

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

/** A number with separators of thousands. */
function priceOf(n) {
  return new Intl.NumberFormat('en').format(n * 7919);
}

const table = [];
for (let n = 0; n < rows; n++) table.push(rowOf(n));

// In the order of their keys.
table.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : a.id - b.id));

// The sum of letters, in rounds.
let checksum = 0;
for (let round = 0; round < 50; round++) {
  for (const row of table) {
    const text = Object.values(row).join(';');
    for (let k = 0; k < text.length; k += 8) checksum = (checksum * 31 + text.charCodeAt(k)) | 0;
  }
}

// Rows of the same kind among the first ones.
const counts = new Map();
for (const row of table) {
  const same = table.slice(0, 1300).filter((other) => other.kind === row.kind);
  counts.set(row.kind, same.length);
}

// The names of the first rows, each once.
const names = [];
for (const row of table.slice(0, 2600)) {
  const name = `${row.name} of ${row.size}`;
  if (!names.includes(name)) names.push(name);
}

// Prices of the first rows.
let letters = 0;
for (const row of table.slice(0, 2400)) letters += priceOf(row.id).length;

console.log(checksum, counts.size, names.length, letters);
