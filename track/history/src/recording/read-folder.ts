import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Commits,
  type Comparison,
  type Experiment,
  type Interval,
  isResourceMetric,
  isTimeMetric,
  largestRss,
  metricKinds,
  recordingFiles,
  type Report,
  type Side,
  type Verdict,
} from '@deadheat/model';
import { readExperiment, readExplanation, readStoredReport, refuseLinks, sealDocument } from '@deadheat/recording';
import { HistoryError } from '../history-error.ts';
import type { HistoryPoint, PointMetric, PutRequest, StoredRecording } from '../history.ts';
import type { FiledPoint } from './point-fields.ts';

/**
 * Checks whether a history may hold a file of that name, relative to the recording: so that no file is ever written outside
 * the recording's folder.
 */
export function isKeptFile(path: string): boolean {
  return /^(?:iterations\/)?[A-Za-z0-9][A-Za-z0-9._-]*$/.test(path);
}

/** A finished recording that can be put into a history. */
export interface RecordingFolder {
  readonly directory: string;
  readonly experiment: Experiment;
  readonly stored: StoredRecording;
  readonly points: readonly FiledPoint[];
  /** Relative paths of those of its files that a history keeps; `experiment.json` first. */
  readonly files: readonly string[];
  /** `experiment.json` with the commits and the project that the caller adds. */
  readonly experimentText: string;
}

/**
 * Reads and checks a recording before it is put.
 *
 * @throws HistoryError `RECORDING_IN_USE`, `INCOMPLETE_RECORDING`; RecordError for what is no recording, or is damaged
 */
export async function readFolder({
  directory,
  commits: given = {},
  project: asked = null,
}: PutRequest): Promise<RecordingFolder> {
  await refuseLinks(directory);
  const experiment = await readExperiment(directory);
  const names = await readdir(directory);
  if (names.includes(recordingFiles.lock)) {
    throw new HistoryError(
      'RECORDING_IN_USE',
      `${directory} is being written, or was when its machine stopped. Wait for its end; a recording that was interrupted is ` +
        `finished with deadheat --resume '${directory}'.`,
    );
  }
  const missing = [recordingFiles.trials, recordingFiles.iterations, recordingFiles.report].filter(
    (name) => !names.includes(name),
  );
  if (missing.length > 0) throw incomplete(directory, `it has no ${missing.join(' and no ')}`);
  const report = await readStoredReport(directory);
  if (!report.experiment.complete) throw incomplete(directory, 'runs are missing');
  const recorded = experiment.commits ?? { A: null, B: null };
  const commits: Commits = { A: given.A ?? recorded.A, B: given.B ?? recorded.B };
  const project = asked ?? experiment.project ?? experiment.config.name;
  const points = pointsOf(report, { experiment, commits, project });
  const additions = { ...(asked === null ? {} : { project }), ...(Object.keys(given).length === 0 ? {} : { commits }) };
  return {
    directory,
    experiment,
    points,
    stored: {
      id: experiment.id,
      project,
      startedAt: experiment.startedAt,
      commits,
      hostname: experiment.machine.hostname,
      toolVersion: experiment.tool.version,
      comparisons: points.length,
    },
    files: [
      recordingFiles.experiment,
      recordingFiles.trials,
      ...(await listRecords(directory)),
      recordingFiles.iterations,
      recordingFiles.report,
      ...((await readExplanation(directory)) === null ? [] : [recordingFiles.explanation]),
    ],
    experimentText: withAdditions(await readFile(join(directory, recordingFiles.experiment), 'utf8'), additions),
  };
}

/** The points that a report adds to a history. A control gives no point, because its B is A. */
function pointsOf(
  report: Report,
  {
    experiment,
    commits,
    project,
  }: { readonly experiment: Experiment; readonly commits: Commits; readonly project: string },
): readonly FiledPoint[] {
  return report.comparisons
    .filter(({ controlOf }) => controlOf === undefined)
    .map((comparison) => ({
      project,
      benchmark: comparison.benchmark,
      params: comparison.params,
      method: comparison.method,
      experiment: experiment.id,
      startedAt: experiment.startedAt,
      commits,
      hostname: experiment.machine.hostname,
      metric: comparison.metric,
      ratio: ratioOf(comparison.interval),
      verdict: comparison.verdict,
      margin: comparison.margin,
      minimalDetectableSlowdown: comparison.minimalDetectableSlowdown,
      runs: comparison.runs,
      meanNs: { A: comparison.sides.A.mean * 1e9, B: comparison.sides.B.mean * 1e9 },
      metrics: metricsOf(comparison),
    }));
}

/** Every metric of a comparison but the time that decides it, each name once. */
function metricsOf(comparison: Comparison): readonly PointMetric[] {
  const { metric, verdict, otherMetrics: others, quantities = [], sides: both, interval } = comparison;
  const [peakOfA, peakOfB] = [both.A.maxRssBytes, both.B.maxRssBytes];
  const found: readonly PointMetric[] = [
    ...(isTimeMetric(metric)
      ? []
      : [{ name: metric, ...meansOf(metric, comparison), ratio: ratioOf(interval), verdict }]),
    ...others.map((other) => ({
      name: other.metric,
      ...meansOf(other.metric, comparison),
      ratio: ratioOf(other.interval),
      verdict: other.verdict,
    })),
    ...quantities.map(({ name, unit, A, B, ratio, verdict: own }) => ({
      name,
      unit,
      mean: { A: A.mean, B: B.mean },
      ratio: ratio === null ? null : ratioOf(ratio),
      verdict: quantityVerdicts[own],
    })),
    ...(peakOfA === null || peakOfB === null
      ? []
      : [
          {
            name: largestRss,
            unit: 'bytes',
            mean: { A: peakOfA, B: peakOfB },
            ratio: null,
            verdict: 'undecided' as const,
          },
        ]),
  ];
  const byName = new Map<string, PointMetric>();
  for (const one of found)
    if (one.name !== metric || !isTimeMetric(metric)) byName.set(one.name, byName.get(one.name) ?? one);
  return [...byName.values()];
}

const quantityVerdicts = {
  more: 'slower',
  less: 'faster',
  same: 'dead-heat',
  undecided: 'undecided',
} as const satisfies Record<string, Verdict>;

/** The unit of a metric, and the mean of each side as far as the report has it. */
function meansOf(
  metric: Comparison['metric'],
  { sides: both, resources = [], otherMetrics }: Comparison,
): Pick<PointMetric, 'unit' | 'mean'> {
  if (isResourceMetric(metric)) {
    const used = resources.find((one) => one.metric === metric);
    const unit = otherMetrics.find((one) => one.metric === metric)?.counting?.unit ?? metricKinds[metric].unit;
    return { unit, mean: used === undefined ? null : { A: used.A, B: used.B } };
  }

  function meanNs(side: Side): number | null {
    const { mean, metric: own, user, system } = both[side];
    if (own === metric) return mean * 1e9;
    return metric === 'cpu' && user !== null && system !== null ? (user + system) * 1e9 : null;
  }

  const [A, B] = [meanNs('A'), meanNs('B')];
  return { unit: 'ns', mean: A === null || B === null ? null : { A, B } };
}

function ratioOf({
  estimate,
  low,
  high,
  level: confidence,
}: Pick<Interval, 'estimate' | 'low' | 'high' | 'level'>): HistoryPoint['ratio'] {
  return { estimate, low, high, confidence };
}

/** A text to which nothing is added stays as it is, byte for byte. */
function withAdditions(text: string, additions: object): string {
  return Object.keys(additions).length === 0 ? text : sealDocument({ ...(JSON.parse(text) as object), ...additions });
}

/** Lists the records of the programs and the files that they were read from. */
async function listRecords(directory: string): Promise<readonly string[]> {
  const folder = join(directory, recordingFiles.records);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => `${recordingFiles.records}/${name}`)
    .filter(isKeptFile)
    .toSorted();
}

function incomplete(directory: string, why: string): HistoryError {
  return new HistoryError(
    'INCOMPLETE_RECORDING',
    `${directory} is not finished: ${why}. Finish it first: deadheat --resume '${directory}'.`,
  );
}

/** Name of the folder of a recording: when it began and its id. What the two hold makes no path of it. */
export function recordingFolderName({ id, startedAt }: Pick<StoredRecording, 'id' | 'startedAt'>): string {
  const stamp = startedAt.slice(0, 19).replaceAll(/[^\dT]/g, '');
  return `${stamp}Z-${id.replaceAll(/[^\p{L}\p{N} ._-]/gu, '_').slice(0, 60)}`;
}
