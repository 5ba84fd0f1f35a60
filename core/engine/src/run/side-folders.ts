import { constants } from 'node:fs';
import { cp, lstat, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import { DeadheatError, sides, type Benchmark, type Side } from '@deadheat/model';
import { forget, makeTemporaryFolder } from '@deadheat/sync';

/**
 * Folders that belong to one side alone while an experiment is executed on this machine: one for temporary files, and a
 * copy of each folder that a benchmark names as `scratch`. Paths of A and B have the same length, so that they change no layout.
 */
export class SideFolders {
  /** Holds all of them; `null` = the machine has no place for them. */
  readonly root: string | null;
  readonly #copies = new Map<string, string>();

  private constructor(root: string | null) {
    this.root = root;
  }

  /**
   * Makes the folders of an experiment, below the folder for temporary files.
   *
   * @throws DeadheatError `SCRATCH_FAILED` when a folder cannot be copied
   */
  static async make(benchmarks: readonly Pick<Benchmark, 'name' | 'scratch'>[]): Promise<SideFolders> {
    let root: string | null = null;
    try {
      root = makeTemporaryFolder('');
      for (const side of sides) await mkdir(join(root, side, 'tmp'), { recursive: true });
    } catch {
      // A machine whose folder for temporary files cannot be written has always been good enough for programs that need none.
    }
    const folders = new SideFolders(root);
    try {
      for (const benchmark of benchmarks) for (const side of sides) await folders.#copy(side, benchmark);
    } catch (error) {
      await folders.remove();
      throw error;
    }
    return folders;
  }

  /** A benchmark whose sides are executed with these folders. What the user set as TMPDIR stays. */
  place(benchmark: Benchmark): Benchmark {
    const moved = (side: Side, path: string): string => this.#moved(side, { benchmark, path });
    return {
      ...benchmark,
      environment: both((side) => ({
        ...(this.root === null ? {} : { TMPDIR: join(this.root, side, 'tmp') }),
        ...benchmark.environment[side],
      })),
      workingDirectory: both((side) => {
        const source = benchmark.scratch[side];
        const own = benchmark.workingDirectory[side];
        if (source === null) return own;
        const from = own ?? process.cwd();
        return moved(side, isWithin(from, source) ? from : source);
      }),
      commands: both((side) => {
        const { argv, ...command } = benchmark.commands[side];
        const [program = '', ...rest] = argv;
        return { ...command, argv: [moved(side, program), ...rest] };
      }),
    };
  }

  /** Removes all of them; does nothing the second time. */
  async remove(): Promise<void> {
    if (this.root === null) return;
    await rm(this.root, { recursive: true, force: true }).then(
      () => forget(this.root ?? ''),
      () => {},
    );
  }

  async #copy(side: Side, { name, scratch }: Pick<Benchmark, 'name' | 'scratch'>): Promise<void> {
    const source = scratch[side];
    if (source === null || this.#copies.has(`${side}${source}`)) return;
    const place = join(this.root ?? tmpdir(), side, `scratch-${this.#copies.size >> 1}`);
    try {
      await cp(source, place, {
        recursive: true,
        preserveTimestamps: true,
        verbatimSymlinks: true,
        // Shares the blocks of the files where the file system can.
        mode: constants.COPYFILE_FICLONE,
        filter: async (path) => path !== join(source, '.deadheat') && isCopied(path),
      });
    } catch (error) {
      throw new DeadheatError(
        'SCRATCH_FAILED',
        `${name} cannot get copies of the folder ${source} (${(error as Error).message}). ` +
          'Name a folder that can be read, and see that the folder for temporary files (TMPDIR) has room for two copies and does not lie in it.',
        { cause: error },
      );
    }
    this.#copies.set(`${side}${source}`, place);
  }

  /** Where a path of a scratch folder lies in the side's copy; any other path is itself. */
  #moved(side: Side, { benchmark, path }: { readonly benchmark: Benchmark; readonly path: string }): string {
    const source = benchmark.scratch[side];
    const place = source === null ? undefined : this.#copies.get(`${side}${source}`);
    return source === null || place === undefined || !isWithin(path, source)
      ? path
      : join(place, relative(source, path));
  }
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return isAbsolute(path) && way !== '..' && !way.startsWith('../');
}

function both<Value>(of: (side: Side) => Value): Record<Side, Value> {
  return { A: of('A'), B: of('B') };
}

/** Sockets, pipes and devices stay behind. */
async function isCopied(path: string): Promise<boolean> {
  const found = await lstat(path);
  return found.isFile() || found.isDirectory() || found.isSymbolicLink();
}
