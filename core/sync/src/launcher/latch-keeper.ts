import { closeSync, constants, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { lastErrorName, loadLibc } from '../libc.ts';
import { monotonicNowNs } from '../clocks.ts';
import { SyncError } from '../sync-error.ts';
import type { LatchFiles } from './messages.ts';

interface Latch {
  readonly go: number;
  /** Descriptor that keeps the pipe open until the program behind the latch has opened it. */
  readonly holder: number;
}

/** Times seen at a latch, ns of CLOCK_MONOTONIC. */
export interface Passage {
  readonly startNs: number;
  readonly endNs: number;
}

/**
 * Releases programs that were started elsewhere, such as in a container, and wait at a latch; it also sees when they
 * end. A latch is two named pipes: the program's shell reads from `go` before it executes the program, and the program
 * holds `end` open for writing until it ends. The programs can write to the folder of the pipes, so that what lies there under their
 * names later is never opened.
 */
export class LatchKeeper {
  #latches: Latch[] = [];
  readonly #byte = Buffer.from('\n');
  readonly #nothing = Buffer.alloc(1);

  /** Makes latches and replaces all earlier ones. Existing files of the same names are replaced. */
  make(latches: readonly LatchFiles[]): void {
    this.#close();
    const libc = loadLibc();
    this.#latches = latches.map((files) => {
      for (const path of [files.go, files.end]) {
        rmSync(path, { force: true });
        // The mode must not be reduced by the umask that this process inherited.
        const umask = process.umask(0);
        const made = libc.mkfifo(path, 0o666);
        process.umask(umask);
        if (made !== 0) throw new SyncError('SPAWN_FAILED', `cannot make the pipe ${path}: ${lastErrorName(libc)}`);
      }
      return { go: openPipe(files.go), holder: openPipe(files.end) };
    });
  }

  /**
   * Opens a latch behind which a program waits, and waits for its end.
   *
   * @param options.meet called right before the latch opens
   * @param options.onSignal called when a signal interrupts the wait for the program's end
   */
  pass(index: number, { meet, onSignal }: { readonly meet: () => void; readonly onSignal: () => void }): Passage {
    const latch = this.#latches[index];
    if (latch === undefined) throw new SyncError('LAUNCHER_PROTOCOL', `latch ${index} was never made`);
    // The pipe of the holder, whatever its path is by now; it has a writer, so that opening it does not wait.
    const end = openSync(`/proc/self/fd/${latch.holder}`, 'r');
    try {
      closeSync(latch.holder);
      this.#latches[index] = { ...latch, holder: -1 };
      meet();
      const startNs = monotonicNowNs();
      writeSync(latch.go, this.#byte);
      this.#awaitEnd(end, onSignal);
      return { startNs, endNs: monotonicNowNs() };
    } finally {
      closeSync(end);
    }
  }

  #awaitEnd(end: number, onSignal: () => void): void {
    for (;;) {
      try {
        if (readSync(end, this.#nothing) === 0) return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EINTR') throw error;
        onSignal();
      }
    }
  }

  #close(): void {
    for (const { go, holder } of this.#latches) {
      closeSync(go);
      if (holder !== -1) closeSync(holder);
    }
    this.#latches = [];
  }
}

function openPipe(path: string): number {
  const fd = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if (fstatSync(fd).isFIFO()) return fd;
  closeSync(fd);
  throw new SyncError('SPAWN_FAILED', `the pipe ${path} was replaced`);
}
