import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRecording, readRecording, repairRecording } from '../src/index.ts';
import { readJournal } from '../src/journal.ts';
import { below, failureOf, makeTrial, temporaryFolder } from './sample.ts';

const lines = 5;

async function recordTrials(): Promise<{ directory: string; journal: string; content: Buffer }> {
  const writer = await createRecording(below(temporaryFolder()));
  for (let trial = 0; trial < lines; trial += 1) writer.append(makeTrial(trial));
  writer.close();
  const journal = join(writer.directory, 'trials.jsonl');
  return { directory: writer.directory, journal, content: readFileSync(journal) };
}

/** A linear congruential generator (Numerical Recipes, section 7.1.1): a number below `bound`. */
function seeded(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

function withoutSeal(line: string): string {
  return line.replace(/,"line":\d+,"check":"[0-9a-f]{8}"\}$/, '}');
}

type Mutation = (content: Buffer, random: (bound: number) => number) => Buffer;

function onLines(change: (all: string[], random: (bound: number) => number) => void): Mutation {
  return (content, random) => {
    const all = content.toString().trimEnd().split('\n');
    change(all, random);
    return Buffer.from(`${all.join('\n')}\n`);
  };
}

function swapSides(line: string): string {
  const { sides, ...rest } = JSON.parse(line) as { sides: { A: unknown; B: unknown }; check: string };
  return JSON.stringify({ ...rest, sides: { A: sides.B, B: sides.A } });
}

const mutations: Readonly<Record<string, Mutation>> = {
  'a byte is another': (content, random) => {
    const changed = Buffer.from(content);
    const at = random(changed.length);
    changed[at] = ((changed[at] ?? 0) + 1 + random(255)) % 256;
    return changed;
  },
  'a digit is another': (content, random) => {
    const digits = [...content.toString('latin1').matchAll(/\d/g)].map(({ index }) => index);
    const at = digits[random(digits.length)] ?? 0;
    const changed = Buffer.from(content);
    changed[at] = 0x30 + (((changed[at] ?? 0) - 0x30 + 1 + random(9)) % 10);
    return changed;
  },
  'bytes are gone': (content, random) => {
    const from = random(content.length - 1);
    const to = Math.min(content.length - 1, from + 1 + random(200));
    return Buffer.concat([content.subarray(0, from), content.subarray(to)]);
  },
  'bytes stand there twice': (content, random) => {
    const from = random(content.length);
    const to = from + 1 + random(200);
    return Buffer.concat([content.subarray(0, to), content.subarray(from)]);
  },
  'a line stands there twice': onLines((all, random) => {
    const at = random(lines);
    all.splice(at, 0, all[at] ?? '');
  }),
  'a line is repeated at the end': onLines((all, random) => {
    all.push(all[random(lines)] ?? '');
  }),
  'two lines are swapped': onLines((all, random) => {
    const [one, other] = [random(lines), random(lines)];
    [all[one], all[other]] = [all[other] ?? '', all[one] ?? ''];
  }),
  'a line before the last is gone': onLines((all, random) => {
    all.splice(random(lines - 1), 1);
  }),
  'the sides of a line are swapped': onLines((all, random) => {
    const at = random(lines);
    all[at] = swapSides(all[at] ?? '');
  }),
  'a line is replaced by another': onLines((all, random) => {
    all[random(lines)] = all[random(lines)] ?? '';
  }),
};

describe('a mutated journal', () => {
  it.each(Object.keys(mutations))('is refused with its line, or gives the same trials, where %s', async (name) => {
    const { directory, journal, content } = await recordTrials();
    const expected = (await readRecording(directory)).trials;
    const random = seeded(name.length);
    let refused = 0;
    for (let round = 0; round < 250; round += 1) {
      const changed = mutations[name]?.(content, random) ?? content;
      writeFileSync(journal, changed);
      const result = await readJournal(directory).catch((error: unknown) => error);
      if (result instanceof Error) {
        refused += 1;
        expect(result).toMatchObject({ code: expect.stringMatching(/^(?:MALFORMED|JOURNAL_DAMAGED)$/), path: journal });
        expect(result.message).toMatch(/trials\.jsonl:\d+:/);
        continue;
      }
      const { trials, state } = result as Awaited<ReturnType<typeof readJournal>>;
      // Without its line feed the last line is what a crash leaves, and said to be.
      if (state.warnings.some(({ code }) => code === 'JOURNAL_TORN')) expect(trials).toEqual(expected.slice(0, -1));
      else expect(trials).toEqual(expected);
    }
    expect(refused).toBeGreaterThan(125);
  });
});

describe('a journal without checksums', () => {
  it('is refused with the first line that has none', async () => {
    const { directory, journal, content } = await recordTrials();
    const all = content.toString().split('\n');
    all[1] = withoutSeal(all[1] ?? '');
    writeFileSync(journal, all.join('\n'));
    expect(await failureOf(() => readRecording(directory))).toMatchObject({
      code: 'JOURNAL_DAMAGED',
      path: journal,
      line: 2,
    });
    expect(await repairRecording(directory, { write: true })).toMatchObject({
      kept: lines - 1,
      dropped: [{ line: 2 }],
    });
  });
});

describe('the repair of a recording', () => {
  it('keeps the whole lines, in the order in which they were written, and the damaged file', async () => {
    const { directory, journal, content } = await recordTrials();
    const all = content.toString().trimEnd().split('\n');
    const changed = (all[2] ?? '').replace('"padBytes":18', '"padBytes":19');
    const damaged = [all[0], all[3], all[1], changed, all[1], '{"torn'].join('\n');
    writeFileSync(journal, damaged);
    writeFileSync(join(directory, 'report.json'), '{}');

    const planned = await repairRecording(directory, { write: false });
    expect(planned).toMatchObject({ kept: 3, moved: true, backup: null });
    expect(planned.dropped.map(({ line }) => line)).toEqual([4, 5, 6]);
    expect(readFileSync(journal, 'utf8')).toBe(damaged);

    const { backup, ...done } = await repairRecording(directory, { write: true });
    expect(done).toEqual({ kept: 3, moved: true, dropped: planned.dropped });
    expect(readFileSync(backup ?? '', 'utf8')).toBe(damaged);
    expect(existsSync(join(directory, 'report.json'))).toBe(false);
    const { trials, warnings } = await readRecording(directory);
    expect(trials.map(({ trial }) => trial)).toEqual([0, 1, 3]);
    expect(warnings).toBeUndefined();
  });

  it('writes nothing where nothing is damaged', async () => {
    const { directory, journal, content } = await recordTrials();
    expect(await repairRecording(directory, { write: true })).toEqual({
      kept: lines,
      dropped: [],
      moved: false,
      backup: null,
    });
    expect(readFileSync(journal).equals(content)).toBe(true);
  });
});
