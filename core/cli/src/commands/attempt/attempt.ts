import {
  attempt as judgeAttempt,
  endLoop,
  findLoop,
  type LoopTools,
  readLedger,
  startLoop,
  withVersions,
} from 'deadheat/internals';
import { parseDuration, UsageError } from 'deadheat/settings';
import { filterOptions, styleOptions } from '../../command/common-options.ts';
import { stepOptions } from '../../command/compare-options.ts';
import { type Command, defineCommand, type Family } from '../../command/define-command.ts';
import { exportOption, flag, group, omit, option, type Option, several, share, text } from '../../command/option.ts';
import { typedSubject } from '../../command/typed-experiment.ts';
import { toVersionChoices, versionOptions } from '../../command/version-options.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { measureCommands } from '../../experiment/run-with-progress.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import { checkExports, createNoticeWriter, type Exports, reportStream, writeExport } from '../../terminal/output.ts';
import { createProgressReporter } from '../../terminal/progress.ts';
import { resolveTerminalStyle, type StyleChoice } from '../../terminal/style.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { instructions } from './instructions.ts';
import { renderAttempt, renderEnd, renderEndMarkdown, renderStart, renderStatus } from './render.ts';

/** The options of a comparison that every attempt of a loop has; the loop decides the others by itself. */
const pinnedOptions = omit(stepOptions, [
  ...(['quick', 'confidence', 'strict', 'sameOutput', 'showOutput', 'failOn', 'undecided', 'export', 'style'] as const),
]);

const loopOption: { readonly loop: Option<string | null> } = {
  loop: option('--loop <NAME>', {
    help: 'name of the loop',
    parse: text('the name of a loop'),
    fallback: 'the only one that goes on here',
  }),
};
const jsonHelp = 'print one JSON object, and nothing else, to standard output';
const jsonFlag = flag('--json', { help: jsonHelp });
const jsonOrExport = flag('--json', { help: jsonHelp, without: ['export'] });

const start: Command = defineCommand({
  description:
    'Begins a loop of attempts to make a program faster: pins the baseline, the command with its settings, and the probability that the whole loop keeps anything that is not faster. Without a command, deadheat.yaml describes the benchmarks. What the commands print is compared before any time is judged. More: docs/attempts.md.',
  usage: '[options] [NAME] [-- COMMAND]',
  args: { '[name]': 'one name', '--': 'a command' },
  options: {
    ...group('The loop:', {
      from: option('--from <REF>', { help: 'commit that is the baseline', parse: text('a commit'), fallback: 'HEAD' }),
      error: option('--error <SHARE>', {
        help: 'probability that the loop keeps anything that is not faster, over all of its attempts, however many there will be',
        parse: share({ zero: 'refused', example: '5%' }),
        default: 0.05,
        fallback: '5%',
      }),
      target: several('--target <BENCHMARK>', {
        help: 'benchmark that is to become faster, and no other is to become slower; may be repeated; without it any of them may',
        parse: text('the name of a benchmark'),
      }),
      unchecked: flag('--unchecked', {
        help: 'do not compare what the commands print, because it differs from run to run: every gain is then suspect and measured twice',
      }),
      json: jsonFlag,
    }),
    ...group('Which versions:', {
      ...omit(versionOptions({ base: 'the best state', head: 'the attempt' }), ['fresh']),
      filter: {
        ...filterOptions.filter,
        without: ['commandLine'],
        why: 'it chooses among the benchmarks of deadheat.yaml',
      },
    }),
    ...pinnedOptions,
  },
  act: async (values, { name, commandLine }, terminal) => {
    const { from, error, target, unchecked, json, build, benchPath, benchFrom, ...compared } = values;
    if (error >= 1) {
      throw new UsageError('BAD_VALUE', '--error is a probability below 100 %', { hint: 'For example: --error 5%.' });
    }
    const { changes, ...subject } = typedSubject(commandLine, { ...compared, called: 'attempt start' });
    const checks = commandLine !== null && !unchecked && changes.typed.workload === undefined;
    const typed = checks ? { ...changes.typed, 'same-output': true } : changes.typed;
    const { setup, bench } = toVersionChoices({ build, benchPath, benchFrom, fresh: false });
    const request = { name, from, error, targets: target, subject, changes: { ...changes, typed }, setup, bench };
    const state = await withInterruption((signal) => startLoop(request, signal));
    terminal.stdout.write(json ? `${JSON.stringify(state)}\n` : renderStart(state));
    return exitCodes.done;
  },
  examples: `
Examples:
  deadheat attempt start --error 5% --build 'npm ci' -- node bench.js
  deadheat attempt start parser --from v2.0 --margin 1% --max-time 2m -- ./parse large.json
      keep nothing that is not at least 1 % faster; give an attempt two minutes
`,
});

const check: Command = defineCommand({
  description:
    'Judges the working tree, with what is not committed, against the best state of the loop so far, and answers keep, revert or not yet. deadheat attempt is the same. Nothing of the working tree is changed without --apply. Changes that were rejected before are answered from the ledger.',
  usage: '[options]',
  options: {
    message: option('--message <TEXT>', { help: 'description of the attempt, for the ledger', parse: text('a text') }),
    again: flag('--again', { help: 'measure also if the same changes were rejected before' }),
    apply: flag('--apply', {
      help: 'where the answer is revert, give the files back the content of the best state; a ref below refs/deadheat keeps the attempt',
    }),
    ...loopOption,
    json: jsonOrExport,
    export: exportOption({ json: 'the answer' }),
    ...styleOptions,
    instructions: flag('--instructions', {
      help: 'print a page for programs that drive the loop, to be put into a repository, and do nothing else',
      only: [],
      why: 'only prints a page',
    }),
  },
  act: async (values, _args, terminal) => {
    if (values.instructions) {
      terminal.stdout.write(instructions);
      return exitCodes.done;
    }
    const { loop, message, again, apply } = values;
    const output = outputOf(values);
    const result = await withTools({ output, terminal }, (tools) =>
      judgeAttempt({ loop, message, again, apply }, tools),
    );
    show(output, { terminal, text: renderAttempt(result) });
    writeExport(output.exports.json, { content: `${JSON.stringify(result)}\n`, terminal });
    return { keep: exitCodes.done, revert: exitCodes.slower, 'not-yet': exitCodes.notMeasured }[result.entry.answer];
  },
  examples: `
Exit codes: 0 keep, 1 revert, 6 not yet; 2 there is no loop, or nothing was
changed; 4 the best state does not run; 130 interrupted.
`,
});

const end: Command = defineCommand({
  description:
    'Ends a loop of attempts: compares the baseline with the best state in fresh runs, none of which chose it, at the confidence that the error budget leaves (95 % for --error 5%), and lists what was kept.',
  usage: '[options] [NAME]',
  args: { '[name]': 'one name' },
  options: {
    maxTime: option('--max-time <TIME>', {
      help: 'most time for the comparison, which ends earlier where the total is known to half a percent: 90s, 5m',
      parse: (flagName) => parseDuration(flagName),
      default: 600e9,
      fallback: '10m',
    }),
    json: jsonOrExport,
    export: exportOption({ json: 'the result', markdown: 'the result for a pull request' }),
    ...styleOptions,
  },
  act: async (values, { name }, terminal) => {
    const output = outputOf(values);
    const result = await withTools({ output, terminal }, (tools) =>
      endLoop({ name, maxTimeNs: values.maxTime }, tools),
    );
    show(output, { terminal, text: renderEnd(result) });
    writeExport(output.exports.json, { content: `${JSON.stringify(result)}\n`, terminal });
    writeExport(output.exports['markdown'], { content: renderEndMarkdown(result), terminal });
    return exitCodes.done;
  },
});

const status: Command = defineCommand({
  description:
    'Shows the ledger of a loop of attempts, what is left of its error budget, and where the next attempt stands.',
  usage: '[options] [NAME]',
  args: { '[name]': 'one name' },
  options: { json: jsonFlag },
  act: async ({ json }, { name }, terminal) => {
    const state = readLedger(findLoop(name));
    terminal.stdout.write(json ? `${JSON.stringify(state)}\n` : renderStatus(state));
    return exitCodes.done;
  },
});

/** `deadheat attempt`: a loop of attempts whose error is controlled as a whole. */
export const attempt: Family = {
  description:
    'Judges one attempt to make a program faster after the other: each against the best state so far, all of them together at one error budget. Without a subcommand, the working tree is judged. More: docs/attempts.md.',
  subcommands: [
    { name: 'start', summary: 'begin a loop: baseline, command and error budget', load: async () => start },
    {
      name: 'check',
      summary: 'judge the working tree: keep, revert or not yet; the same as attempt alone',
      isDefault: true,
      load: async () => check,
    },
    { name: 'status', summary: 'show the ledger and what is left of the error budget', load: async () => status },
    { name: 'end', summary: 'compare the baseline with the best state in fresh runs', load: async () => end },
  ],
  examples: `
Examples:
  deadheat attempt start -- node bench.js
  deadheat attempt --message 'cache the table'
      keep (exit code 0), revert (1) or not yet (6)
  deadheat attempt --apply --json
      put the files back where the answer is revert; print one JSON object
  deadheat attempt end --export markdown:pull-request.md
  deadheat attempt --instructions > OPTIMISING.md
      a page for programs that drive the loop
`,
};

interface LoopOutput {
  readonly exports: Exports;
  readonly style: StyleChoice;
}

function outputOf(values: {
  readonly json: boolean;
  readonly export: Exports;
  readonly style: StyleChoice;
}): LoopOutput {
  const exports = values.json ? { json: '-' } : values.export;
  checkExports(exports);
  return { exports, style: values.style };
}

/** Shows a text to people: beside an export to standard output on standard error. */
function show(
  { exports, style }: LoopOutput,
  { terminal, text: shown }: { readonly terminal: Terminal; readonly text: string },
): void {
  if (style !== 'none') terminal[reportStream(exports)].write(shown);
}

/** Lends folders of versions and a way to measure, with progress on standard error, to `work`. */
async function withTools<Result>(
  { output, terminal }: { readonly output: LoopOutput; readonly terminal: Terminal },
  work: (tools: LoopTools) => Promise<Result>,
): Promise<Result> {
  const { env: variables, stderr } = terminal;
  const writeNotice = createNoticeWriter(output, terminal);
  const style = resolveTerminalStyle(output.style, { stream: stderr, variables });
  const progress = createProgressReporter({ stream: stderr, style, now: () => performance.now() });
  const onNotice = (notice: string): void => {
    progress.close();
    writeNotice(notice);
  };
  try {
    return await withInterruption((signal) =>
      withVersions((versions) =>
        work({
          versions,
          variables,
          signal,
          onNotice,
          measure: async ({ draft, commits, read }, { typed, output: folder }) => {
            const subject = { draft, typed: typed ?? {}, read: typed === null ? null : read };
            const control = { signal, onProgress: progress.handle, onNotice, variables, commits, output: folder };
            const result = await measureCommands(subject, control);
            progress.close();
            return result;
          },
        }),
      ),
    );
  } finally {
    progress.close();
  }
}
