import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRecording, openRecording, readRecording, RecordError } from '../src/index.ts';
import { below, experiment, failureOf, makeTrial, temporaryFolder } from './sample.ts';

const recordTrials = async (count: number): Promise<{ directory: string; journal: string; content: Buffer }> => {
  const writer = await createRecording(below(temporaryFolder()));
  for (let trial = 0; trial < count; trial += 1) writer.append(makeTrial(trial));
  writer.close();
  const journal = join(writer.directory, 'trials.jsonl');
  return { directory: writer.directory, journal, content: readFileSync(journal) };
};

describe('a journal cut by a crash', () => {
  it('gives all whole lines, wherever in the last two lines it was cut', async () => {
    const { directory, journal, content } = await recordTrials(4);
    const text = content.toString();
    const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
    const expected = [0, 1, 2, 3].map((trial) => makeTrial(trial));
    const secondToLast = (ends[1] ?? 0) + 1;
    for (let length = content.length; length >= secondToLast; length -= 1) {
      truncateSync(journal, length);
      const { trials } = await readRecording(directory);
      // a line is whole from its closing brace on, so also without its line feed
      expect(trials).toEqual(expected.slice(0, ends.filter((end) => end <= length).length));
    }
  });

  it('goes on after the cut, so that the next trial stands on a line of its own', async () => {
    const { directory, journal, content } = await recordTrials(3);
    const lastLine = content.lastIndexOf('\n', content.length - 2) + 1;
    const cuts = [lastLine, lastLine + 1, lastLine + 100, content.length - 2, content.length - 1, content.length];
    for (const length of cuts) {
      writeFileSync(journal, content.subarray(0, length));
      const { recording, writer } = await openRecording(directory);
      const kept = length >= content.length - 1 ? 3 : 2;
      expect(recording.trials).toHaveLength(kept);
      writer.append(makeTrial(kept));
      writer.close();
      const numbers = (await readRecording(directory)).trials.map(({ trial }) => trial);
      expect(numbers).toEqual(kept === 3 ? [0, 1, 2, 3] : [0, 1, 2]);
    }
  });

  it('tolerates zero bytes in the last line, as a power failure leaves them', async () => {
    const { directory, journal, content } = await recordTrials(2);
    writeFileSync(journal, Buffer.concat([content, Buffer.alloc(300), Buffer.from('}}\n')]));
    expect((await readRecording(directory)).trials).toHaveLength(2);
    writeFileSync(journal, Buffer.concat([content, Buffer.alloc(4096)]));
    expect((await readRecording(directory)).trials).toHaveLength(2);
  });
});

describe('a damaged recording is refused', () => {
  const damage = async (change: (lines: string[]) => void): Promise<{ failure: unknown; journal: string }> => {
    const { directory, journal, content } = await recordTrials(3);
    const lines = content.toString().split('\n');
    change(lines);
    writeFileSync(journal, lines.join('\n'));
    return { failure: await failureOf(() => readRecording(directory)), journal };
  };

  it('with line and column where a line in the middle is not JSON', async () => {
    const { failure, journal } = await damage((lines) => {
      lines[1] = '{"trial":1,"é":[1,}';
    });
    // the brace is the 19th character, 20th byte
    expect(failure).toBeInstanceOf(RecordError);
    expect(failure).toMatchObject({ code: 'MALFORMED', path: journal, line: 2, column: 19 });
    expect(String(failure)).toContain(`${journal}:2:19: this is not JSON: expected a value, found '}'.`);
  });

  it('with the end of the line where a line in the middle is torn', async () => {
    const { failure } = await damage((lines) => {
      lines[0] = '{"trial":0,';
    });
    expect(failure).toMatchObject({ code: 'MALFORMED', line: 1, column: 12 });
    expect(String(failure)).toContain('the JSON ends too early');
  });

  it('with line, column and key where a value is wrong', async () => {
    let column = 0;
    const { failure } = await damage((lines) => {
      lines[2] = (lines[2] ?? '').replace('"padBytes":18', '"padBytes":"many"');
      column = lines[2].indexOf('"many"') + 1;
    });
    expect(failure).toMatchObject({ code: 'MALFORMED', line: 3, column });
    expect(String(failure)).toContain('sides.B.padBytes');
  });

  it('where objects and arrays stand deep inside each other, however deep', async () => {
    for (const levels of [1000, 200_000]) {
      const deep = '['.repeat(levels);
      const whole = await damage((lines) => (lines[1] = `${deep}${']'.repeat(levels)}`));
      expect(whole.failure).toMatchObject({ code: 'MALFORMED', path: whole.journal, line: 2, column: 1 });
      const broken = await damage((lines) => (lines[1] = `${deep}}`));
      expect(broken.failure).toMatchObject({ code: 'MALFORMED', line: 2, column: levels + 1 });
    }
  });

  it('where a record lies outside of the recording', async () => {
    for (const record of ['../x', '/etc/passwd', 'iterations/../../x', 'a/.', '']) {
      const { failure } = await damage((lines) => {
        lines[0] = (lines[0] ?? '').replace('"record":null', `"record":${JSON.stringify(record)}`);
      });
      expect(failure).toMatchObject({ code: 'MALFORMED', line: 1 });
      expect(String(failure)).toContain('a path inside the recording expected');
    }
  });

  it('where a time is longer than a clock can hold', async () => {
    const { failure } = await damage((lines) => {
      lines[0] = (lines[0] ?? '').replace('"wallNs":3000000', '"wallNs":1e308');
    });
    expect(failure).toMatchObject({ code: 'MALFORMED', line: 1 });
  });

  it('with the object where a key is missing', async () => {
    const { failure } = await damage((lines) => {
      lines[0] = (lines[0] ?? '').replace('"order":"AB",', '');
    });
    expect(failure).toMatchObject({ code: 'MALFORMED', line: 1, column: 1 });
    expect(String(failure)).toContain('at order');
  });

  it('where a blank line stands between trials', async () => {
    const { failure } = await damage((lines) => {
      lines.splice(1, 0, '');
    });
    expect(failure).toMatchObject({ code: 'MALFORMED', line: 2, column: 1 });
  });

  it('with the line in experiment.json where a setting is wrong', async () => {
    const { directory } = await recordTrials(0);
    const file = join(directory, 'experiment.json');
    const text = readFileSync(file, 'utf8').replace('"confidence": 0.99', '"confidence": 99');
    writeFileSync(file, text);
    const line = text.slice(0, text.indexOf('"confidence"')).split('\n').length;
    const failure = await failureOf(() => readRecording(directory));
    expect(failure).toMatchObject({ code: 'MALFORMED', path: file, line, column: '    "confidence": '.length + 1 });
    expect(String(failure)).toContain('config.confidence');
  });
});

describe('what is no recording', () => {
  it('is said to be missing when the path does not exist', async () => {
    const path = join(temporaryFolder(), 'nowhere');
    expect(await failureOf(() => readRecording(path))).toMatchObject({ code: 'NOT_FOUND', path });
  });

  it('is refused with what was looked for when a folder holds no experiment.json', async () => {
    const failure = await failureOf(() => readRecording(temporaryFolder()));
    expect(failure).toMatchObject({ code: 'NOT_A_RECORDING' });
    expect(String(failure)).toContain('experiment.json');
  });

  it('is refused when the path is a file', async () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, '');
    expect(await failureOf(() => readRecording(path))).toMatchObject({ code: 'NOT_A_RECORDING', path });
  });

  it('is refused when experiment.json belongs to another program', async () => {
    const directory = temporaryFolder();
    writeFileSync(join(directory, 'experiment.json'), '{"schema":"other/1"}');
    const failure = await failureOf(() => readRecording(directory));
    expect(failure).toMatchObject({ code: 'NOT_A_RECORDING' });
    expect(String(failure)).toContain('deadheat.experiment/1');
  });

  it('is refused with the reason of the system when experiment.json is a folder', async () => {
    const directory = temporaryFolder();
    mkdirSync(join(directory, 'experiment.json'));
    expect(await failureOf(() => readRecording(directory))).toMatchObject({ code: 'IO' });
  });

  it('is refused with both versions when a newer deadheat wrote it', async () => {
    const directory = temporaryFolder();
    writeFileSync(
      join(directory, 'experiment.json'),
      JSON.stringify({ ...experiment, schema: 'deadheat.experiment/12', novelty: true }),
    );
    const failure = await failureOf(() => readRecording(directory));
    expect(failure).toMatchObject({ code: 'NEWER_VERSION', versions: { found: 12, supported: 1 } });
    expect(String(failure)).toMatch(/version 12 .* up to version 1\b/);
  });
});
