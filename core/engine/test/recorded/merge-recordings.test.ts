import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  benchmarkDefaults,
  defaultSettings,
  experimentDefaults,
  type Command,
  type Experiment,
  type ExperimentConfig,
  type Parts,
  type Report,
} from '@deadheat/model';
import { analyseRecorded } from '../../src/recorded/analyse-recorded.ts';
import { readMachine } from '../../src/host/read-machine.ts';
import { mergeRecordings, type MergedParts } from '../../src/recorded/merge-recordings.ts';
import { createRecording, openRecording, readRecording, repairRecording, sealLine } from '@deadheat/recording';
import { readRows } from '../../../recording/test/read-rows.ts';
import { RecordingMerger } from '../../src/recorded/recording-merger.ts';
import { FakeExecutor } from '../fake-executor.ts';
import { runSession } from '../../src/experiment/start-experiment.ts';

const command = (name: string): Command => ({ name, commandLine: name, argv: [`/bin/${name}`], executedBy: 'direct' });
const machine = await readMachine({ usableCpus: [0, 1], cpus: [0, 1] });

function configOf(changes: Partial<ExperimentConfig> = {}): ExperimentConfig {
  const benchmark = { ...benchmarkDefaults, name: 'sort', commands: { A: command('old'), B: command('new') } };
  return {
    name: 'spread',
    benchmarks: [benchmark],
    ...defaultSettings('sync-duet'),
    ...experimentDefaults,
    replicates: 500,
    metric: 'time',
    stop: { kind: 'runs', runs: 13 },
    maxTimeNs: null,
    warmupRuns: 1,
    cpus: [0, 1],
    tandemCpus: [0, 1],
    sequentialCpus: [0, 1],
    lanes: 1,
    seed: 'shared',
    ...changes,
  };
}

/** B takes 10 % longer; times do not depend on the machine, so that the whole experiment gives the same. */
const tenPercentSlower = (): FakeExecutor =>
  new FakeExecutor((side, { run }) => ({
    durationNs: Math.round((side === 'A' ? 10e6 : 11e6) * (1 + ((run * 7) % 5) / 1000)),
  }));

describe('parts of an experiment', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'merge-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function make(
    name: string,
    {
      config = configOf(),
      parts,
      id = 'the-experiment',
      host = null,
      executor = tenPercentSlower(),
    }: { config?: ExperimentConfig; parts?: Parts; id?: string; host?: string | null; executor?: FakeExecutor } = {},
  ): Promise<{ readonly directory: string; readonly report: Report }> {
    const directory = join(folder, name);
    const experiment: Experiment = {
      schema: 'deadheat.experiment/1',
      id,
      startedAt: '2026-01-02T03:04:05.000Z',
      tool: { name: 'deadheat', version: '0.0.0' },
      config,
      machine,
      ...(host === null ? {} : { hosts: [{ id: host, machine, labels: {} }] }),
      ...(parts === undefined ? {} : { parts }),
      warnings: [],
    };
    const recording = await createRecording({ directory, name, startedAt: experiment.startedAt, experiment });
    const { report } = await runSession({
      experiment,
      recording,
      recorded: [],
      executors: [executor],
      signal: new AbortController().signal,
      onEvent: () => {},
    });
    return { directory, report };
  }

  async function makePart(index: number, changes: Partial<ExperimentConfig> = {}): Promise<string> {
    const place = join(folder, `clone-${index}`);
    const config = configOf({ cpus: [index, index + 3], ...changes });
    const benchmarks = config.benchmarks.map((benchmark) => ({
      ...benchmark,
      workingDirectory: { A: place, B: join(place, 'b') },
    }));
    const { directory } = await make(`part-${index}`, {
      config: { ...config, benchmarks },
      parts: { count: 3, taken: [index], folder: place },
      host: `host-${index}`,
    });
    return directory;
  }

  const merge = (directories: readonly string[], name = 'whole'): Promise<MergedParts> =>
    mergeRecordings(directories, { output: join(folder, name), parent: folder });

  it('hold each run of the whole once, and two runs that trade cores stay together', async () => {
    const runs = [];
    for (const index of [1, 2, 3]) {
      const { trials } = await readRecording(await makePart(index));
      const measured = trials.filter(({ phase }) => phase === 'measure');
      runs.push(measured.map(({ run }) => run));
      expect(new Set(trials.map(({ host }) => host))).toEqual(new Set([`host-${index}`]));
    }
    // 13 runs are 7 blocks: 2, 2 and 3 of them.
    expect(runs).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9, 10, 11, 12],
    ]);
  });

  it('go on where they were cut short, without the runs of others', async () => {
    const directory = await makePart(3);
    const journal = join(directory, 'trials.jsonl');
    const lines = readFileSync(journal, 'utf8').split('\n');
    // Run 9 and all after run 10 are lost.
    writeFileSync(journal, [...lines.slice(0, 2), lines[3], ''].join('\n'));
    await repairRecording(directory, { write: true });
    const { recording, writer } = await openRecording(directory);
    await runSession({
      experiment: recording.experiment,
      recording: writer,
      recorded: recording.trials,
      executors: [tenPercentSlower()],
      signal: new AbortController().signal,
      onEvent: () => {},
    });
    const { trials } = await readRecording(directory);
    const measured = trials.filter(({ phase }) => phase === 'measure');
    expect(measured.map(({ run }) => run)).toEqual([8, 10, 9, 11, 12]);
  });

  it('give what the whole experiment gives, in whatever order they are named', async () => {
    const whole = await make('all');
    const parts = [await makePart(2), await makePart(1), await makePart(3)];
    const merged = await merge(parts);
    expect(merged).toMatchObject({ recordings: 3, repeated: 0 });
    const [comparison] = merged.report.comparisons;
    expect(comparison?.interval.estimate).toBeCloseTo(whole.report.comparisons[0]?.interval.estimate ?? 0, 12);
    expect(comparison).toMatchObject({ runs: 13, verdict: 'slower', hosts: { pooledOver: 'runs' } });
    expect(comparison?.hosts?.each.map(({ id, runs }) => [id, runs])).toEqual([
      ['host-1', 4],
      ['host-2', 4],
      ['host-3', 5],
    ]);
    expect(merged.report.experiment).toMatchObject({ complete: true, parts: { count: 3, taken: [1, 2, 3] } });
    const { experiment, trials } = await readRecording(merged.directory);
    expect(experiment.hosts?.map(({ id }) => id)).toEqual(['host-1', 'host-2', 'host-3']);
    expect(trials.map(({ trial }) => trial)).toEqual(Array.from({ length: 16 }, (_, trial) => trial));
    // a row a side, run and warm-up run
    expect(await readRows(join(merged.directory, 'iterations.parquet'))).toHaveLength(32);
    const again = await merge(parts.toReversed(), 'again');
    expect(again.report.comparisons).toEqual(merged.report.comparisons);
  });

  it('that are missing are told, in the recording too, and can be added later', async () => {
    const merged = await merge([await makePart(1), await makePart(3)]);
    expect(merged.report.experiment.complete).toBe(false);
    expect(merged.report.warnings.map(({ code, message }) => [code, /\((.*)\)/.exec(message)?.[1]])).toContainEqual([
      'MISSING_PARTS',
      '2/3',
    ]);
    const { directory, report } = await merge([join(folder, 'part-1')], 'alone');
    expect(report.experiment.complete).toBe(false);
    expect((await analyseRecorded(directory)).experiment.complete).toBe(false);
    expect((await analyseRecorded(join(folder, 'part-1'))).experiment.complete).toBe(true);
    const later = await merge([merged.directory, await makePart(2)], 'later');
    expect(later.report.experiment.complete).toBe(true);
    expect(later.report.warnings.map(({ code }) => code)).not.toContain('MISSING_PARTS');
    expect(later.report.comparisons[0]?.runs).toBe(13);
  });

  it('count once when they are given twice, as a folder of recordings too', async () => {
    mkdirSync(join(folder, 'parts'));
    const parts = [await makePart(1), await makePart(2), await makePart(3)];
    const { directory } = await merge(parts, join('parts', 'whole'));
    const again = await mergeRecordings([join(folder, 'parts'), ...parts], {
      output: null,
      parent: join(folder, 'made'),
    });
    expect(again).toMatchObject({ recordings: 4, repeated: 16 });
    expect(again.report.comparisons[0]?.runs).toBe(13);
    expect((await readRecording(again.directory)).trials).toEqual((await readRecording(directory)).trials);
  });

  it('with the same run and different results are refused, and nothing is left', async () => {
    const one = await makePart(1);
    const other = join(folder, 'other');
    mkdirSync(other);
    for (const name of ['experiment.json', 'trials.jsonl']) {
      const changed = readFileSync(join(one, name), 'utf8').replaceAll('"wallNs":', '"wallNs":1');
      let line = 0;
      writeFileSync(
        join(other, name),
        changed.replaceAll(/^(.*),"line":\d+,"check":"[0-9a-f]{8}"\}$/gm, (_, json) =>
          sealLine(`${json}}`, (line += 1)),
        ),
      );
    }
    await expect(merge([one, other])).rejects.toMatchObject({
      code: 'RUN_TWICE',
      message: expect.stringContaining('Run 0 of sort (measure)') as string,
    });
    expect(existsSync(join(folder, 'whole'))).toBe(false);
  });

  it('may be made by one machine, each with warm-up runs of its own', async () => {
    const parts = [];
    for (const index of [1, 2]) {
      const made = await make(`mine-${index}`, {
        config: configOf({ stop: { kind: 'runs', runs: 4 } }),
        parts: { count: 2, taken: [index], folder: '/' },
        host: 'mine',
        executor: new FakeExecutor(() => ({ durationNs: 10e6 + index })),
      });
      parts.push(made.directory);
    }
    const { directory, repeated, report } = await merge(parts);
    expect(repeated).toBe(0);
    expect(report.comparisons[0]?.runs).toBe(4);
    const { trials } = await readRecording(directory);
    expect(trials.map(({ phase, run }) => `${phase} ${run}`)).toEqual([
      'warmup 0',
      'measure 0',
      'measure 1',
      'warmup 0',
      'measure 2',
      'measure 3',
    ]);
  });

  it('of other settings are refused, with the place and both values', async () => {
    const one = await makePart(1);
    const other = await makePart(2, { warmupRuns: 2 });
    await expect(merge([one, other])).rejects.toMatchObject({
      code: 'CONFIGURATIONS_DIFFER',
      message: expect.stringMatching(/config\.warmupRuns is 1 in the first and 2 in the second/) as string,
    });
    expect(existsSync(join(folder, 'whole'))).toBe(false);
  });

  it('of another experiment are refused, and so is nothing', async () => {
    const { directory: one } = await make('one', { id: 'one' });
    const { directory: other } = await make('other', { id: 'other' });
    await expect(merge([one, other])).rejects.toMatchObject({ code: 'DIFFERENT_EXPERIMENTS' });
    await expect(merge([])).rejects.toMatchObject({ code: 'NOTHING_TO_MERGE' });
    await expect(merge([join(folder, 'nowhere')])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(merge([join(folder, 'one'), folder])).rejects.toMatchObject({ code: 'DIFFERENT_EXPERIMENTS' });
  });

  it('keep what lay beside their measurements', async () => {
    const [one, other] = [await makePart(1), await makePart(2)];
    for (const part of [one, other]) {
      mkdirSync(join(part, 'artifacts'));
      writeFileSync(join(part, 'artifacts', 'cpu.txt'), part);
    }
    const { directory } = await merge([one, other]);
    expect(readdirSync(join(directory, 'artifacts')).toSorted()).toEqual(['1-part-1', '2-part-2']);
    expect(readFileSync(join(directory, 'artifacts', '2-part-2', 'cpu.txt'), 'utf8')).toBe(other);
  });
});

describe('parts whose method is chosen by pilot runs', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'merge-pilot-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A part on the one machine that makes all of them; a side computes in this share of its time. */
  async function makePart(
    index: number,
    { busy = 1, pilotRuns = 3, interrupted = false } = {},
  ): Promise<{ readonly directory: string; readonly methods: readonly string[] }> {
    const directory = join(folder, `part-${index}`);
    const { metric: _, ...auto } = defaultSettings('auto');
    const config = configOf({ ...auto, metric: 'auto', pilotRuns, replicates: 500, stop: { kind: 'runs', runs: 12 } });
    const experiment: Experiment = {
      schema: 'deadheat.experiment/1',
      id: 'the-experiment',
      startedAt: '2026-01-02T03:04:05.000Z',
      tool: { name: 'deadheat', version: '0.0.0' },
      config: { ...config, warmupRuns: 0 },
      machine,
      hosts: [{ id: 'one-machine', machine, labels: {} }],
      parts: { count: 3, taken: [index], folder },
      warnings: [],
    };
    const recording = await createRecording({ directory, name: 'part', startedAt: experiment.startedAt, experiment });
    const ending = new AbortController();
    const executor = new FakeExecutor((side, { run }) => {
      const durationNs = Math.round((side === 'A' ? 10e6 : 11e6) * (1 + ((run * 7 + index) % 5) / 1000));
      return { durationNs, cpuNs: Math.round(durationNs * busy) };
    });
    await runSession({
      experiment,
      recording,
      recorded: [],
      executors: [executor],
      signal: ending.signal,
      onEvent: ({ kind }) => {
        if (interrupted && kind === 'trial-finished') ending.abort();
      },
    });
    const { trials } = await readRecording(directory);
    return { directory, methods: trials.map(({ phase, method }) => `${phase} ${method}`) };
  }

  const merge = (parts: readonly { readonly directory: string }[], name = 'whole'): Promise<MergedParts> =>
    mergeRecordings(
      parts.map(({ directory }) => directory),
      { output: join(folder, name), parent: folder },
    );

  it('make pilot runs of their own, which all stay; what was chosen is in the whole', async () => {
    const parts = [await makePart(1), await makePart(2), await makePart(3)];
    const pilots = ['pilot sync-duet', 'pilot sync-duet', 'pilot sequential'];
    for (const { methods } of parts)
      expect(methods).toEqual([...pilots, ...Array.from({ length: 4 }, () => 'measure tandem')]);
    const merged = await merge(parts);
    expect(merged).toMatchObject({ recordings: 3, repeated: 0 });
    expect(merged.report.comparisons[0]).toMatchObject({
      method: 'tandem',
      metric: 'cpu',
      runs: 12,
      verdict: 'slower',
    });
    expect(merged.report.experiment.complete).toBe(true);
    const { experiment, trials } = await readRecording(merged.directory);
    expect(experiment.config.benchmarks[0]?.chosen).toMatchObject({ method: 'tandem', metric: 'cpu' });
    expect(trials.filter(({ phase }) => phase === 'pilot').map(({ run }) => run)).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
    // The table holds what counts: two sides of 12 runs.
    expect(await readRows(join(merged.directory, 'iterations.parquet'))).toHaveLength(24);
    const judged = await analyseRecorded(merged.directory);
    expect(judged.comparisons).toEqual(merged.report.comparisons);
    const again = await merge([...parts, merged], 'again');
    expect(again).toMatchObject({ recordings: 4, repeated: 21 });
    expect(again.report.comparisons[0]?.runs).toBe(12);
  });

  it('must have chosen the same; a part that ended before leaves it to the others', async () => {
    const [one, waiting] = [await makePart(1), await makePart(2, { busy: 0.5 })];
    expect(waiting.methods.at(-1)).toBe('measure sync-duet');
    await expect(merge([one, waiting])).rejects.toMatchObject({
      code: 'METHODS_DIFFER',
      message: expect.stringMatching(
        /for sort the pilot runs chose tandem in .*part-1, because .*; and sync-duet in .*part-2, because .*methods: \[tandem\]/,
      ) as string,
    });
    expect(existsSync(join(folder, 'whole'))).toBe(false);
    const cut = await makePart(3, { interrupted: true });
    expect(cut.methods).toEqual(['pilot sync-duet']);
    const { directory, report } = await merge([cut, one]);
    expect((await readRecording(directory)).experiment.config.benchmarks[0]?.chosen?.method).toBe('tandem');
    expect(report.comparisons[0]).toMatchObject({ method: 'tandem', runs: 4 });
  });
});

describe('a merger', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'merger-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const experiment = (): Experiment => {
    const config = configOf({ warmupRuns: 0, swap: 'run' });
    const benchmarks = config.benchmarks.map((benchmark) => ({ ...benchmark, workload: 'harness' as const }));
    return {
      schema: 'deadheat.experiment/1',
      id: 'gathered',
      startedAt: '2026-01-02T03:04:05.000Z',
      tool: { name: 'deadheat', version: '0.0.0' },
      config: { ...config, benchmarks, warmup: { kind: 'none' }, stop: { kind: 'runs', runs: 4 } },
      machine,
      warnings: [],
    };
  };

  const record = (run: number, slowdown: number): string =>
    [
      '{"deadheat":1,"benchmark":"inner"}',
      ...[0, 1, 2].map((i) => JSON.stringify({ i, s: i * 1e9, e: i * 1e9 + Math.round((1e6 + 1e3 * run) * slowdown) })),
      '',
    ].join('\n');

  const trialOf = (run: number): Parameters<RecordingMerger['addTrial']>[0] => {
    const side = (cpu: number) => ({
      cpu,
      padBytes: 0,
      exitCode: 0,
      signal: null,
      userNs: null,
      systemNs: null,
      maxRssBytes: null,
      voluntarySwitches: null,
      involuntarySwitches: null,
      iterations: [],
      record: `iterations/77-${cpu}.jsonl`,
    });
    return {
      trial: 77,
      benchmark: 0,
      method: 'sync-duet',
      run,
      phase: 'measure',
      order: 'AB',
      status: 'ok',
      failures: [],
      wallNs: 1e9,
      sides: { A: side(0), B: side(1) },
      noise: { stealNs: null, throttledNs: null, contextSwitches: null },
    };
  };
  const records = (run: number, changed = '') => ({ A: record(run, 1), B: record(run, 1.05) + changed });

  it('goes on where one before it was lost, and takes no run twice', async () => {
    const directory = join(folder, 'gathered');
    const first = await RecordingMerger.create({ experiment: experiment(), directory, parent: folder });
    await first.addHost({ id: 'x', machine, labels: { region: 'here' } });
    expect(await first.addTrial(trialOf(0), 'x', records(0))).toBe(0);
    expect(await first.addTrial(trialOf(0), 'x', records(0))).toBeNull();
    await expect(first.addTrial(trialOf(1), 'y', records(1))).rejects.toThrow(RangeError);
    first.close();

    const second = await RecordingMerger.open(directory);
    // Keys may come back from a database in another order.
    const { sides, ...rest } = trialOf(0);
    expect(await second.addTrial({ sides: { B: sides.B, A: sides.A }, ...rest }, 'x', records(0))).toBeNull();
    await expect(second.addTrial(trialOf(0), 'x', records(0, '\n'))).rejects.toMatchObject({ code: 'RUN_TWICE' });
    await second.addHost({ id: 'y', machine, labels: {} });
    for (const run of [1, 2, 3]) expect(await second.addTrial(trialOf(run), 'y', records(run))).toBe(run);
    const { report, points } = await second.finish();
    expect(report.comparisons).toMatchObject([{ benchmark: 'inner', runs: 4, verdict: 'slower' }]);
    expect(report.hosts?.map(({ id, labels }) => [id, labels['region']])).toEqual([
      ['x', 'here'],
      ['y', undefined],
    ]);
    expect(points()[0]?.runs).toHaveLength(4);
    expect(readdirSync(join(directory, 'iterations')).toSorted()).toContain('3-B.jsonl');
  });

  it('says itself whether all is there, where the runs cannot', async () => {
    const directory = join(folder, 'cut');
    const merger = await RecordingMerger.create({ experiment: experiment(), directory, parent: folder });
    await merger.addHost({ id: 'x', machine, labels: {} });
    for (const run of [0, 1, 2, 3]) await merger.addTrial(trialOf(run), 'x', records(run));
    const { report } = await merger.finish({
      complete: false,
      warnings: [{ code: 'INTERRUPTED', message: 'cut short' }],
    });
    expect(report.experiment.complete).toBe(false);
    expect(report.warnings.map(({ code }) => code)).toContain('INTERRUPTED');
    // One machine is no level of its own.
    expect(report.comparisons[0]?.hosts).toBeUndefined();
  });
});
