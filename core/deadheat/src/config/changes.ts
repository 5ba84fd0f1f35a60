import { type ResourceMetric, resourceMetricSchema } from '@deadheat/model';
import { z } from 'zod';
import { experimentTable } from '../settings/experiment-table.ts';
import type { TypedLayer } from '../settings/layer-of-flags.ts';
import { settingsTable } from '../settings/settings-table.ts';

/** Changes that a caller makes to an experiment that is described elsewhere. */
export interface Changes {
  /** The innermost layer of the description. */
  readonly typed: TypedLayer;
  /** Names of the only benchmarks that are run, `*` standing for any text; empty = all. */
  readonly filter: readonly string[];
  /** Resources that are measured beside those of the description. */
  readonly resources: readonly ResourceMetric[];
}

export const noChanges: Changes = { typed: {}, filter: [], resources: [] };

/** Keys that may be typed for a fleet: what workers execute comes from the file alone. */
const keysForFleets: ReadonlySet<string> = new Set([
  'methods',
  ...Object.keys(settingsTable),
  ...Object.keys(experimentTable).filter((key) => key !== 'artifacts'),
]);

/** The keys of a layer that describe programs, and are not taken from a queue by the workers of a fleet. */
export function keysOfPrograms(typed: TypedLayer): readonly string[] {
  return Object.keys(typed).filter((key) => !keysForFleets.has(key));
}

const changesSchema = z.object({
  typed: z
    .record(z.string(), z.unknown())
    .refine((typed) => keysOfPrograms(typed).length === 0)
    .default({}),
  filter: z.array(z.string()).default([]),
  resources: z.array(resourceMetricSchema).default([]),
});

/** Changes in the form that a fleet carries. @throws ZodError for anything else, and for what describes programs */
export function readChanges(value: unknown): Changes {
  return changesSchema.parse(value);
}
