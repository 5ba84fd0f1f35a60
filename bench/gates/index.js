// What gates and assertions say of more work and of equal programs: npm run bench -- gates [same] [assertions] [twice] [number].
// same: four programs against themselves, by default and as the guide for CI says, so many comparisons each, 5 when absent.
// assertions: 20 times as many of equal functions and of 5 % more work, at most 3 s each. twice: ten experiments of commands of 1 to
// 30 s, about half an hour, and 92 that are simulated from the spread of the programs against themselves.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analyseInterim, measuredRuns } from '@deadheat/analysis';
import { readRecording } from '@deadheat/recording';
import { createRandom, wilsonInterval } from '@deadheat/stats';
import { madeUpExperiment, madeUpTrial } from '../lib/made-up.js';
import { makeRealPrograms, realProgramNames } from '../lib/programs.js';
import {
  calibrateCommand,
  countsOf,
  deadheat,
  median,
  printMachine,
  printTable,
  quote,
  readArguments,
} from '../lib/tools.js';

/** Seconds of a command of A, and the program. */
const twice = [
  ...realProgramNames.map((name) => [1, name]),
  ...realProgramNames.slice(1).map((name) => [3, name]),
  [10, 'node -e'],
  [10, 'python3 -c'],
  [30, 'node -e'],
];
/** Simulated gates of each program. */
const simulated = 23;
const mostRuns = 6;
/** Length of a program that is compared with itself, ms. */
const milliseconds = 100;
/** A gate that passed, failed, or was not measured. */
const exitCodes = [0, 1, 6];

export async function run(given) {
  const known = ['same', 'assertions', 'twice'];
  const { asked: parts, number } = readArguments(given, { bench: 'gates', known, count: 5 });
  const asked = parts.length === 0 ? known : parts;
  printMachine();
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-gates-'));
  const programs = makeRealPrograms();
  try {
    if (asked.includes('same')) await runSame(programs, number);
    if (asked.includes('assertions')) runAssertions(20 * number);
    if (asked.includes('twice')) await runTwice(programs, folder);
  } finally {
    programs.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

const ways = { default: [], '--quick --max-time 1m': ['--quick', '--max-time', '1m'] };

/** Equal programs: a gate should pass. */
async function runSame(programs, number) {
  const rows = [];
  for (const name of realProgramNames) {
    const execute = programs.commands[name];
    const command = quote(execute(calibrateCommand(execute, milliseconds)));
    for (const [way, words] of Object.entries(ways)) {
      const found = [];
      for (let k = 0; k < number; k++) {
        const [load] = loadavg();
        const given = [...words, '--fail-on', 'slower', '--seed', `gate-${k}`, command, command];
        const { report, wallMs } = await deadheat(given, { exitCodes });
        const [{ method, runs }] = report.comparisons;
        found.push({ outcome: report.gate.outcome, load, seconds: wallMs / 1000, method, runs });
        console.log(name, way, JSON.stringify(found.at(-1)));
      }
      const loads = found.map(({ load }) => load);
      rows.push([
        name,
        way,
        countsOf(found.map(({ outcome }) => outcome)),
        countsOf(found.map(({ method }) => method)),
        median(found.map(({ runs }) => runs)),
        `${median(found.map(({ seconds }) => seconds)).toFixed(0)} s`,
        `${Math.min(...loads).toFixed(0)} to ${Math.max(...loads).toFixed(0)}`,
      ]);
    }
  }
  console.log('\nEqual programs, deadheat --fail-on slower.\n');
  printTable(['program', 'options', 'gates', 'methods', 'median runs', 'median time', 'load'], rows);
}

/** expect(f).not.toBeSlowerThan(g) in a process of its own, as in a test file. */
function runAssertions(number) {
  const script = fileURLToPath(new URL('assertion.js', import.meta.url));
  const rows = [0, 0.05].map((share) => {
    const [load] = loadavg();
    const began = performance.now();
    const outcomes = Array.from(
      { length: number },
      () => JSON.parse(execFileSync(process.execPath, [script, String(share)], { encoding: 'utf8' })).outcome,
    );
    const failed = outcomes.filter((outcome) => outcome !== 'within').length;
    const { high } = wilsonInterval(failed, number, { level: 0.9 });
    const mean = (performance.now() - began) / 1000 / number;
    return [
      `${100 * share} % more`,
      countsOf(outcomes),
      `${failed} of ${number}`,
      `${(100 * high).toFixed(1)} %`,
      `${mean.toFixed(1)} s`,
      load.toFixed(0),
    ];
  });
  console.log('\nAssertions that a function is not slower by more than 5 %.\n');
  printTable(['work', 'outcomes', 'failed', 'upper 95 % bound', 'mean time', 'load'], rows);
}

async function runTwice(programs, folder) {
  const rows = [];
  for (const [k, [seconds, name]] of twice.entries()) {
    const execute = programs.commands[name];
    const amount = calibrateCommand(execute, Math.min(seconds, 1) * 1000) * seconds;
    const [load] = loadavg();
    const given = `--until decided --confidence 95% --fail-on slower --max-time 60m --seed twice-${k}`.split(' ');
    const { report, wallMs } = await deadheat([...given, quote(execute(amount)), quote(execute(2 * amount))], {
      exitCodes,
    });
    const [{ runs, verdict, method }] = report.comparisons;
    rows.push([
      `${seconds} s`,
      name,
      report.gate.outcome,
      verdict,
      runs,
      method,
      load.toFixed(0),
      `${(wallMs / 1000).toFixed(0)} s`,
    ]);
    console.log(rows.at(-1).join(', '));
  }
  console.log('\nTwice the work, deadheat --until decided --confidence 95% --fail-on slower.\n');
  printTable(['command of A', 'program', 'gate', 'verdict', 'runs', 'method', 'load', 'time'], rows);
  await runSimulated(programs, folder);
}

/** Runs drawn from those of a program against itself, of B with twice the time, judged as the experiment judges them. */
async function runSimulated(programs, folder) {
  const rows = [];
  const random = createRandom('gates of twice the work');
  for (const name of realProgramNames) {
    const execute = programs.commands[name];
    const command = quote(execute(calibrateCommand(execute, milliseconds)));
    const output = join(folder, name.replaceAll(/\W+/g, '-'));
    await deadheat(['--method', 'tandem', '--runs', '100', '--max-time', '2m', command, command], { output });
    const { trials } = await readRecording(output);
    const own = trials.filter(({ phase, status }) => phase === 'measure' && status === 'ok');
    const needed = Array.from({ length: simulated }, () => runsNeeded(own, random));
    rows.push([name, own.length, simulated, needed.filter((runs) => runs <= mostRuns).length]);
  }
  console.log(`\nTwice the work, simulated from the runs of programs against themselves.\n`);
  printTable(['program', 'runs', 'gates', `failed within ${mostRuns} runs`], rows);
}

/** Runs after which it is certain that B is slower; more than `mostRuns` = later. */
function runsNeeded(own, random) {
  const config = {
    stop: { kind: 'decided', minRuns: 2, maxRuns: null },
    confidence: 0.95,
    leastRuns: 1,
    maxTimeNs: null,
  };
  const made = madeUpExperiment('tandem', { config });
  const drawn = Array.from({ length: mostRuns }, (_, run) => {
    const { sides } = own[random.int(own.length)];
    const timed = ({ cpu, userNs, systemNs }, factor) => {
      const ns = factor * (userNs + systemNs);
      return {
        cpu,
        userNs: factor * userNs,
        systemNs: factor * systemNs,
        iterations: [{ i: 0, s: 1e12 + run * 1e9, e: 1e12 + run * 1e9 + ns, c: ns }],
      };
    };
    return madeUpTrial(run, { method: 'tandem', sides: { A: timed(sides.A, 1), B: timed(sides.B, 2) } });
  });
  for (let runs = 2; runs <= mostRuns; runs++) {
    const { verdict, decided } = analyseInterim(
      { ...made, runs: measuredRuns(drawn.slice(0, runs)) },
      { mostRuns: Infinity, family: 1 },
    );
    if (decided && verdict === 'slower') return runs;
  }
  return Infinity;
}
