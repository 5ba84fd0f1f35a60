import { fileURLToPath } from 'node:url';
import { takingPart } from '../session.ts';

/** Changes of vitest's configuration. */
interface VitestConfig {
  runner?: string | undefined;
  benchmark?: { provider?: string | undefined };
  testTimeout: number;
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

/** A plugin of Vite with the hook of vitest 4 and 5. */
export interface DeadheatPlugin {
  readonly name: string;
  readonly configureVitest: (context: {
    readonly vitest: { readonly config: unknown; readonly version: string };
    readonly project: { readonly config: unknown };
  }) => void;
}

/**
 * The plugin for `plugins` of vitest's configuration. In an experiment it gives vitest the runner (vitest 4) or the provider of
 * benchmarks (vitest 5) that takes part in it, and executes the files one after the other, in the order of their paths; otherwise it changes nothing.
 */
export function deadheat(): DeadheatPlugin {
  return {
    name: 'deadheat',
    configureVitest: ({ vitest, project }) => {
      if (!takingPart()) return;
      for (const config of [vitest.config, project.config] as VitestConfig[]) {
        if (Number.parseInt(vitest.version, 10) < 5) config.runner = pathOf('runner.js');
        else {
          config.benchmark = { ...config.benchmark, provider: pathOf('provider.js') };
          // A benchmark waits for the other side, and a test of vitest 5 may have many.
          config.testTimeout = 0;
        }
        config.fileParallelism = false;
        config.maxWorkers = 1;
        config.sequence.sequencer = OrderOfPaths;
      }
    },
  };
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
