import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { ExperimentDraft } from '@deadheat/engine';
import {
  benchmarkDefaults,
  experimentDefaults,
  noHooks,
  settingsSchema,
  sides,
  type Benchmark,
  type Hooks,
  type Params,
  type Side,
} from '@deadheat/model';
import { UsageError } from '../errors/usage-error.ts';
import { expandParameters, fillSide } from '../settings/parameters.ts';
import type { CompareRequest, Contender } from './compare-request.ts';
import { nameExperiment } from './name-experiment.ts';
import { findExecutable, type Located } from './find-executable.ts';
import { withControls } from './with-controls.ts';
import { resolveCommand } from './resolve-command.ts';

/** Context of a draft: facts of the machine, and defaults where the user did not choose. */
export interface DraftSources {
  readonly which: (word: string) => Located;
  /** Absolute path that a relative `--input` starts at. */
  readonly cwd: string;
  /** Where a relative `--scratch` starts, absolute; absent = at `cwd`. */
  readonly scratchFrom?: string;
  readonly defaultSeed: string;
  /** Suggests the probable meaning of the only word of a command; absent = nothing is suggested. */
  readonly suggest?: (word: string) => string | null;
}

/** The experiment that a comparison stands for: a benchmark for each combination of parameters, commands resolved. */
export function toExperimentDraft(invocation: CompareRequest, sources: DraftSources): ExperimentDraft {
  checkParametersUsed(invocation);
  const requests = [invocation, ...(invocation.contenders ?? []).map((one) => withContender(invocation, one))];
  const benchmarks = expandParameters(invocation.parameters).flatMap((params) =>
    requests.map((request, index) => {
      const called = requests.length === 1 ? null : { A: 'A', B: `${index + 2}` };
      return toBenchmark(request, { params, sources, called });
    }),
  );
  const draft: ExperimentDraft = {
    name: nameExperiment(invocation),
    benchmarks,
    ...settingsSchema.parse(invocation),
    ...experimentDefaults,
    cpus: invocation.cpus,
    lanes: invocation.lanes,
    seed: invocation.seed ?? sources.defaultSeed,
    correction: invocation.correction,
    strict: invocation.strict,
    showOutput: invocation.showOutput,
  };
  return invocation.control ? withControls(draft) : draft;
}

/** @throws UsageError for a parameter that changes nothing, since no command or hook holds it between braces */
function checkParametersUsed(invocation: CompareRequest): void {
  const { commands, names, setup, prepare, conclude, cleanup, parameters, contenders = [] } = invocation;
  const templates = [commands, names, prepare, conclude].flatMap((of) => sides.map((side) => of[side]));
  const others = contenders.flatMap((one) => [one.command, one.name, one.prepare, one.conclude]);
  const text = [...templates, ...others, setup, cleanup].filter((template) => template !== null).join('\n');
  const unused = parameters.find(({ name }) => !text.includes(`{${name}}`));
  if (unused === undefined) return;
  // `${y}` is of the shell.
  const held = Array.from(text.matchAll(/(?<!\$)\{([\p{L}\p{N}_.-]+)\}/gu), ([, name = '']) => name);
  const other = held.find((name) => name !== 'side' && !parameters.some((parameter) => parameter.name === name));
  throw new UsageError('CONFLICT', `the parameter ${unused.name} has no effect: no command holds {${unused.name}}`, {
    hint:
      other === undefined
        ? `Write {${unused.name}} where its value is to be, or leave the parameter out.`
        : `There is {${other}}, for which there is no parameter. Did you mean {${unused.name}}?`,
  });
}

/** The same comparison with another command as B. */
function withContender(request: CompareRequest, { command, name, prepare, conclude }: Contender): CompareRequest {
  const { commands, names } = request;
  return {
    ...request,
    commands: { A: commands.A, B: command },
    names: { A: names.A, B: name },
    prepare: { A: request.prepare.A, B: prepare },
    conclude: { A: request.conclude.A, B: conclude },
  };
}

function toBenchmark(
  invocation: CompareRequest,
  {
    params,
    sources,
    called,
  }: {
    readonly params: Params;
    readonly sources: DraftSources;
    /** Names of the commands in messages where they are several; `null` = their sides. */
    readonly called: Readonly<Record<Side, string>> | null;
  },
): Benchmark {
  const { commands: templates, names, input, scratch, shell } = invocation;
  const fillOrNull = (template: string | null, side: Side): string | null =>
    template === null ? null : fillSide(template, { params, side });
  const [A, B] = sides.map((side) =>
    resolveCommand(fillSide(templates[side], { params, side }), {
      side,
      ...(called === null ? {} : { called: called[side] }),
      shell,
      which: sources.which,
      name: fillOrNull(names[side], side),
      suggest: sources.suggest ?? ((): null => null),
    }),
  );
  if (A === undefined || B === undefined) throw new RangeError('a comparison has two sides');
  const hooksOf = (side: Side): Hooks => ({
    ...noHooks,
    setup: fillOrNull(invocation.setup, side),
    prepare: fillOrNull(invocation.prepare[side], side),
    conclude: fillOrNull(invocation.conclude[side], side),
    cleanup: fillOrNull(invocation.cleanup, side),
  });
  const scratchOf = (side: Side): string | null =>
    scratch === null ? null : resolve(sources.scratchFrom ?? sources.cwd, fillSide(scratch, { params, side }));
  return {
    ...benchmarkDefaults,
    workload: invocation.workload,
    name: A.name === B.name ? A.name : `${A.name} vs ${B.name}`,
    params,
    commands: { A, B },
    hooks: { A: hooksOf('A'), B: hooksOf('B') },
    scratch: { A: scratchOf('A'), B: scratchOf('B') },
    input: input === null ? null : resolve(sources.cwd, input),
  };
}

/** The experiment of commands as they were typed, sought where `PATH` of the variables says; a seed is drawn where none is given. */
export function draftOfCommands(
  request: CompareRequest,
  {
    variables,
    suggest,
  }: {
    readonly variables: Readonly<Record<string, string | undefined>>;
    readonly suggest?: NonNullable<DraftSources['suggest']>;
  },
): ExperimentDraft {
  return toExperimentDraft(request, {
    which: (word) => findExecutable(word, { path: variables['PATH'] ?? '', cwd: process.cwd() }),
    cwd: process.cwd(),
    defaultSeed: randomBytes(4).toString('hex'),
    ...(suggest === undefined ? {} : { suggest }),
  });
}
