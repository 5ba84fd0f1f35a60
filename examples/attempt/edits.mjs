// Edits of `table.mjs`, each with its truth: `better`, `same`, `worse` or `wrong` (it prints something else). Each can be made whatever others were made before.

/** @typedef {{ truth: 'better' | 'same' | 'worse' | 'wrong', message: string, edit: (text: string) => string }} Edit */

/** Replaces texts, each of which the program must have. */
const replace =
  (...pairs) =>
  (text) =>
    pairs.reduce((now, [from, to]) => {
      if (!now.includes(from)) throw new Error(`the program lacks ${from}`);
      return now.replaceAll(from, to);
    }, text);

const append = (line) => (text) => `${text}${line}\n`;

const better = {
  'keys are made once': replace(
    ['keyOf(a)', 'keys.get(a)'],
    ['keyOf(b)', 'keys.get(b)'],
    ['table.sort(', 'const keys = new Map(table.map((row) => [row, keyOf(row)]));\ntable.sort('],
  ),
  'texts are made once': replace([
    "const text = Object.values(row).join(';');",
    "const text = (row.text ??= Object.values(row).join(';'));",
  ]),
  'rows are grouped by kind once': replace(
    [
      'const counts = new Map();',
      'const counts = new Map();\nconst byKind = new Map();\nfor (const row of table.slice(0, 1300)) byKind.set(row.kind, [...(byKind.get(row.kind) ?? []), row]);',
    ],
    ['table.slice(0, 1300).filter((other) => other.kind === row.kind)', 'byKind.get(row.kind) ?? []'],
  ),
  'names are in a set': replace(
    ['const names = [];', 'const names = new Set();'],
    ['if (!names.includes(name)) names.push(name);', 'names.add(name);'],
    ['names.length', 'names.size'],
  ),
  'one format for all prices': replace(
    ['function priceOf', "const format = new Intl.NumberFormat('en');\nfunction priceOf"],
    ["return new Intl.NumberFormat('en').format(", 'return format.format('],
  ),
};

const worse = {
  'the table is copied in every round': replace([
    'round++) {',
    'round++) {\n  if (structuredClone(table).length < rows) break;',
  ]),
  'rows are made three times': replace(['table.push(rowOf(n));', 'table.push((rowOf(n), structuredClone(rowOf(n))));']),
  'a search without use': replace([
    'console.log(',
    'let idle = 0;\nfor (let n = 0; n < 3e7; n++) idle = (idle * 31 + n) | 0;\nif (idle === 0.5) console.log(idle);\nconsole.log(',
  ]),
  'a copy is sorted as well': replace([
    '// In the order',
    'if (table.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other))).length < rows) process.exit(1);\n// In the order',
  ]),
  'letters are split': replace([
    'for (let k = 0; k < text.length; k += 8) checksum = (checksum * 31 + text.charCodeAt(k)) | 0;',
    "for (const [k, letter] of text.split('').entries()) if (k % 8 === 0) checksum = (checksum * 31 + letter.charCodeAt(0)) | 0;",
  ]),
};

const wrong = {
  'fewer rounds': replace(['round < 50', 'round < 20']),
  'fewer rows': replace(['rows = 4000', 'rows = 3000']),
  'fewer prices': replace(['slice(0, 2400)', 'slice(0, 1200)']),
  'fewer names': replace(['table.slice(0, 2600)) {\n  const name', 'table.slice(0, 500)) {\n  const name']),
};

const same = {
  'a comment': append('// The end.'),
  'another comment': append('// The end of the program.'),
  'a function without use': append('export function idle() {\n  return rows;\n}'),
  'the columns are copied': replace(['const columns = columnsOf();', 'const columns = [...columnsOf()];']),
  'a count has a name': replace([
    'counts.set(row.kind, same.length);',
    'const count = same.length;\n  counts.set(row.kind, count);',
  ]),
  'one loop is written in another way': replace([
    'for (let n = 0; n < rows; n++) table.push',
    'for (let n = 0; n !== rows; n += 1) table.push',
  ]),
};

/** @type {readonly Edit[]} */
export const edits = Object.entries({ better, same, worse, wrong }).flatMap(([truth, group]) =>
  Object.entries(group).map(([message, edit]) => ({ truth, message, edit })),
);
