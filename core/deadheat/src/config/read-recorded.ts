import type { ExperimentDraft } from '@deadheat/engine';
import { experimentSchema } from '@deadheat/model';
import { UsageError } from '../errors/usage-error.ts';
import { flagOfKey } from '../settings/layer-of-flags.ts';
import type { Changes } from './changes.ts';
import { ConfigError } from './config-error.ts';

/** Whether the content of a file is `experiment.json` of a recording. */
export function isRecorded(data: unknown): boolean {
  return (
    typeof data === 'object' &&
    data !== null &&
    'schema' in data &&
    String(data.schema).startsWith('deadheat.experiment/')
  );
}

/**
 * The experiment of a recording as it was before it met its machine: commands, parameters and settings are those that were recorded, cores
 * are chosen here, and methods that pilot runs chose are chosen anew.
 *
 * @throws ConfigError for a file that is damaged or of a newer version; UsageError for settings that were typed beside it
 */
export function readRecorded(
  data: unknown,
  { file, changes: { typed, resources } }: { readonly file: string; readonly changes: Changes },
): ExperimentDraft {
  const other = Object.keys(typed).find((key) => key !== 'seed');
  const flag = other === undefined ? (resources.length === 0 ? null : '--also') : flagOfKey(other);
  if (flag !== null) {
    throw new UsageError('CONFLICT', `${flag} cannot be typed with ${file}, a recording whose settings are repeated`, {
      hint: 'Only --seed and --filter change it; other settings belong in a deadheat.yaml.',
    });
  }
  const parsed = experimentSchema.safeParse(data);
  if (!parsed.success) {
    const { path = [], message = '' } = parsed.error.issues[0] ?? {};
    throw new ConfigError(
      'BAD_CONFIG',
      `${file} is no experiment that this version reads: ${path.join('.')}: ${message}`,
      {
        file,
      },
    );
  }
  const { config } = parsed.data;
  const { cpus: _cores, tandemCpus: _tandem, sequentialCpus: _sequential, lanes: _lanes, ...rest } = config;
  return {
    ...rest,
    benchmarks: config.benchmarks.map((benchmark) => ({ ...benchmark, chosen: null })),
    cpus: null,
    ...(typed['seed'] === undefined ? {} : { seed: String(typed['seed']) }),
  };
}
