// How often real programs are called slower or faster than themselves beside two noisy neighbours, and how often files of hyperfine
// are, judged by Welch's test and by deadheat: npm run bench -- real [comparisons a program] [program ...]. Four comparisons of each
// take about 20 minutes. npm run bench -- real classes: see classes.js.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeByWelch, timesByHyperfine } from '../lib/hyperfine.js';
import { runClasses } from './classes.js';
import { beside } from '../lib/neighbours.js';
import { makeRealPrograms, packagedProgramNames, realProgramNames } from '../lib/programs.js';
import {
  calibrateCommand,
  countsOf,
  deadheat,
  median,
  percent,
  printMachine,
  printTable,
  quote,
  readArguments,
} from '../lib/tools.js';

const milliseconds = 50;
const maxTime = '10s';
const hyperfineRuns = 20;
const confidence = 0.95;

const ways = {
  default: { args: ['--confidence', String(confidence), '--max-time', maxTime], level: 1 - confidence },
  '--quick': { args: ['--quick', '--max-time', maxTime], level: 0.05 },
  '--until decided': {
    args: ['--until', 'decided', '--margin', '2%', '--confidence', String(confidence), '--max-time', maxTime],
    level: 1 - confidence,
  },
};
const ofFiles = { welch: "hyperfine, Welch's test", analysed: 'the same files, deadheat analyse' };

export async function run(given) {
  if (given[0] === 'classes') return runClasses(given.slice(1));
  const known = [...realProgramNames, ...packagedProgramNames];
  const { asked, number: comparisons } = readArguments(given, { bench: 'real', known, count: 4 });
  printMachine();
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-real-'));
  const programs = makeRealPrograms();
  const found = [];
  try {
    for (const name of asked.length > 0 ? asked : known) {
      const execute = programs.commands[name];
      if (execute === undefined) {
        console.log(`${name}: skipped, it is not installed`);
        continue;
      }
      const command = quote(execute(calibrateCommand(execute, milliseconds)));
      for (let number = 0; number < comparisons; number++) {
        const seed = `real-${name}-${number}`.replaceAll(/\W+/g, '-');
        await beside('both', { seed }, async () => {
          for (const [way, { args }] of Object.entries(ways)) {
            const { report, wallMs } = await deadheat([...args, '--seed', seed, command, command]);
            const [{ verdict, interval, runs }] = report.comparisons;
            found.push({ name, way, verdict, width: interval.high - interval.low, runs, seconds: wallMs / 1000 });
          }
          for (const one of await byHyperfine(command, folder)) found.push({ name, ...one });
        });
      }
      const alarms = found.filter((one) => one.name === name && isAlarm(one));
      console.log(`${name}: ${alarms.map(({ way, verdict }) => `${way} ${verdict}`).join(', ') || 'no false verdict'}`);
    }
  } finally {
    programs.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(
    `\nPrograms of ${milliseconds} ms compared with themselves at ${confidence * 100} %, bursts of other work on both cores; ` +
      `--max-time ${maxTime}, hyperfine with ${hyperfineRuns} runs of each.\n`,
  );
  printTable(
    ['how', 'comparisons', 'false verdicts', 'share', 'at most', 'other verdicts', 'median width', 'median time'],
    [...Object.keys(ways), ...Object.values(ofFiles)].map((way) => {
      const own = found.filter((one) => one.way === way);
      const false_ = own.filter(isAlarm).length;
      return [
        way,
        own.length,
        false_,
        percent((100 * false_) / own.length),
        percent(100 * (ways[way]?.level ?? 1 - confidence)),
        countsOf(own.filter((one) => !isAlarm(one)).map(({ verdict }) => verdict)),
        percent(100 * median(own.map(({ width }) => width))),
        `${median(own.map(({ seconds }) => seconds)).toFixed(1)} s`,
      ];
    }),
  );
}

const isAlarm = ({ verdict }) => verdict === 'slower' || verdict === 'faster';

async function byHyperfine(command, folder) {
  const json = join(folder, 'hyperfine.json');
  const times = timesByHyperfine({ A: command, B: command }, { runs: hyperfineRuns, json });
  if (times === null) return [];
  const { seconds } = times;
  const { report } = await deadheat(['analyse', json, '--confidence', String(confidence)], { plain: true });
  const [{ verdict, interval }] = report.comparisons;
  return [
    { way: ofFiles.welch, runs: hyperfineRuns, seconds, ...judgeByWelch(times, confidence) },
    { way: ofFiles.analysed, runs: hyperfineRuns, seconds, verdict, width: interval.high - interval.low },
  ];
}
