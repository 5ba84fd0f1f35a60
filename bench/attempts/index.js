// What loops of attempts keep, and what an attempt costs: simulated on the spreads of recorded programs; and the rule that spends the error budget.
// `record GZIP NODE VITEST`, three JSON reports of a program compared with itself, makes the spreads anew. `kills [KILLS] [SEED]` kills real attempts.
import { readFileSync, writeFileSync } from 'node:fs';
import { median, percent as percentOf, printTable } from '../lib/tools.js';
import { kills } from './kills.js';
import { rules } from './rules.js';
import { error, loop, mostRuns, shapes, spreads } from './simulate.js';

const attempts = 200;
const gains = 20;
const usualLoops = 200;
const percent = (share) => (share === 0 ? '0 %' : share === 1 ? '100 %' : percentOf(100 * share));
const chosen = '6 / (pi^2 i^2)';

/** Loops of a cell, with figures of all of them. */
function cell(facts, loops) {
  const found = Array.from({ length: loops }, (_, seed) => loop({ attempts, gain: 0.02, ...facts, seed }));
  const count = (of) => found.filter(of).length;
  const sum = (of) => found.reduce((all, one) => all + of(one), 0);
  return {
    anyFalse: count((one) => one.false > 0) / loops,
    power: facts.gains === 0 ? null : sum((one) => one.gains) / (facts.gains * loops),
    cost: median(found.flatMap(({ runs }) => runs)) / mostRuns,
    total: count(({ totalError }) => totalError <= 0.005) / loops,
  };
}

function record(files) {
  const names = ['gzip', 'node', 'vitest'];
  const lines = files.map((file, at) => {
    const [{ sides }] = JSON.parse(readFileSync(file, 'utf8')).comparisons;
    const logs = sides.A.times.map((time, k) => Math.log(sides.B.times[k] / time));
    const mean = logs.reduce((all, one) => all + one, 0) / logs.length;
    return `${JSON.stringify(names[at])}: [${logs.map((one) => Math.round((one - mean) * 1e5) / 1e5).join(', ')}]`;
  });
  writeFileSync(new URL('spreads.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);
}

export function run([first, ...files]) {
  if (first === 'record') return record(files);
  if (first === 'kills') return kills(files);
  const loops = first === undefined ? usualLoops : Number(first);
  console.log(
    `${loops} loops a row of ${attempts} attempts each, error budget ${percent(error)}, at most ${mostRuns} runs an attempt; a full comparison has all of them\n`,
  );
  const rows = Object.keys(spreads).flatMap((program) =>
    Object.keys(shapes).map((shape) => {
      const facts = { program, shape, rule: rules[chosen] };
      const nothing = cell({ ...facts, gains: 0 }, loops);
      const some = cell({ ...facts, gains }, loops);
      return [
        program,
        shape,
        percent(nothing.anyFalse),
        percent(nothing.cost),
        percent(some.power),
        percent(some.anyFalse),
        percent(Math.min(nothing.total, some.total)),
      ];
    }),
  );
  printTable(
    [
      'program',
      'noise',
      'loops without a gain that keep any',
      'median cost of an attempt that changes nothing',
      `of ${gains} gains of 2 % kept`,
      'these loops keep a false one too',
      'total within 0.5 %',
    ],
    rows,
  );
  console.log(`\nRules to spend the budget, gzip as recorded, ${gains} gains of 1 % among ${attempts} attempts\n`);
  printTable(
    [
      'rule',
      'loops without a gain that keep any',
      'gains of 1 % kept',
      'median cost',
      'these loops keep a false one too',
    ],
    Object.entries(rules).map(([name, rule]) => {
      const facts = { program: 'gzip', shape: 'as recorded', rule };
      const nothing = cell({ ...facts, gains: 0 }, loops);
      const some = cell({ ...facts, gains, gain: 0.01 }, loops);
      return [name, percent(nothing.anyFalse), percent(some.power), percent(nothing.cost), percent(some.anyFalse)];
    }),
  );
}
