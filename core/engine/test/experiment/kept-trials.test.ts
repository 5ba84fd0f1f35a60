import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  benchmarkDefaults,
  defaultSettings,
  experimentDefaults,
  recordingFiles,
  type Command,
  type Experiment,
  type ExperimentConfig,
} from '@deadheat/model';
import { KeptTrials } from '../../src/experiment/kept-trials.ts';
import { runSession } from '../../src/experiment/start-experiment.ts';
import { analyseRecorded } from '../../src/recorded/analyse-recorded.ts';
import { createRecording, openRecording } from '@deadheat/recording';
import { FakeExecutor } from '../fake-executor.ts';
import { experiment as sample, makeTrial } from '../../../recording/test/sample.ts';

const command = (name: string): Command => ({ name, commandLine: name, argv: [`/bin/${name}`], executedBy: 'direct' });

function experimentOf(changes: Partial<ExperimentConfig>): Experiment {
  const benchmark = { ...benchmarkDefaults, name: 'a benchmark', commands: { A: command('old'), B: command('new') } };
  const config: ExperimentConfig = {
    name: 'test',
    benchmarks: [benchmark],
    ...defaultSettings('sync-duet'),
    ...experimentDefaults,
    replicates: 200,
    metric: 'time',
    maxTimeNs: null,
    cpus: [0, 1],
    tandemCpus: [],
    sequentialCpus: [],
    lanes: 1,
    seed: 'kept trials',
    ...changes,
  };
  return { ...sample, config };
}

/** Bytes that are still used after everything else was collected. */
function keptBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('the trials of an experiment', () => {
  let directory: string;
  beforeEach(() => {
    // Each run waits for the device, which memory does not need.
    directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'kept-trials-test-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('are the same whether they are in memory or read back from the journal', async () => {
    const path = join(directory, 'recording');
    const first = await createRecording({
      directory: path,
      name: 'x',
      startedAt: sample.startedAt,
      experiment: sample,
    });
    const made = Array.from({ length: 9 }, (_, number) => ({ ...makeTrial(number), benchmark: number % 2 }));
    for (const trial of made.slice(0, 2)) first.append(trial);
    first.close();
    const { recording, writer } = await openRecording(path);
    for (const mostInMemory of [0, 2, 5, 100]) {
      const kept = new KeptTrials(writer, { recorded: recording.trials, mostInMemory });
      for (const trial of made.slice(2)) {
        if (mostInMemory === 0) writer.append(trial);
        kept.push(trial);
      }
      expect([...kept]).toEqual(made);
      expect([...kept.of(1)]).toEqual(made.filter(({ benchmark }) => benchmark === 1));
    }
    writer.close();
  });

  it('take no more memory the more there are, and are judged all the same', async () => {
    const runs = 15_000;
    const experiment = experimentOf({ stop: { kind: 'runs', runs } });
    const path = join(directory, 'recording');
    const recording = await createRecording({
      directory: path,
      name: 'x',
      startedAt: experiment.startedAt,
      experiment,
    });
    const executor = new FakeExecutor((side, { run }) => ({
      durationNs: Math.round((side === 'A' ? 1e7 : 1.1e7) * (1 + ((run * 7919) % 1000) / 1e5)),
    }));
    const kept: number[] = [];
    let finished = 0;
    const { report } = await runSession({
      experiment,
      recording,
      recorded: [],
      executors: [executor],
      signal: new AbortController().signal,
      onEvent: ({ kind }) => {
        if (kind !== 'trial-finished') return;
        executor.requests.length = 0;
        finished += 1;
        if (finished === runs - 4500 || finished === runs) kept.push(keptBytes());
      },
    });
    const [before = 0, after = Infinity] = kept;
    // About 1 byte a run, where each trial takes more than 1000 in memory; the rest is room for what else the process does.
    expect((after - before) / 4500).toBeLessThan(400);
    expect(report.comparisons[0]).toMatchObject({ runs, verdict: 'slower' });
    expect(await analyseRecorded(path)).toEqual(report);
  });

  it('are refused when somebody changed the journal meanwhile', async () => {
    const path = join(directory, 'recording');
    const writer = await createRecording({
      directory: path,
      name: 'x',
      startedAt: sample.startedAt,
      experiment: sample,
    });
    const kept = new KeptTrials(writer, { recorded: [], mostInMemory: 1 });
    for (const number of [0, 1, 2]) {
      writer.append(makeTrial(number));
      kept.push(makeTrial(number));
    }
    const journal = join(path, recordingFiles.trials);
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('"trial":2', '"trial":7'));
    expect(() => [...kept]).toThrow(expect.objectContaining({ code: 'JOURNAL_DAMAGED' }));
    writer.close();
  });
});
