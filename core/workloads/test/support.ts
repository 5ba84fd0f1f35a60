import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCompiler } from '../src/c/build-program.ts';

/** Why nothing in C can be tested here; `null` when it can. */
export const noCompiler: string | null = (() => {
  try {
    findCompiler();
    return null;
  } catch (error) {
    return (error as Error).message.split('\n', 1)[0] ?? '';
  }
})();

/** A folder of its own for one test. */
export class Folder {
  readonly path: string = mkdtempSync(join(tmpdir(), 'deadheat-workloads-'));

  /** An environment in which this folder is what remembers programs and amounts. */
  environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    const { DEADHEAT_CALIBRATION: _folder, CC: _compiler, ...rest } = process.env;
    return { ...rest, XDG_CACHE_HOME: this.path, ...more };
  }

  remembered(): readonly string[] {
    return readdirSync(join(this.path, 'deadheat'));
  }

  end(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Waits until `condition` holds, looking often; for what another process does in its own time. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
