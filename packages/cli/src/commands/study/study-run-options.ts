import { randomBytes } from 'node:crypto';
import type { StudyKind } from '@deadheat/analysis';
import { languages, workloadNames, type Language, type WorkloadName } from '@deadheat/workloads';
import type { Command } from 'commander';
import { parseChoice, parseChoices, parseCount, parseDuration, parseText, UsageError } from 'deadheat/settings';
import { neighbours, type Neighbour } from './neighbour.ts';
import { studyMethods } from './study-methods.ts';
import type { StudyRequest } from './study-request.ts';

/** Options of a study that measures for itself, as commander hands them over. */
export interface RawStudyRunOptions {
  readonly run?: true;
  readonly workload?: readonly WorkloadName[];
  readonly neighbour?: readonly Neighbour[];
  readonly language?: Language;
  readonly runs?: number;
  readonly iterations?: number;
  readonly duration?: number;
  readonly seed?: string;
  readonly output?: string;
}

/** A study that measures for itself. */
export interface StudyRunChoices {
  readonly request: StudyRequest;
  /** Folder in which each neighbour's recording gets one; `null` = new folders below `.deadheat`. */
  readonly output: string | null;
}

const defaults = { runs: 10, iterations: 40, durationNs: 20e6 };
/** Fewest runs that carry an interval. */
const leastRuns = 2;
/** The first half is warm-up, and two times are needed to vary. */
const leastIterations = 4;

/** Adds `--run` and what it takes. */
export function addStudyRunOptions(command: Command): void {
  command
    .optionsGroup('With --run:')
    .option('--run', 'first measure artificial workloads against themselves; takes no recordings')
    .option(
      '--workload <LIST>',
      `some of ${workloadNames.join(', ')} (default: all)`,
      parseChoices('--workload', workloadNames),
    )
    .option(
      '--neighbour <LIST>',
      'none, both (bursts on both cores at once), one (bursts on one core) (default: none,both)',
      parseChoices('--neighbour', neighbours),
    )
    .option(
      '--language <LANGUAGE>',
      'js or c, which needs a compiler the first time (default: js)',
      parseChoice('--language', languages),
    )
    .option('--runs <N>', `runs by each method (default: ${defaults.runs})`, parseCount('--runs', leastRuns))
    .option(
      '--iterations <N>',
      `iterations in a run, the first half warm-up (default: ${defaults.iterations})`,
      parseCount('--iterations', leastIterations),
    )
    .option('--duration <TIME>', 'calibrate an iteration for this time (default: 20ms)', parseDuration('--duration'))
    .option(
      '--seed <TEXT>',
      'everything random follows from it; also for stopping, without --run',
      parseText('--seed', 'a text'),
    )
    .option(
      '--output <DIR>',
      'keep the recordings in this folder (default: .deadheat)',
      parseText('--output', 'a folder'),
    );
}

/**
 * What a study is to measure; `null` without `--run`.
 *
 * @throws UsageError for `--run` beside recordings or for a study without it, and for its options without `--run`
 */
export function readStudyRun(
  kind: StudyKind,
  { paths, raw }: { readonly paths: readonly string[]; readonly raw: RawStudyRunOptions },
): StudyRunChoices | null {
  const { run, output = null, workload = workloadNames, neighbour = ['none', 'both'], language = 'js' } = raw;
  const { runs = defaults.runs, iterations = defaults.iterations, duration = defaults.durationNs, seed } = raw;
  if (run === undefined) {
    refuseStray(raw);
    return null;
  }
  const [first] = paths;
  if (first !== undefined) {
    throw new UsageError('CONFLICT', `--run measures for itself and takes no recordings, such as ${first}`, {
      hint: 'Leave out --run to make tables of recordings.',
    });
  }
  const methods = studyMethods(kind);
  if (methods === null) {
    throw new UsageError('CONFLICT', `there is no --run for the study ${kind}`, { hint: 'Give it recordings.' });
  }
  const request: StudyRequest = {
    kind,
    methods,
    neighbours: neighbour,
    workloads: workload,
    language,
    runs,
    iterations,
    durationNs: duration,
    seed: seed ?? randomBytes(4).toString('hex'),
  };
  return { request, output };
}

/** Refuses what only `--run` takes. @throws UsageError that names the first such option */
export function refuseStray(raw: RawStudyRunOptions): void {
  const { workload, neighbour, language, runs, iterations, duration, seed, output } = raw;
  const given = { workload, neighbour, language, runs, iterations, duration, seed, output };
  const stray = Object.entries(given).find(([, value]) => value !== undefined);
  if (stray === undefined) return;
  throw new UsageError('CONFLICT', `--${stray[0]} is about measuring, and recordings are measured already`, {
    hint: 'Add --run and leave out the recordings, or leave out the option.',
  });
}
