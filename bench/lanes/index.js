// What two tandems at once gain on two cores: the width of A/A intervals for the same wall time, with one lane and with two:
// npm run bench -- lanes [rounds] [pairs]. 10 rounds of 40 pairs take 7 minutes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureRecorded } from '@deadheat/recording';
import { meanInterval } from '../lib/mean-interval.js';
import { makeRealPrograms } from '../lib/programs.js';
import {
  calibrateCommand,
  deadheat,
  geometricMean,
  percent,
  printMachine,
  printTable,
  quote,
  widthPercent,
  workload,
} from '../lib/tools.js';

const milliseconds = 100;
const lanes = [1, 2];

export async function run([roundCount = '10', pairs = '40']) {
  const rounds = Number(roundCount);
  printMachine();
  const programs = makeRealPrograms();
  const rows = [];
  try {
    const executed = { gzip: programs.commands.gzip, 'walk of 4 MiB': workload('cache') };
    for (const [name, execute] of Object.entries(executed)) {
      const command = quote(execute(calibrateCommand(execute, milliseconds)));
      const found = Object.fromEntries(lanes.map((count) => [count, []]));
      for (let round = 0; round < rounds; round++) {
        for (const count of round % 2 === 0 ? lanes : lanes.toReversed())
          found[count].push(await measure(command, { count, pairs, seed: `lanes-${name}-${round}` }));
        const last = lanes.map((count) => found[count].at(-1));
        console.log(
          `${name}: ${last.map(({ width, seconds }) => `${percent(width)} in ${seconds.toFixed(1)} s`).join(', ')}`,
        );
      }
      rows.push(...rowsOf(name, found));
    }
  } finally {
    programs.remove();
  }
  console.log(
    `\nA/A tandems, ${rounds} rounds of ${pairs} pairs with either number of lanes; width of the 99 % interval, geometric means. Width for ` +
      'the same time: width x (seconds)^1/2. Goal: two lanes at most 0.8 of one.\n',
  );
  printTable(['program', 'lanes', 'CPU time of A', 'width', 'time', 'width x s^1/2', 'of one lane, 95 % CI'], rows);
}

async function measure(command, { count, pairs, seed }) {
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-lanes-'));
  try {
    const rule = [
      '--method',
      'tandem',
      '--lanes',
      String(count),
      '--runs',
      pairs,
      '--seed',
      seed.replaceAll(/\W+/g, '-'),
    ];
    const output = join(folder, 'recording');
    const { report } = await deadheat([...rule, command, command], { output });
    const { trials } = await measureRecorded(output);
    const iterations = trials.flatMap(({ sides: { A, B } }) => [...A.iterations, ...B.iterations]);
    const beganNs = iterations.reduce((least, { s }) => Math.min(least, s), Infinity);
    const endedNs = iterations.reduce((most, { e }) => Math.max(most, e), 0);
    const [{ interval, sides }] = report.comparisons;
    const seconds = (endedNs - beganNs) / 1e9;
    const width = widthPercent(interval);
    return { width, seconds, cpuMs: (sides.A.user + sides.A.system) * 1000, forSameTime: width * Math.sqrt(seconds) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowsOf(name, found) {
  return lanes.map((count) => {
    const own = found[count];
    const typical = (key) => geometricMean(own.map((one) => one[key]));
    const logs = own.map(({ forSameTime }, round) => Math.log(forSameTime / found[1][round].forSameTime));
    const { mean, low, high } = meanInterval(logs);
    const ratio = [mean, low, high].map((value) => Math.exp(value).toFixed(2));
    return [
      name,
      count,
      `${typical('cpuMs').toFixed(1)} ms`,
      percent(typical('width')),
      `${typical('seconds').toFixed(1)} s`,
      typical('forSameTime').toFixed(2),
      count === 1 ? '' : `${ratio[0]} [${ratio[1]}, ${ratio[2]}]`,
    ];
  });
}
