import { accessSync, constants, statSync } from 'node:fs';
import { resolve, relative } from 'node:path';
import {
  meetsOnOwnCores,
  settingsSchema,
  sides,
  type Benchmark,
  type Container,
  type Params,
  type Settings,
  type Side,
  type Command,
  type Hooks,
} from '@deadheat/model';
import { fillParameters, fillSide as fillText } from '@deadheat/model/text';
import { expandParameters } from '../settings/parameters.ts';
import { findExecutable, type Located } from '../draft/find-executable.ts';
import { resolveCommand } from '../draft/resolve-command.ts';
import { CommandError } from '../errors/command-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import { createExcerpt } from '../errors/excerpt.ts';
import type { BenchmarkSpec, PlacedText, SideSpec } from './benchmark-spec.ts';
import { typedRoot, type Problems } from '../settings/problem.ts';
import { readParser } from './read-parser.ts';

export interface BenchmarkSources {
  /** Folder of the file, absolute: where relative paths start. */
  readonly folder: string;
  /** Where relative folders that were typed start, absolute. */
  readonly typedFrom: string;
  /** Where programs are sought, colon-separated. */
  readonly searchPath: string;
  readonly problems: Problems;
  /** Names of the commands in messages where they are several; `null` = their sides. */
  readonly called: Readonly<Record<Side, string>> | null;
  /** True for commands, whose benchmarks are called by them. */
  readonly ofCommands: boolean;
  readonly suggest: (word: string) => string | null;
  readonly find: typeof findExecutable;
}

/** One benchmark for each combination of the parameters and each method; `own` holds whole settings. */
export function toBenchmarks(spec: BenchmarkSpec, sources: BenchmarkSources): readonly Benchmark[] {
  return expandParameters(spec.parameters).flatMap((params) => {
    const paramsOf = { A: spec.baseline === null ? params : { ...params, version: spec.baseline }, B: params };
    const [a, b] = sides.map((side) => fillSide(side, { spec: spec.sides[side], params: paramsOf[side], sources }));
    if (a == null || b == null) return [];
    const { A, B } = withDistinctNames({ A: a, B: b }, sources.folder);
    const ofSides = A.command.name === B.command.name ? A.command.name : `${A.command.name} vs ${B.command.name}`;
    const parser = spec.parser === null ? null : readParser(spec.parser, sources);
    const results = fillResults(spec, { params: paramsOf, cwd: { A: A.cwd, B: B.cwd }, problems: sources.problems });
    const input = fillInput(spec, { params, sources });
    return spec.methods.map((settings) => ({
      name: sources.ofCommands ? ofSides : spec.name,
      params,
      commands: { A: A.command, B: B.command },
      hooks: { A: A.hooks, B: B.hooks },
      workload: spec.workload,
      lines: spec.lines,
      parser,
      results,
      environment: { A: A.environment, B: B.environment },
      workingDirectory: { A: A.cwd, B: B.cwd },
      scratch: { A: A.scratch, B: B.scratch },
      input,
      containers: toContainers(spec, { A, B }, settings),
      waiver: spec.waiver,
      controlOf: null,
      chosen: null,
      own: settings,
    }));
  });
}

/** The file that both sides read, absolute; one that was typed starts at the current folder. */
function fillInput(
  { input, sides: specs }: BenchmarkSpec,
  { params, sources }: { readonly params: Params; readonly sources: BenchmarkSources },
): string | null {
  if (input === null) return null;
  const text = fillParameters(input.text, params);
  const path = resolve(input.path[0] === typedRoot ? process.cwd() : sources.folder, text);
  const mayBeMade = sides.some((side) => specs[side].hooks.build !== null || specs[side].hooks.setup !== null);
  const why = mayBeMade ? null : whyUnreadable(path);
  if (why !== null) {
    sources.problems.add(input.path, `input ${text} cannot be read: ${why}`, {
      cause: new UsageError('UNREADABLE_INPUT', `--input ${text} cannot be read: ${why}`, {
        excerpt: createExcerpt(['--input', text], { at: 1 }),
      }),
    });
  }
  return path;
}

function whyUnreadable(path: string): string | null {
  try {
    if (statSync(path).isDirectory()) return 'it is a folder';
    accessSync(path, constants.R_OK);
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES'
      ? 'its permissions do not allow it'
      : 'there is no such file';
  }
}

/** The files that the sides' programs write, absolute. */
function fillResults(
  { sides: specs, parser }: BenchmarkSpec,
  facts: {
    readonly params: Readonly<Record<Side, Params>>;
    readonly cwd: Readonly<Record<Side, string>>;
    readonly problems: Problems;
  },
): Benchmark['results'] {
  const { params, cwd, problems } = facts;
  const [A, B] = sides.map((side) => {
    // In a container it is a path there, and copied out of it.
    const text = parser === null || specs[side].container !== null ? undefined : specs[side].results?.text;
    return text === undefined ? null : resolve(cwd[side], fillText(text, { params: params[side], side }));
  });
  if (A != null && A === B && !A.includes('$DEADHEAT_SIDE')) {
    problems.add(specs.B.results?.path ?? [], `both sides would write ${A}`, {
      hint: 'Put $DEADHEAT_SIDE into it and into the command, or give each side a cwd of its own.',
    });
  }
  return { A: A ?? null, B: B ?? null };
}

function toContainers(
  { suite, agentBarrier, countsCut }: BenchmarkSpec,
  sidesOf: Readonly<Record<Side, FilledSide>>,
  { method }: Settings,
): Benchmark['containers'] {
  const { A, B } = { A: sidesOf.A.container, B: sidesOf.B.container };
  if (A === null || B === null) return null;
  return { A, B, suite, agentBarrier: agentBarrier && meetsOnOwnCores(method), countsCut };
}

/** Settings that differ from `common`, and the method in any case. */
export function ownSettings(settings: Settings, common: Settings): Partial<Settings> {
  const keys = Object.keys(settingsSchema.shape) as (keyof Settings)[];
  const differing = keys.filter((key) => JSON.stringify(settings[key]) !== JSON.stringify(common[key]));
  return Object.fromEntries([...new Set<keyof Settings>(['method', ...differing])].map((key) => [key, settings[key]]));
}

/** `null` when it cannot be executed, which is reported. */
function fillSide(
  side: Side,
  { spec, params, sources }: { readonly spec: SideSpec; readonly params: Params; readonly sources: BenchmarkSources },
): FilledSide | null {
  const { problems, called, suggest, find } = sources;
  const folderOf = ({ path: [first] }: PlacedText): string =>
    first === typedRoot ? sources.typedFrom : sources.folder;
  const fill = (text: string): string => fillText(text, { params, side });
  const fillOrNull = (text: string | null): string | null => (text === null ? null : fill(text));
  const container = fillContainer(spec, fill, problems);
  const cwd =
    spec.cwd === null || container !== null ? sources.folder : resolve(folderOf(spec.cwd), fill(spec.cwd.text));
  if (spec.cwd !== null && !isFolder(cwd)) {
    problems.add(spec.cwd.path, `there is no folder ${cwd}`, { hint: `It starts at ${folderOf(spec.cwd)}.` });
    return null;
  }
  const scratch = spec.scratch === null ? null : resolve(folderOf(spec.scratch), fill(spec.scratch.text));
  if (spec.scratch !== null) {
    const why =
      container !== null
        ? 'scratch has no effect: a container has files of its own'
        : spec.results !== null
          ? 'scratch and results contradict each other: the file would be written in a copy of the folder'
          : isFolder(scratch ?? '')
            ? null
            : `there is no folder ${scratch}`;
    if (why !== null) problems.add(spec.scratch.path, why, { hint: 'Leave scratch out, or name another folder.' });
  }
  const environment = Object.fromEntries(Object.entries(spec.environment).map(([name, text]) => [name, fill(text)]));
  const which = (word: string): Located => {
    // The content of an image is seen when it is started.
    if (container !== null) return { kind: 'found', path: word };
    const located = find(word, { path: environment['PATH'] ?? sources.searchPath, cwd });
    // A program that is built or set up before it is started need not be there yet.
    const isMadeLater = spec.hooks.build !== null || spec.hooks.setup !== null;
    return located.kind === 'missing' && word.includes('/') && isMadeLater
      ? { kind: 'found', path: resolve(cwd, word) }
      : located;
  };
  try {
    const command = resolveCommand(fill(spec.command.text), {
      side,
      ...(called === null ? {} : { called: called[side] }),
      shell: spec.shell,
      which,
      name: fillOrNull(spec.name),
      suggest,
    });
    const hooks = Object.entries(spec.hooks).map(([name, text]) => [name, fillOrNull(text)] as const);
    return { command, cwd, scratch, environment, hooks: Object.fromEntries(hooks) as unknown as Hooks, container };
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof UsageError)) throw error;
    problems.add(spec.command.path, error.message, { hint: hintFor(error, cwd), cause: error });
    return null;
  }
}

function fillContainer(
  { container, cwd }: SideSpec,
  fill: (text: string) => string,
  problems: Problems,
): Container | null {
  if (container === null) return null;
  const { image, cpus, memoryBytes, network, writable, keep, output } = container;
  const workingDirectory = cwd === null ? null : fill(cwd.text);
  if (cwd !== null && workingDirectory?.startsWith('/') !== true) {
    problems.add(cwd.path, `cwd is a folder of the container here, and ${workingDirectory} does not begin with /`);
  }
  return {
    image: fill(image.text),
    workingDirectory,
    cpus,
    memoryBytes,
    network,
    ...(writable === null ? {} : { writable }),
    results: keep.map(fill),
    output: output === null ? null : fill(output),
  };
}

function hintFor(error: CommandError | UsageError, cwd: string): string | null {
  const isPath = error instanceof CommandError && error.word.includes('/');
  return isPath && error.code === 'COMMAND_NOT_FOUND' ? `A relative path starts at ${cwd}.` : error.hint;
}

/** A path that the system does not follow (too long, links in a circle) is none. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** One side with its parameters filled in. */
interface FilledSide {
  readonly command: Command;
  /** Absolute. */
  readonly cwd: string;
  /** Absolute; `null` = none. */
  readonly scratch: string | null;
  readonly environment: Record<string, string>;
  readonly hooks: Hooks;
  readonly container: Container | null;
}

type Both = Readonly<Record<Side, FilledSide>>;

/**
 * Sides of one command line that differ in variables, folder, name or hooks are not the same command: their command
 * lines say in what they differ, so that reports do not take the comparison for one of A with itself.
 */
function withDistinctNames(both: Both, folder: string): Both {
  const { A, B } = both;
  if (A.command.commandLine !== B.command.commandLine || JSON.stringify(A) === JSON.stringify(B)) return both;
  const described = sides.map((side) => describe(both[side], { other: both[side === 'A' ? 'B' : 'A'], folder }));
  const isDistinct = described[0] !== described[1];
  const [a, b] = sides.map((side, index): FilledSide => {
    const { command } = both[side];
    const commandLine = isDistinct ? (described[index] ?? '') : `${described[index]} (${side})`;
    const name = command.name === command.commandLine ? commandLine : command.name;
    return { ...both[side], command: { ...command, name, commandLine } };
  });
  return { A: a ?? A, B: b ?? B };
}

function describe(
  { command, cwd, environment, container }: FilledSide,
  { other, folder }: { readonly other: FilledSide; readonly folder: string },
): string {
  const variables = Object.entries(environment)
    .filter(([name, value]) => other.environment[name] !== value)
    .map(([name, value]) => `${name}=${value} `);
  const place = cwd === other.cwd ? '' : ` (in ${relative(folder, cwd) || '.'})`;
  const image = container === null || container.image === other.container?.image ? '' : ` (in ${container.image})`;
  const name = command.name === other.command.name ? '' : ` (${command.name})`;
  return `${variables.join('')}${command.commandLine}${place}${image}${name}`;
}
