import {
  bisect as search,
  type BisectOptions,
  type BisectRequest,
  type BisectResult,
  withVersions,
  titleOf,
} from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import { stepOptions } from '../../command/compare-options.ts';
import { type Command, defineCommand } from '../../command/define-command.ts';
import { exportOption, group, untyped } from '../../command/option.ts';
import { type OutputChoices, outputOptions, toOutputChoices } from '../../command/output-options.ts';
import { typedCommands } from '../../command/typed-experiment.ts';
import { toVersionChoices, versionOptions } from '../../command/version-options.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import { checkExports, createNoticeWriter, reportStream, writeExport } from '../../terminal/output.ts';
import { createProgressReporter } from '../../terminal/progress.ts';
import { resolveTerminalStyle } from '../../terminal/style.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { countOf, formatRatio, formatShare } from '@deadheat/report';

/** Default confidence level of the whole search. */
const defaultConfidence = 0.95;

/** `deadheat bisect`: the commit that made a program slower. */
export const bisect: Command = defineCommand({
  description:
    'Finds the commit that made a program slower, by binary search between the commit GOOD, which is fast, and the later commit BAD, which is slow. Each step compares one commit with GOOD and ends as soon as the verdict is certain. The confidence level (--confidence, default: 95%) is that of the whole search; the time limit (--max-time, default: 60s) is that of one step. A commit is bad if it is slower than GOOD by more than --margin; without --margin, by more than half of the slowdown of BAD. Commits that cannot be built or do not run are skipped. More: docs/git.md.',
  usage: '[options] GOOD BAD -- COMMAND',
  args: { '<good>': 'two commits', '<bad>': 'two commits', '--': 'a command' },
  options: {
    ...group('Which versions:', versionOptions({ base: 'GOOD', head: 'BAD' })),
    ...stepOptions,
    export: { ...exportOption({ json: 'the steps and the suspects' }), group: 'Output:' },
  },
  act: async ({ build, benchPath, benchFrom, fresh, ...compared }, { good, bad, commandLine }, terminal) => {
    if (commandLine === null) {
      throw new UsageError('MISSING_COMMAND', 'bisect needs a command', {
        hint: 'Put commits before -- and the command behind it: deadheat bisect v1.0 HEAD -- node bench.js.',
      });
    }
    const { changes: asked, ...subject } = typedCommands([commandLine, commandLine], compared);
    const changes = { ...asked, typed: { until: 'decided', ...asked.typed } } as const;
    const { confidence = defaultConfidence, margin = null, 'show-output': showOutput = false } = changes.typed;
    if (margin !== null && typeof margin === 'object') {
      throw new UsageError('BAD_VALUE', 'bisect compares slowdowns of several commits, so its --margin is a share', {
        hint: 'For example: --margin 2%.',
      });
    }
    const request = {
      ...toVersionChoices({ build, benchPath, benchFrom, fresh }),
      good,
      bad,
      subject,
      changes,
      confidence,
      margin,
    };
    const choices = toOutputChoices({ ...untyped(outputOptions), ...compared });
    const { failOn, limits, undecided } = choices;
    if (limits.length > 0 || (failOn !== null && failOn !== 'slower') || typeof undecided === 'number') {
      throw new UsageError('CONFLICT', 'bisect ends by what is slower: --fail-on slower, and --undecided fail or pass');
    }
    return bisectCommits(request, { choices, showOutput, terminal });
  },
  examples: `
Examples:
  deadheat bisect --build 'npm ci' v1.4.0 main -- node bench.js
  deadheat bisect --quick --bench-path bench HEAD~20 HEAD -- node bench/sort.js
      use the benchmark of the newer commit; take at most 20 s for each step

Exit codes: 0 the search has ended, even if BAD is not slower; with --fail-on
slower 1 BAD is slower, and 6 the verdict on BAD is undecided; 2 the command
line is wrong; 4 GOOD or BAD cannot be built or does not run; 130 interrupted.
`,
});

async function bisectCommits(
  request: BisectRequest,
  {
    choices,
    showOutput,
    terminal,
  }: { readonly choices: OutputChoices; readonly showOutput: boolean; readonly terminal: Terminal },
): Promise<ExitCode> {
  checkExports(choices.exports);
  const { env: variables, stderr } = terminal;
  const onNotice = createNoticeWriter(choices, terminal);
  const style = resolveTerminalStyle(choices.style, { stream: stderr, variables });
  const follow = (): ReturnType<typeof createProgressReporter> =>
    createProgressReporter({
      stream: stderr,
      style: showOutput ? { ...style, interactive: false } : style,
      now: () => performance.now(),
    });
  const slow: Parameters<NonNullable<BisectOptions['onSlow']>>[0][] = [];
  const result = await withInterruption(async (signal) =>
    withVersions(async (versions) => {
      const found = await search(request, {
        versions,
        variables,
        signal,
        onNotice,
        onStep: (step, number) => onNotice(renderStep(step, number)),
        follow,
        ...(choices.explains === true ? { onSlow: (measured) => void slow.push(measured) } : {}),
      });
      if (choices.style !== 'none') terminal[reportStream(choices.exports)].write(renderBisect(found));
      writeExport(choices.exports.json, { content: `${JSON.stringify(found, null, 2)}\n`, terminal });
      if (choices.explains !== true) return found;
      const last = slow.at(-1);
      if (last === undefined) onNotice('--explain: BAD is not slower, so there is nothing to explain');
      else {
        const { explainClear } = await import('../../experiment/explain-recording.ts');
        await explainClear(last, { choices: { ...choices, jobSummary: false }, terminal });
      }
      return found;
    }),
  );
  return exitCodeOfSearch(result, choices);
}

function exitCodeOfSearch(
  { verdict }: BisectResult,
  { failOn, undecided }: Pick<OutputChoices, 'failOn' | 'undecided'>,
): ExitCode {
  if (failOn === null) return exitCodes.done;
  if (verdict === 'slower') return exitCodes.slower;
  return verdict === 'undecided' && undecided !== 'pass' ? exitCodes.notMeasured : exitCodes.done;
}

/** Suspects that are listed by name. */
const mostListed = 20;

/** A step on one line: what was measured, and what that makes of the commit. */
function renderStep(
  { commit, outcome, interval, runs, reason }: BisectResult['steps'][number],
  number: number,
): string {
  const measured =
    interval === null || runs === null
      ? ''
      : ` ${formatRatio(interval)}, ${formatShare(interval.level)} CI, ${countOf(runs, 'run')}`;
  const why = reason === null ? '' : ` (${reason.split('\n')[0] ?? ''})`;
  return `step ${number}: ${titleOf(commit)}:${measured} ${outcome}${why}`;
}

/** The result of a search as text for a terminal or a log, ending in a line break. */
function renderBisect(result: BisectResult): string {
  const { stopped } = result;
  const lines = [...headline(result), ...(stopped === undefined ? gaps(result) : [`The search stopped: ${stopped}`])];
  const { good, bad, steps, confidence, threshold, method } = result;
  const tried = steps.map(
    ({ commit, outcome, interval }) =>
      `    ${outcome.padEnd(9)}  ${interval === null ? 'not measured' : formatRatio(interval)}  ${titleOf(commit)}`,
  );
  return `${[
    ...lines,
    '',
    `confidence  at least ${formatShare(confidence)} over all steps together, if what is bad stays bad`,
    ...(method === null ? [] : [`method      ${method.name}${method.reason === null ? '' : `: ${method.reason}`}`]),
    `bad         is what is more than ${formatShare(threshold)} slower than GOOD, ${titleOf(good)}`,
    `steps       against GOOD, the first is BAD, ${titleOf(bad)}`,
    ...tried,
  ].join('\n')}\n`;
}

function headline(result: BisectResult): readonly string[] {
  const { verdict, suspects, lastGood, steps, good, bad } = result;
  const interval = steps[0]?.interval ?? null;
  const how = interval === null ? '' : `: ${formatRatio(interval)}`;
  switch (verdict) {
    case 'not-slower':
      return [`BAD, ${titleOf(bad)}, is not slower than GOOD, ${titleOf(good)}${how}: there is nothing to search.`];
    case 'undecided':
      return [
        `Whether BAD, ${titleOf(bad)}, is slower than GOOD, ${titleOf(good)}, stays undecided${how}.`,
        ...(result.stopped === undefined ? ['Give a step more time, --max-time 5m, or a larger --margin.'] : []),
      ];
    case 'slower': {
      const [only] = suspects;
      if (suspects.length === 1 && only !== undefined) return [`The first slow commit is ${titleOf(only)}`];
      const listed = suspects.slice(0, mostListed).map((commit) => `    ${titleOf(commit)}`);
      const more = suspects.length - listed.length;
      return [
        `The first slow commit is one of ${suspects.length}, after ${lastGood === null ? 'GOOD' : titleOf(lastGood)}`,
        ...listed,
        ...(more > 0 ? [`    and ${more} more, up to ${titleOf(suspects.at(-1) ?? bad)}`] : []),
      ];
    }
  }
}

/** Why no fewer commits are left. */
function gaps({ suspects, steps }: BisectResult): readonly string[] {
  if (suspects.length < 2) return [];
  const among = steps.filter(({ commit }) => suspects.some(({ id }) => id === commit.id));
  const count = (outcome: BisectResult['steps'][number]['outcome']): number =>
    among.filter((step) => step.outcome === outcome).length;
  const reasons = [
    ...(count('skipped') > 0 ? [`${countOf(count('skipped'), 'commit')} could not be built or did not run`] : []),
    ...(count('undecided') > 0
      ? [`${countOf(count('undecided'), 'commit')} stayed undecided; more --max-time may help`]
      : []),
  ];
  return reasons.length === 0 ? [] : [`because ${reasons.join(', and ')}`];
}
