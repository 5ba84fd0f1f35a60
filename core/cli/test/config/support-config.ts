import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ExperimentDraft } from '@deadheat/engine';
import { configOf, type Benchmark, type ExperimentConfig } from '@deadheat/model';
import { type Changes, readConfig } from 'deadheat/internals';
import { explainError } from '../../src/errors/explain-error.ts';

/** A folder with programs `old` and `new` in it, where files are read as `deadheat run` reads them. */
export class ConfigFolder {
  readonly path: string = mkdtempSync(join(tmpdir(), 'deadheat-config-'));

  constructor() {
    for (const name of ['old', 'new']) this.write(`bin/${name}`, '#!/bin/sh\n', 0o755);
  }

  write(name: string, text: string, mode = 0o644): void {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
  }

  async read(text: string, name = 'deadheat.yaml', changes?: Partial<Changes>): Promise<ExperimentDraft> {
    this.write(name, text);
    return this.open(name, changes);
  }

  open(name: string | null, changes?: Partial<Changes>): Promise<ExperimentDraft> {
    const searchPath = join(this.path, 'bin');
    return readConfig(name, { cwd: this.path, searchPath, defaultSeed: 'drawn', changes });
  }

  /** The exit code and the message of an error, with the folder's own path written as `DIR`. */
  refusal(act: () => unknown): string {
    try {
      act();
    } catch (error) {
      return this.#explain(error);
    }
    return 'accepted\n';
  }

  /** As {@link refusal}, of what is read late. */
  refusalOf(reading: Promise<unknown>): Promise<string> {
    return reading.then(
      () => 'accepted\n',
      (error: unknown) => this.#explain(error),
    );
  }

  #explain(error: unknown): string {
    const { message, exitCode } = explainError(error);
    return `${exitCode} ${message.replaceAll(this.path, 'DIR')}\n`;
  }

  end(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The configuration as it counts for benchmark number `index` of a draft. */
export function settingsOf(draft: ExperimentDraft, index = 0): ExperimentConfig & { readonly entry: Benchmark } {
  const entry = draft.benchmarks[index];
  if (entry === undefined) throw new RangeError(`there is no benchmark ${index}`);
  return { ...configOf({ ...draft, cpus: [0, 1], tandemCpus: [], sequentialCpus: [], lanes: 1 }, entry), entry };
}
