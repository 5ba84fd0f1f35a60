import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { StudyBenchmark, StudyFacet } from '@deadheat/analysis';
import { configOf, type Machine } from '@deadheat/model';
import type { ImportOptions, MeasuredFile } from '@deadheat/readers';
import { type MeasuredRecording, readRecordingOrFiles } from 'deadheat/planning';
import { forkTimes, projectOf, steadyStateFormat } from '../formats/published-series.ts';

/** What was measured, as a recording or files of another tool hold it. */
export interface MeasuredSource {
  /** Identifier of a recording; of files their path. */
  readonly id: string;
  /** What it is called: of a recording its name, of files their path. */
  readonly name: string;
  /** `null` = of files, which have none. */
  readonly seed: string | null;
  readonly benchmarks: readonly StudyBenchmark[];
  /** Series that were published to study steady states, where it is one; each is the whole run of a fork. */
  readonly steady: readonly PublishedSeries[] | null;
}

/** A published benchmark, with all iterations of its forks. */
export interface PublishedSeries {
  readonly name: string;
  /** Repository that it belongs to. */
  readonly project: string;
  /** Mean time of an invocation in every iteration of each fork, ns. */
  readonly forks: readonly Float64Array[];
}

/** What was read, and what is to be said about it. */
export interface MeasuredSources {
  readonly sources: readonly MeasuredSource[];
  readonly notes: readonly string[];
}

/**
 * Reads recordings and files of other tools, whatever they are. What is given twice counts once.
 *
 * @param reading how files are read that do not say it themselves, and whether histograms of invocations are kept
 * @throws RecordError, AnalysisError and ImportError for what cannot be read; DeadheatError `NOT_A_RECORDING` for a folder of another kind
 */
export async function readMeasured(paths: readonly string[], reading: ImportOptions = {}): Promise<MeasuredSources> {
  const sources = new Map<string, MeasuredSource>();
  const notes: string[] = [];
  for (const path of paths) {
    const digest = await digestOf(path);
    const known = digest === null ? undefined : sources.get(digest);
    const source = known ?? (await read(path, reading));
    const key = digest ?? source.id;
    const first = sources.get(key);
    if (first === undefined) sources.set(key, source);
    else notes.push(`${path} is the same ${digest === null ? 'recording' : 'file'} as ${first.name}, and counts once`);
  }
  return { sources: [...sources.values()], notes };
}

/** Of a file its content; a folder is told by what is in it. */
async function digestOf(path: string): Promise<string | null> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch {
    return null;
  }
  return `sha256 ${hash.digest('hex')}`;
}

async function read(path: string, reading: ImportOptions): Promise<MeasuredSource> {
  const found = await readRecordingOrFiles(path, reading);
  return 'trials' in found ? fromRecording(found) : fromFiles(found);
}

function fromRecording({ experiment, measured }: MeasuredRecording): MeasuredSource {
  const { id, config, machine, hosts = [] } = experiment;
  const machines = new Map(hosts.map((host) => [host.id, host] as const));
  const benchmarks = measured.flatMap(({ benchmark, runs }): StudyBenchmark[] => {
    const own = configOf(config, benchmark);
    const suite = benchmark.containers?.suite ?? config.name;
    const ids = [...new Set(runs.map(({ trial }) => trial.host))];
    return ids.map((hostId) => {
      const host = hostId === undefined ? undefined : machines.get(hostId);
      return {
        benchmark,
        config: own,
        runs: runs.filter(({ trial }) => trial.host === hostId),
        facets: { suite, ...facetsOf(host?.machine ?? machine, host?.labels ?? {}) },
      };
    });
  });
  return { id, name: config.name, seed: config.seed, benchmarks, steady: null };
}

function facetsOf(
  { hostname, cpuModel, virtualization }: Machine,
  labels: Readonly<Record<string, string>>,
): StudyBenchmark['facets'] {
  return {
    machine: cpuModel === null ? hostname : `${hostname} (${cpuModel})`,
    environment: labels['environment'] ?? virtualization,
  } satisfies Partial<Record<StudyFacet, string | null>>;
}

function fromFiles({ path, format, hostname, benchmarks }: MeasuredFile): MeasuredSource {
  return {
    id: path,
    name: path,
    seed: null,
    benchmarks: benchmarks.map((one) => ({ ...one, facets: { machine: hostname } })),
    steady:
      format === steadyStateFormat
        ? benchmarks.map(({ benchmark: { name }, runs }) => ({
            name,
            project: projectOf(name),
            forks: runs.map(({ iterations }) => forkTimes(iterations.A)),
          }))
        : null,
  };
}
