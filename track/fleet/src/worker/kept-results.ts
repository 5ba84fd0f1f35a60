import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  hostSchema,
  trialSchema,
  warningSchema,
  type Host,
  type Side,
  type Trial,
  type Warning,
} from '@deadheat/model';
import { z } from 'zod';

/** A finished run that waits to be stored in the fleet. */
export interface KeptResult {
  readonly token: string;
  readonly host: Host;
  readonly trial: Trial;
  readonly isCut: boolean;
  readonly warnings: readonly Warning[];
  /** Base64 of what the sides recorded, gzip. */
  readonly records: Readonly<Record<Side, string | null>>;
}

const keptSchema: z.ZodType<KeptResult> = z.object({
  token: z.string(),
  host: hostSchema,
  trial: trialSchema,
  isCut: z.boolean(),
  warnings: z.array(warningSchema),
  records: z.object({ A: z.string().nullable(), B: z.string().nullable() }),
});

const ending = '.json';

/**
 * Keeps finished runs on disk until the fleet has stored them, because the database may be unreachable and the worker
 * may die.
 */
export class KeptResults {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Stores a result and syncs it to the device; leaves nothing behind where the system refuses. */
  keep(result: KeptResult): void {
    const path = this.#path(result.token);
    try {
      const file = openSync(`${path}.new`, 'w', 0o600);
      try {
        writeFileSync(file, JSON.stringify(result));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(`${path}.new`, path);
    } catch (error) {
      rmSync(`${path}.new`, { force: true });
      throw error;
    }
  }

  /** All stored results. A file that cannot be read is incomplete and is removed. */
  list(): readonly KeptResult[] {
    const results: KeptResult[] = [];
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name);
      const read = name.endsWith(ending) ? tryToRead(path) : null;
      if (read === null) rmSync(path, { force: true });
      else results.push(read);
    }
    return results;
  }

  drop(token: string): void {
    rmSync(this.#path(token), { force: true });
  }

  #path(token: string): string {
    return join(this.#folder, `${token}${ending}`);
  }
}

function tryToRead(path: string): KeptResult | null {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
