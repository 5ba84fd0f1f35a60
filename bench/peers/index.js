// The same seconds for deadheat and for hyperfine with Welch's test: programs against themselves and against 2 % more work, on what is
// quiet, beside two busy loops and beside bursts: npm run bench -- peers [experiments a program, 2 when absent] [program ...].
// An experiment of each tool takes six seconds, so all of it about 10 minutes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeByWelch, timesByHyperfine } from '../lib/hyperfine.js';
import { beside, neighbours } from '../lib/neighbours.js';
import { makeRealPrograms, realProgramNames } from '../lib/programs.js';
import {
  calibrateCommand,
  countsOf,
  deadheat,
  geometricMean,
  percent,
  printMachine,
  printTable,
  quote,
  readArguments,
} from '../lib/tools.js';

const milliseconds = 150;
const seconds = 6;
const confidence = 0.99;
const more = 0.02;
const places = ['none', 'loops', 'both'];

export async function run(given) {
  const { asked: names, number: count } = readArguments(given, { bench: 'peers', known: realProgramNames, count: 2 });
  printMachine();
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-peers-'));
  const programs = makeRealPrograms();
  const found = [];
  try {
    for (const name of names.length > 0 ? names : realProgramNames) {
      const execute = programs.commands[name];
      const amount = calibrateCommand(execute, milliseconds);
      const A = quote(execute(amount));
      const longer = quote(execute(Math.round(amount * (1 + more))));
      for (const place of places) {
        for (let number = 0; number < count; number++) {
          for (const [change, B] of Object.entries({ none: A, more: longer })) {
            const seed = `peers-${name}-${place}-${number}-${change}`.replaceAll(/\W+/g, '-');
            const made = await beside(place, { seed }, () => bothTools({ A, B, seed, folder, first: number % 2 }));
            found.push(...made.map((one) => ({ name, place, change, ...one })));
          }
        }
        console.log(`${name}, ${neighbours[place]}: done`);
      }
    }
  } finally {
    programs.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  print(found);
}

/** Both tools one after the other, each for its seconds. */
async function bothTools({ A, B, seed, folder, first }) {
  const byDeadheat = async () => {
    const limits = ['--max-time', `${seconds}s`, '--runs', '1000', '--confidence', String(confidence)];
    const { report, wallMs } = await deadheat([...limits, '--seed', seed, A, B]);
    const [{ verdict, interval, runs }] = report.comparisons;
    return { tool: 'deadheat', verdict, width: interval.high - interval.low, runs, took: wallMs / 1000 };
  };
  const byHyperfine = async () => {
    const json = join(folder, 'hyperfine.json');
    const trial = timesByHyperfine({ A, B }, { runs: 2, json });
    if (trial === null) return null;
    const runs = Math.max(2, Math.round((2 * seconds) / (trial.A[0] + trial.A[1] + trial.B[0] + trial.B[1])));
    const times = timesByHyperfine({ A, B }, { runs, json });
    return { tool: 'hyperfine, Welch', ...judgeByWelch(times, confidence), runs, took: times.seconds };
  };
  const tools = first === 0 ? [byDeadheat, byHyperfine] : [byHyperfine, byDeadheat];
  const made = [];
  for (const tool of tools) made.push(await tool());
  return made.filter((one) => one !== null);
}

function print(found) {
  const tools = [...new Set(found.map(({ tool }) => tool))];
  if (tools.length === 1) console.log('\nhyperfine is skipped: it is not installed');
  console.log(
    `\nPrograms of ${milliseconds} ms, ${seconds} s a tool and experiment, ${confidence * 100} % confidence.\n`,
  );
  printTable(
    ['beside', 'tool', 'width, geometric mean', 'against itself: wrong', `${more * 100} % more work`, 'runs', 'time'],
    places.flatMap((place) =>
      tools.map((tool) => {
        const own = found.filter((one) => one.place === place && one.tool === tool);
        const [same, longer] = ['none', 'more'].map((change) => own.filter((one) => one.change === change));
        const wrong = same.filter(({ verdict }) => verdict === 'slower' || verdict === 'faster').length;
        return [
          neighbours[place],
          tool,
          percent(100 * geometricMean(same.map(({ width }) => width))),
          `${wrong} of ${same.length}`,
          countsOf(longer.map(({ verdict }) => verdict)),
          (own.reduce((sum, { runs }) => sum + runs, 0) / own.length).toFixed(0),
          `${(own.reduce((sum, { took }) => sum + took, 0) / own.length).toFixed(1)} s`,
        ];
      }),
    ),
  );
}
