import type { ExperimentDraft } from '@deadheat/engine';
import { readExperiment, resumeSession, rewritten } from 'deadheat/internals';
import type { TypedLayer } from 'deadheat/settings';
import { compareOptions } from '../command/compare-options.ts';
import { type Command, defineCommand } from '../command/define-command.ts';
import { option, text } from '../command/option.ts';
import { outputOptions, toOutputChoices } from '../command/output-options.ts';
import { typedCommands } from '../command/typed-experiment.ts';
import { createNoticeWriter } from '../terminal/output.ts';
import { isInputRedirected, keepStandardInput } from '../terminal/terminal.ts';
import { suggestSubcommand } from './registry.ts';

/** `deadheat 'A' 'B'`. */
export const compare: Command = defineCommand({
  description:
    'Compares two commands and reports whether B is slower than A, by how much, and how certain that is. Several commands are compared with the first one, and ranked.',
  usage: "[options] 'command A' ['command B'] ['command C' ...]\n       deadheat SUBCOMMAND [options] [arguments]",
  args: { '[commands...]': 'commands' },
  options: {
    ...compareOptions,
    resume: option('--resume <RECORDING>', {
      help: 'continue an experiment that was interrupted, from the folder of its recording; takes no commands',
      parse: text('the folder of a recording'),
      group: 'What to compare:',
      only: [...Object.keys(outputOptions), 'failOn', 'undecided', 'layoutProof', 'explain'],
      why: 'finishes an experiment as it was planned',
    }),
  },
  act: async ({ resume, ...values }, { commands }, terminal) => {
    const { measureCommands, runWithProgress } = await import('../experiment/run-with-progress.ts');
    if (resume !== null) {
      return runWithProgress((control) => resumeSession(resume, { ...control, leaves: false }), {
        choices: toOutputChoices(values),
        terminal,
      });
    }
    const input = values.input === '-' ? await keepStandardInput() : values.input;
    if (input === null && isInputRedirected()) {
      createNoticeWriter(values, terminal)('standard input is not read: --input - gives it to every command');
    }
    const { changes, ...typed } = typedCommands(commands, { ...values, input });
    const choices = { variables: terminal.env, suggest: suggestSubcommand };
    async function read(more: TypedLayer, rewrite?: (commandLine: string) => string): Promise<ExperimentDraft> {
      const layer = { ...changes.typed, ...more };
      const subject = rewrite === undefined ? typed : rewritten(typed, rewrite);
      return (await readExperiment(subject, { ...choices, changes: { ...changes, typed: layer } })).draft;
    }
    const draft = await read({});
    const { output } = values;
    const subject = { draft, typed: changes.typed, read: typed.commands.length > 2 ? null : read };
    return runWithProgress((control) => ({ settled: measureCommands(subject, { ...control, output }) }), {
      choices: toOutputChoices(values),
      terminal,
      showOutput: draft.showOutput,
    });
  },
  examples: `
Examples:
  deadheat 'gzip -6 -k -c big.bin' 'gzip -7 -k -c big.bin'
      is level 7 slower than level 6, and by how much?
  deadheat -n old -n new -n mine './sort-1 f' './sort-2 f' './sort-3 f'
      compare several commands with the first one, and rank them
  deadheat 'sort big.txt'
      compare a command with itself: which slowdown can this machine detect?
  deadheat -L level 1,6,9 -n old -n new './old -{level} f' './new -{level} f'
      make three comparisons, one for each level
  deadheat --margin 1% --fail-on slower './base' './change'
      for continuous integration: exit code 1 if B is slower by more, 6 if that
      could not be excluded
  deadheat --precision 0.5% --max-time 10m './base' './change'
      measure until the difference is known to half a percent
  deadheat --until decided --margin 1% './base' './change'
      stop as soon as it is certain that B is slower, faster or neither
  deadheat --export json:- 'a' 'b' | jq '.comparisons[0].verdict'

Exit codes: 0 the comparison is complete; 1 B is slower (with --fail-on);
2 the command line is wrong; 4 a command failed or did not start;
5 A differs from itself (with --control); 6 B was not measured well enough to
exclude that it is slower (with --fail-on);
124 the time limit passed before there was a result; 130 interrupted.

The environment variables NO_COLOR and FORCE_COLOR switch colours off and on.
`,
});
