import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRecording, openRecording, readRecording } from '../src/index.ts';
import { ownHolder } from '@deadheat/sync';
import { below, failureOf, makeTrial, temporaryFolder } from './sample.ts';

interface Recorder {
  readonly process: ChildProcess;
  readonly directory: string;
  /** Numbers of the trials that the process said are safe. */
  readonly told: readonly number[];
  /** Waits until that many trials were told. */
  readonly tells: (count: number) => Promise<void>;
  readonly kill: () => Promise<void>;
}

/** A process that is killed takes its namespace along. */
const inNamespace = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];

const startRecorder = async (what: object, around: readonly string[] = []): Promise<Recorder> => {
  const program = fileURLToPath(new URL('fixtures/record-forever.js', import.meta.url));
  const [file, ...rest] = [...around, process.execPath, program, JSON.stringify({ ...what, trial: makeTrial(0) })];
  const child = spawn(file, rest, { stdio: ['ignore', 'pipe', around.length === 0 ? 'inherit' : 'ignore'] });
  child.on('error', () => {});
  const ended = once(child, 'close');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  const lines = createInterface({ input: child.stdout });
  let directory = '';
  const told: number[] = [];
  // one listener from the beginning: a chunk may bring many lines at once
  lines.on('line', (line) => {
    if (directory === '') directory = line;
    else told.push(Number(line));
  });
  await Promise.race([once(lines, 'line'), ended]);
  const tells = async (count: number): Promise<void> => {
    while (told.length < count) await once(lines, 'line');
  };
  return { process: child, directory, told, tells, kill };
};

describe('several writers of one recording', () => {
  it('are kept apart: a second process is refused while the first one records', async () => {
    const parent = temporaryFolder();
    const recorder = await startRecorder({ options: below(parent) });
    await recorder.tells(1);

    const resumed = await failureOf(() => openRecording(recorder.directory));
    expect(resumed).toMatchObject({ code: 'RECORDING_IN_USE', path: recorder.directory });
    expect(String(resumed)).toContain(`process ${recorder.process.pid} `);
    const created = await failureOf(() => createRecording({ ...below(parent), directory: recorder.directory }));
    expect(created).toMatchObject({ code: 'RECORDING_IN_USE' });
    expect(readdirSync(recorder.directory).toSorted()).toEqual(['experiment.json', 'lock', 'trials.jsonl']);
  });

  it('lose no trial that was told when the first is killed, and the second goes on', async () => {
    const recorder = await startRecorder({ options: below(temporaryFolder()) });
    await recorder.tells(20);
    await recorder.kill();
    expect(existsSync(join(recorder.directory, 'lock'))).toBe(true);

    const { recording, writer } = await openRecording(recorder.directory);
    const count = recording.trials.length;
    expect(recording.trials.map(({ trial }) => trial)).toEqual(Array.from({ length: count }, (_, trial) => trial));
    // at most the trial in flight is there without having been told
    expect([recorder.told.length, recorder.told.length + 1]).toContain(count);
    writer.append(makeTrial(count));
    writer.close();
    expect((await readRecording(recorder.directory)).trials).toHaveLength(count + 1);
    expect(readdirSync(recorder.directory).toSorted()).toEqual(['experiment.json', 'trials.jsonl']);
  });

  it('leave a stale lock that only one of many openings at once takes over', async () => {
    const first = await startRecorder({ options: below(temporaryFolder()) });
    await first.tells(1);
    await first.kill();

    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => openRecording(first.directory)));
    const won = attempts.filter((attempt) => attempt.status === 'fulfilled');
    const lost = attempts.filter((attempt) => attempt.status === 'rejected');
    expect(won).toHaveLength(1);
    expect(lost.map(({ reason }: { reason: unknown }) => reason)).toEqual(
      Array.from({ length: 7 }, () => expect.objectContaining({ code: 'RECORDING_IN_USE' })),
    );
    for (const { value } of won) value.writer.close();
  });

  it('are kept apart across containers: another PID namespace numbers its processes anew', async (context) => {
    const recorder = await startRecorder({ options: below(temporaryFolder()) }, inNamespace);
    if (recorder.directory === '') return context.skip('this user may not make a PID namespace');
    await recorder.tells(20);
    const resumed = await failureOf(() => openRecording(recorder.directory));
    expect(resumed).toMatchObject({ code: 'RECORDING_IN_USE' });
    expect(String(resumed)).toContain('in another container');
    const told = recorder.told.length;
    await recorder.tells(told + 20);
    await recorder.kill();
    const { recording, writer } = await openRecording(recorder.directory);
    expect(recording.trials.map(({ trial }) => trial)).toEqual(recording.trials.map((_, trial) => trial));
    writer.close();
  });
});

describe('the lock of a process', () => {
  const lockedBy = async (owner: string): Promise<string> => {
    const writer = await createRecording(below(temporaryFolder()));
    writer.close();
    writeFileSync(join(writer.directory, 'lock'), owner);
    return writer.directory;
  };

  it.for([
    ['of an earlier boot', { bootId: 'another' }],
    ['whose number now belongs to a later process', { startTicks: 1 }],
  ] as const)('%s is taken over', async ([, change], context) => {
    if (ownHolder().startTicks === null) context.skip('needs /proc');
    const directory = await lockedBy(JSON.stringify({ ...ownHolder(), ...change }));
    const { writer } = await openRecording(directory);
    expect(JSON.parse(readFileSync(join(directory, 'lock'), 'utf8'))).toMatchObject(ownHolder());
    writer.close();
  });

  it('that a power failure left empty is taken over', async () => {
    const { writer } = await openRecording(await lockedBy(''));
    writer.close();
  });

  it('on another host is respected, and the message says how to remove it', async () => {
    const directory = await lockedBy(JSON.stringify({ ...ownHolder(), host: 'elsewhere', pid: 1 }));
    const failure = await failureOf(() => openRecording(directory));
    expect(failure).toMatchObject({ code: 'RECORDING_IN_USE' });
    expect(String(failure)).toContain(`remove ${join(directory, 'lock')}`);
  });
});
