import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { createRecording, measureRecorded, readReport, RecordError } from '../src/index.ts';
import { below, experiment, makeTrial, report, temporaryFolder } from './sample.ts';

const runs = 6;
/** Damages of every kind, in every file. DEADHEAT_DAMAGES=250 makes about 20 000. */
const rounds = Number(process.env['DEADHEAT_DAMAGES'] ?? 4);

/** A recording whose programs recorded their iterations, and its report. */
async function record(): Promise<string> {
  const writer = await createRecording({
    ...below(temporaryFolder()),
    experiment: { ...experiment, config: withRecords() },
  });
  mkdirSync(join(writer.directory, 'iterations'));
  for (let trial = 0; trial < runs; trial++) writer.append(recorded(trial, writer.directory));
  await writer.writeReport(report);
  writer.close();
  return writer.directory;
}

function withRecords(): typeof experiment.config {
  const [benchmark] = experiment.config.benchmarks;
  if (benchmark === undefined) throw new Error('the sample has no benchmark');
  return { ...experiment.config, benchmarks: [{ ...benchmark, workload: 'harness' }] };
}

function recorded(number: number, directory: string): ReturnType<typeof makeTrial> {
  const trial = makeTrial(number);
  const side = (name: 'A' | 'B'): (typeof trial.sides)['A'] => {
    const record = `iterations/${number}-${name.toLowerCase()}.jsonl`;
    const lines = Array.from({ length: 5 }, (_, i) => ({ i, s: i * 1e9, e: i * 1e9 + (i + 1) * 1e6 + number }));
    const text = [{ deadheat: 1, benchmark: 'sort' }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(join(directory, record), text);
    return { ...trial.sides[name], iterations: [], record };
  };
  return { ...trial, sides: { A: side('A'), B: side('B') } };
}

type Damage = (content: Buffer, below: (bound: number) => number) => Buffer;

function onLines(change: (lines: string[], below: (bound: number) => number) => void): Damage {
  return (content, random) => {
    const lines = content.toString('latin1').split(/(?<=\n)/);
    change(lines, random);
    return Buffer.from(lines.join(''), 'latin1');
  };
}

const damages: Readonly<Record<string, Damage>> = {
  'a bit is another': (content, random) => {
    const changed = Buffer.from(content);
    const at = random(changed.length);
    changed[at] = (changed[at] ?? 0) ^ (1 << random(8));
    return changed;
  },
  'a digit is another': (content, random) => {
    const digits = [...content.toString('latin1').matchAll(/\d/g)].map(({ index }) => index);
    const changed = Buffer.from(content);
    const at = digits[random(digits.length)];
    if (at !== undefined) changed[at] = 0x30 + (((changed[at] ?? 0) - 0x30 + 1 + random(9)) % 10);
    return changed;
  },
  'it is cut': (content, random) => content.subarray(0, random(content.length)),
  'it is cut at the end of a line': onLines((lines, random) => {
    lines.length = random(lines.length);
  }),
  'a line is gone': onLines((lines, random) => {
    lines.splice(random(lines.length), 1);
  }),
  'two lines are swapped': onLines((lines, random) => {
    const [one, other] = [random(lines.length), random(lines.length)];
    [lines[one], lines[other]] = [lines[other] ?? '', lines[one] ?? ''];
  }),
  'a block is zero': (content, random) => {
    const from = random(content.length);
    return Buffer.from(content).fill(0, from, Math.min(content.length, from + 64));
  },
};

interface Read {
  readonly experiment: string;
  readonly trials: readonly string[];
  readonly measured: string;
  /** `null` = it is made anew. */
  readonly report: string | null;
}

async function read(directory: string): Promise<Read> {
  const { experiment: described, measured, trials } = await measureRecorded(directory);
  const stored = await readReport(directory);
  return {
    experiment: JSON.stringify(described),
    trials: trials.map((trial) => JSON.stringify(trial)),
    measured: JSON.stringify(measured),
    report: stored === null ? null : JSON.stringify(stored),
  };
}

/** Runs that are missing at the end are those of an experiment that was interrupted, which every reader says is incomplete. */
function isSame(found: Read, expected: Read): boolean {
  return (
    found.experiment === expected.experiment &&
    found.trials.every((trial, i) => trial === expected.trials[i]) &&
    (found.trials.length < runs || found.measured === expected.measured) &&
    (found.report === null || found.report === expected.report)
  );
}

describe('a damaged recording', () => {
  it.each(Object.keys(damages))('is refused, warned of, or gives the same, where in any file %s', async (name) => {
    const directory = await record();
    const expected = await read(directory);
    const random = createRandom(`${name} ${rounds}`);
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('json') || file.endsWith('jsonl'),
    );
    const silent: string[] = [];
    let refused = 0;
    for (const file of files) {
      const path = join(directory, file);
      const content = readFileSync(path);
      const { atime, mtime } = statSync(path);
      for (let round = 0; round < rounds; round++) {
        const changed = damages[name]?.(content, (bound) => random.int(bound)) ?? content;
        if (changed.equals(content)) continue;
        writeFileSync(path, changed);
        utimesSync(path, atime, mtime);
        try {
          const found = await read(directory);
          if (!isSame(found, expected)) silent.push(`${file}: ${changed.toString('latin1').slice(0, 300)}`);
        } catch (error) {
          if (!(error instanceof RecordError)) throw error;
          refused++;
        }
      }
      writeFileSync(path, content);
      utimesSync(path, atime, mtime);
    }
    expect(silent).toEqual([]);
    expect(refused).toBeGreaterThan(rounds);
  });
});
