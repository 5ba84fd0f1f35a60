import { fileURLToPath } from 'node:url';
import { takingPart } from '../session.ts';

/** Changes of vitest's configuration. */
interface VitestConfig {
  runner?: string | undefined;
  fileParallelism: boolean;
  maxWorkers: number | string;
  sequence: { sequencer: unknown };
}

interface Specification {
  readonly moduleId: string;
  readonly project: { readonly name: string };
}

/** Files in the order of their paths: vitest's own order depends on sizes and earlier results, in which the two sides differ. */
class OrderOfPaths {
  sort(files: readonly Specification[]): Promise<readonly Specification[]> {
    return Promise.resolve(
      files.toSorted((a, b) => compare(a.project.name, b.project.name) || compare(a.moduleId, b.moduleId)),
    );
  }

  shard(files: readonly Specification[]): Promise<readonly Specification[]> {
    return Promise.resolve(files);
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A plugin of Vite with the hook of vitest 3.2 and 4. */
export interface DeadheatPlugin {
  readonly name: string;
  readonly configureVitest: (context: {
    readonly vitest: { readonly config: unknown };
    readonly project: { readonly config: unknown };
  }) => void;
}

/**
 * The plugin for `plugins` of vitest's configuration. In an experiment it gives vitest the runner that takes part in it, and executes
 * the files one after the other, in the order of their paths; otherwise it changes nothing.
 */
export function deadheat(): DeadheatPlugin {
  return {
    name: 'deadheat',
    configureVitest: ({ vitest, project }) => {
      if (!takingPart()) return;
      for (const config of [vitest.config, project.config] as VitestConfig[]) {
        config.runner = fileURLToPath(new URL('runner.js', import.meta.url));
        config.fileParallelism = false;
        config.maxWorkers = 1;
        config.sequence.sequencer = OrderOfPaths;
      }
    },
  };
}
