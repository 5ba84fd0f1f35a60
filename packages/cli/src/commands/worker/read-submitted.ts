import { join } from 'node:path';
import { containerEngineSchema, correctionSchema, methodSchema } from '@deadheat/model';
import type { ReadExperiment } from '@deadheat/fleet';
import { z } from 'zod';
import { narrowDraft, readConfig } from 'deadheat/internals';

const narrowingSchema = z.object({
  filter: z.array(z.string()),
  methods: z.array(methodSchema),
  seed: z.string().nullable(),
  maxTimeNs: z.int().positive().nullable(),
  engine: containerEngineSchema.nullable(),
  showOutput: z.boolean(),
  control: z.boolean(),
  correction: correctionSchema.nullable(),
});

/** How a worker reads what a commit describes: as `deadheat run` would in that folder. */
export function readSubmitted(searchPath: string): ReadExperiment {
  return ({ folder, file, narrowing }) => {
    const path = join(folder, file);
    const draft = readConfig(path, { cwd: folder, searchPath, defaultSeed: '' });
    return narrowDraft(draft, narrowingSchema.parse(narrowing));
  };
}
