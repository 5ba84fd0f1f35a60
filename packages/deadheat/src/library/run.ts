import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resumeExperiment, startExperiment, type ExperimentDraft } from '@deadheat/engine';
import { readConfig, readObject } from '../config/read-config.ts';
import { nameExperiment } from '../draft/name-experiment.ts';
import {
  libraryKey,
  toFileKeys,
  type CompareOptions,
  type ExperimentDescription,
  type NewRunOptions,
  type RunOptions,
  type SideDescription,
} from './options.ts';
import { running, type RunningExperiment } from './running.ts';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/** Name and version of this tool, for recordings and reports. */
export const tool: { readonly name: string; readonly version: string } = {
  name: 'deadheat',
  version: manifest.version,
};

/** Where recordings are unless the caller says otherwise. */
const parent = '.deadheat';

/**
 * Compares two commands on this machine and judges whether B is slower than A.
 *
 * @returns the report; its `comparisons` hold a verdict for each benchmark
 * @throws DeadheatError, by the promise; `BAD_CONFIG` names every option that cannot be carried out
 */
export function compare({ a, b = a, signal, onProgress, output, ...settings }: CompareOptions): RunningExperiment {
  const sides = { A: describeSide(a), B: describeSide(b) };
  const names = { A: nameOf(sides.A), B: nameOf(sides.B) };
  const title = names.A === names.B ? names.A : `${names.A} vs ${names.B}`;
  const commands = { A: sides.A.command, B: sides.B.command };
  return begin(
    () =>
      readObject(
        { ...(toFileKeys(settings) as object), benchmarks: { [title]: toFileKeys(sides) } },
        sourcesFor(nameExperiment({ commands, names: { A: namedOrNull(sides.A), B: namedOrNull(sides.B) } })),
      ),
    { signal, onProgress, output },
  );
}

/**
 * Runs the experiment of a file, or of an object that holds what a file would.
 *
 * @param experiment path of a deadheat.yaml or of a file of duetbench, or the experiment itself
 * @throws DeadheatError, by the promise
 */
export function run(experiment: string | ExperimentDescription, options: NewRunOptions = {}): RunningExperiment {
  return begin(() => {
    const { cwd, searchPath, defaultSeed, ...rest } = sourcesFor('experiment');
    return typeof experiment === 'string'
      ? readConfig(experiment, { cwd, searchPath, defaultSeed })
      : readObject(toFileKeys(experiment), { cwd, searchPath, defaultSeed, ...rest });
  }, options);
}

/**
 * Goes on with an experiment that was interrupted, as it was planned.
 *
 * @param recording its folder
 * @throws DeadheatError, by the promise
 */
export function resume(recording: string, options: RunOptions = {}): RunningExperiment {
  return running((control) => resumeExperiment({ ...control, directory: recording }), options);
}

function begin(draft: () => ExperimentDraft, { output, ...options }: NewRunOptions): RunningExperiment {
  return running(
    (control) => startExperiment({ ...control, draft: draft(), directory: output ?? null, parent, tool }),
    options,
  );
}

function sourcesFor(defaultName: string): Parameters<typeof readObject>[1] {
  return {
    cwd: process.cwd(),
    searchPath: process.env['PATH'] ?? '',
    defaultSeed: randomBytes(4).toString('hex'),
    defaultName,
    nameOfKey: libraryKey,
  };
}

function describeSide(side: SideDescription): Exclude<SideDescription, string> {
  return typeof side === 'string' ? { command: side } : side;
}

function nameOf({ name, command }: Exclude<SideDescription, string>): string {
  return name === undefined ? command : String(name);
}

function namedOrNull({ name }: Exclude<SideDescription, string>): string | null {
  return name === undefined ? null : String(name);
}
