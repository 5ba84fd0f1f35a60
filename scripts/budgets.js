// Holds the size and the words of the source against budgets.yaml: node scripts/budgets.js [--lower]. It fails where a number is above
// its budget; with --lower it writes what has been reached into the file instead.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { measureSource } from './lib/measure-source.js';
import { root } from './lib/workspaces.js';

const path = join(root, 'budgets.yaml');

/** Every measurement with its budget: `most` fails the check above it, `goal` is optional. */
export function readBudgets() {
  const budgets = parseDocument(readFileSync(path, 'utf8')).toJS();
  const measured = Object.entries(measureSource());
  const known = new Set(measured.map(([name]) => name));
  const strange = Object.keys(budgets).find((name) => !known.has(name));
  if (strange !== undefined) throw new Error(`budgets.yaml limits “${strange}”, which nothing measures`);
  return measured.map(([name, now]) => {
    if (typeof budgets[name]?.most !== 'number') throw new Error(`budgets.yaml has no number \`most\` for “${name}”`);
    return { name, now, most: budgets[name].most, goal: budgets[name].goal ?? null };
  });
}

function lower() {
  const document = parseDocument(readFileSync(path, 'utf8'));
  for (const { name, now, most } of readBudgets()) {
    if (now < most) document.setIn([name, 'most'], now);
  }
  writeFileSync(path, document.toString({ lineWidth: 0 }));
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--lower')) lower();
  const above = readBudgets().filter(({ now, most }) => now > most);
  for (const { name, now, most } of above) {
    console.error(
      `${name}: ${now}, and the budget is ${most}. Take something out, or raise it in budgets.yaml and say why.`,
    );
  }
  process.exitCode = above.length === 0 ? 0 : 1;
}
