import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordingFiles } from '@deadheat/model';
import { z } from 'zod';
import { FleetError } from '../fleet-error.ts';

/** Settings of the fleet that executes a recording's runs, stored as `fleet.json` in its folder. */
export interface FleetFile {
  readonly schema: 'deadheat.fleet/1';
  /** The fleet's database; holds no password. */
  readonly url: string;
  /** The number of hosts that the runs are spread over; `null` = all that there are. */
  readonly hosts: number | null;
  readonly labels: Readonly<Record<string, string>>;
  /** Workers that are not to be used. */
  readonly excluded: readonly string[];
  /** The only workers that are to be used; absent or empty = all may. */
  readonly pinned?: readonly string[] | undefined;
  /** Number of other hosts that measure again the benchmarks that are slower; `null` = none. */
  readonly confirm: number | null;
}

const fleetFileSchema: z.ZodType<FleetFile> = z.object({
  schema: z.literal('deadheat.fleet/1'),
  url: z.string(),
  hosts: z.int().positive().nullable(),
  labels: z.record(z.string(), z.string()),
  excluded: z.array(z.string()),
  pinned: z.array(z.string()).optional(),
  confirm: z.int().positive().nullable(),
});

export function writeFleetFile(directory: string, file: Omit<FleetFile, 'schema'>): void {
  const path = join(directory, recordingFiles.fleet);
  writeFileSync(`${path}.new`, `${JSON.stringify({ schema: 'deadheat.fleet/1', ...file }, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

/** @throws FleetError `OTHER_VERSION` */
export function readFleetFile(directory: string): FleetFile {
  const path = join(directory, recordingFiles.fleet);
  try {
    return fleetFileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new FleetError('OTHER_VERSION', `${path} cannot be read: it is damaged, or of a newer deadheat.`, {
      cause: error,
    });
  }
}
