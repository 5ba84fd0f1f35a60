import { basename } from 'node:path';
import { workloadFacts } from '@deadheat/model';
import type { Parsed } from '../settings/amounts.ts';
import { flagAt, flagOfKey, settingsOf, type TypedLayer } from '../settings/layer-of-flags.ts';
import type { SideOf } from '../settings/program-table.ts';
import { impliedMethod, meansDuet, type Wording } from '../settings/settings-resolver.ts';

/*
 * An experiment of typed commands: its name, and messages that name flags.
 */

const longest = 40;
/** The first word of a command that is a program: neither `exec` nor `env`, nor a variable that it is given. */
const programIn = /(?<!\S)(?!(?:exec|env)(?:\s|$)|\w+=)\S+/;

/** A short name for the folder of a recording, of letters, digits, `.`, `_` and `-`: `gzip`, `old-vs-new`. */
export function nameExperiment(commands: readonly Pick<SideOf<Parsed>, 'name' | 'command'>[]): string {
  const [a = '', b = ''] = commands
    .slice(0, 2)
    .map(({ name, command = '' }) =>
      slug(name === undefined ? basename(programIn.exec(command)?.[0] ?? '') : String(name)),
    );
  const more = commands.length <= 2 ? '' : `-and-${commands.length - 2}-more`;
  return ((a === b ? a : `${a}-vs-${b}`) + more).slice(0, longest).replace(/[-.]+$/, '') || 'comparison';
}

/** The letters and digits of a text, and `.` and `_`, with a `-` for what stands between; it begins and ends with none but letters, digits and `_`, and may be empty. */
export function slug(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9._]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '');
}

/** Options by their flags; where no method was named, with the option that means it. */
export function wordingOfCommands(typed: TypedLayer): Wording {
  const name: Wording['name'] = (path) => flagAt(path.slice(1), typed);
  return {
    name,
    noEffect: (path, { because, why }) => {
      const { protocol } = workloadFacts[typed.workload ?? 'command'];
      const timed = protocol ? '--harness' : typed.parser === undefined ? null : '--parser';
      const cause = because === 'method' ? methodInWords(typed) : timed;
      return cause === null
        ? { message: `${name(path)} has no effect without --harness: ${why}`, hint: 'Add --harness, or leave it out.' }
        : { message: `${name(path)} has no effect with ${cause}: ${why}`, hint: 'Leave one of them out.' };
    },
  };
}

function methodInWords(typed: TypedLayer): string {
  const { methods, like, workload = 'command' } = typed;
  if (methods !== undefined) return `--method ${(methods as string[]).join()}`;
  const layer = settingsOf(typed);
  const method = impliedMethod(workload, [layer]);
  if (like !== undefined) return `${method}, which --like ${like} means`;
  const cause = meansDuet(workload, [layer]);
  if (cause === null) return `the default, ${method}`;
  return `${method}, which ${cause === 'metric' ? '--metric time' : flagOfKey(cause)} means`;
}

/**
 * True if a command is known to time its own iterations as a side of a comparison: `vitest bench`, however it is started
 * (`npx vitest bench`, `node node_modules/vitest/vitest.mjs bench`).
 */
export function takesPart(commandLine: string): boolean {
  return /(?:^|[\s/'"])vitest(?:\.mjs)?['"]?\s+bench(?=\s|$)/.test(commandLine);
}
