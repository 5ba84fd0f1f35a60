import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { lastErrorName, loadLibc } from '../libc.ts';
import { monotonicNowNs } from '../clocks.ts';
import { SyncError } from '../sync-error.ts';
import type { GateFiles } from './messages.ts';

interface Gate {
  readonly files: GateFiles;
  readonly go: number;
  /** Holds the pipe open until whoever waits behind the gate holds it himself. */
  readonly holder: number;
}

/** What was seen at a gate, ns of CLOCK_MONOTONIC. */
export interface Passage {
  readonly startNs: number;
  readonly endNs: number;
}

/**
 * Lets programs go that were started elsewhere and wait, such as in a container, and sees their end. A gate is two named
 * pipes: the program's shell reads from `go` before it executes the program, and the program holds `end` open for
 * writing until it ends.
 */
export class GateKeeper {
  #gates: Gate[] = [];
  readonly #byte = Buffer.from('\n');
  readonly #nothing = Buffer.alloc(1);

  /** Makes gates in place of those that there were. Files of their names are replaced. */
  make(gates: readonly GateFiles[]): void {
    this.#close();
    const libc = loadLibc();
    this.#gates = gates.map((files) => {
      for (const path of [files.go, files.end]) {
        rmSync(path, { force: true });
        // Before anybody else knows the name; the mode is not cut by the umask of whoever started us.
        const umask = process.umask(0);
        const made = libc.mkfifo(path, 0o666);
        process.umask(umask);
        if (made !== 0) throw new SyncError('SPAWN_FAILED', `cannot make the pipe ${path}: ${lastErrorName(libc)}`);
      }
      return { files, go: openSync(files.go, 'r+'), holder: openSync(files.end, 'r+') };
    });
  }

  /**
   * Opens a gate behind which a program waits, and waits for its end.
   *
   * @param meet called right before the gate opens
   */
  pass(index: number, meet: () => void): Passage {
    const gate = this.#gates[index];
    if (gate === undefined) throw new SyncError('LAUNCHER_PROTOCOL', `gate ${index} was never made`);
    const end = openSync(gate.files.end, 'r');
    try {
      closeSync(gate.holder);
      this.#gates[index] = { ...gate, holder: -1 };
      meet();
      const startNs = monotonicNowNs();
      writeSync(gate.go, this.#byte);
      while (readSync(end, this.#nothing) > 0);
      return { startNs, endNs: monotonicNowNs() };
    } finally {
      closeSync(end);
    }
  }

  #close(): void {
    for (const { go, holder } of this.#gates) {
      closeSync(go);
      if (holder !== -1) closeSync(holder);
    }
    this.#gates = [];
  }
}
