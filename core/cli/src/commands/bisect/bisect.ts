import type { Command } from 'commander';
import { UsageError } from 'deadheat/settings';
import { splitCommandWords } from '../../command/fold-command-words.ts';
import { probeFile } from '../../arguments/probe-file.ts';
import type { RawCompareOptions } from '../../arguments/raw-options.ts';
import { addCompareOptionsBut } from '../../arguments/compare-options.ts';
import { toCompareInvocation } from '../../arguments/to-compare-invocation.ts';
import {
  addVersionOptions,
  type RawVersionOptions,
  readVersionChoices,
  splitVersionOptions,
} from '../../arguments/version-options.ts';
import type { SubcommandContext } from '../subcommand.ts';
import { bisect, type BisectRequest, type BisectResult, withVersions } from 'deadheat/internals';
import type { CompareInvocation } from '../../arguments/invocation.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import { checkExports, createTeller, reportStream, writeExport } from '../../terminal/output.ts';
import { createProgressReporter } from '../../terminal/progress.ts';
import { resolveTerminalStyle } from '../../terminal/style.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { renderBisect, renderStep } from './render-bisect.ts';

/** Options of the comparison that mean nothing in a search: each step ends when it is decided, and there is one comparison. */
const without = [
  'setup',
  'resume',
  'runs',
  'until',
  'precision',
  'rigorous',
  'stable',
  'combine',
  'like',
  'liftCaps',
  'interval',
  'parameterScan',
  'parameterStepSize',
  'parameterList',
  'commandName',
  'reference',
  'details',
  'sort',
  'timeUnit',
  'control',
  'correction',
  'noSummary',
  'output',
] as const satisfies readonly (keyof RawCompareOptions)[];

type RawBisectOptions = RawVersionOptions & Omit<RawCompareOptions, (typeof without)[number]>;

/** Of the whole search where nothing is said. */
const defaultConfidence = 0.95;

/** `deadheat bisect`: the commit that made a program slower. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('bisect')
    .description(
      'Finds the commit that made a program slower, by binary search between the commit GOOD, which is fast, and the later commit BAD, which is slow. Each step compares one commit with GOOD and ends as soon as the verdict is certain. The confidence level (--confidence, default: 95%) is that of the whole search; the time limit (--max-time, default: 60s) is that of one step. A commit is bad if it is slower than GOOD by more than --margin; without --margin, by more than half of the slowdown of BAD. Commits that cannot be built or do not run are skipped. More: docs/git.md.',
    )
    .usage('[options] GOOD BAD -- COMMAND')
    .argument('[words...]')
    .action((words: readonly string[], raw: RawBisectOptions) => {
      const { before, commandLine } = splitCommandWords(words);
      const [good, bad, ...more] = before;
      if (good === undefined || bad === undefined || more.length > 0 || commandLine === null) {
        const what = commandLine === null ? 'a command' : `two commits, not ${before.length}`;
        throw new UsageError('MISSING_COMMAND', `bisect needs ${what}`, {
          hint: 'Put commits before -- and the command behind it: deadheat bisect v1.0 HEAD -- node bench.js.',
        });
      }
      const { version, compare } = splitVersionOptions(raw);
      const invocation = toCompareInvocation(
        [commandLine, commandLine],
        { ...compare, until: 'decided' },
        { probeFile },
      );
      const other = Object.keys(invocation.exports).find((format) => format !== 'json');
      if (other !== undefined) {
        throw new UsageError('BAD_VALUE', `a search is exported as json only, not as ${other}`, {
          hint: 'Such as: --export json:bisect.json.',
        });
      }
      const { confidence = defaultConfidence, quick } = compare;
      const margin = compare.margin ?? (quick === true ? invocation.margin : null);
      const search = { ...readVersionChoices(version), good, bad, request: invocation, confidence, margin };
      choose((terminal) => bisectCommits(search, { invocation, terminal }));
    });
  command.optionsGroup('Which versions:');
  addVersionOptions(command, { base: 'GOOD', head: 'BAD' });
  addCompareOptionsBut(command, without);
  return command.addHelpText('after', examples);
}

const examples = `
Examples:
  deadheat bisect --setup 'npm ci' v1.4.0 main -- node bench.js
  deadheat bisect --quick --bench-path bench HEAD~20 HEAD -- node bench/sort.js
      use the benchmark of the newer commit; take at most 20 s for each step

Exit codes: 0 the search has ended, even if BAD is not slower; 1 BAD is slower
(with --fail-on slower); 2 the command line is wrong; 3 more than one commit
remains, or the verdict on BAD is undecided (with --strict); 4 GOOD or BAD
cannot be built or does not run; 130 interrupted.

`;

async function bisectCommits(
  request: BisectRequest,
  { invocation, terminal }: { readonly invocation: CompareInvocation; readonly terminal: Terminal },
): Promise<ExitCode> {
  checkExports(invocation.exports);
  const { env: variables, stderr } = terminal;
  const onNotice = createTeller(invocation, terminal);
  const style = resolveTerminalStyle(invocation.style, { stream: stderr, variables });
  const follow = (): ReturnType<typeof createProgressReporter> =>
    createProgressReporter({
      stream: stderr,
      style: invocation.showOutput ? { ...style, interactive: false } : style,
      now: () => performance.now(),
    });
  const result = await withInterruption(async (signal) =>
    withVersions(async (versions) =>
      bisect(request, {
        versions,
        variables,
        signal,
        onNotice,
        onStep: (step, number) => onNotice(renderStep(step, number)),
        follow,
      }),
    ),
  );
  if (invocation.style !== 'none') terminal[reportStream(invocation.exports)].write(renderBisect(result));
  writeExport(invocation.exports.json, { content: `${JSON.stringify(result, null, 2)}\n`, terminal });
  return exitCodeOfSearch(result, invocation);
}

function exitCodeOfSearch(
  { verdict, suspects }: BisectResult,
  { failOn, strict }: Pick<CompareInvocation, 'failOn' | 'strict'>,
): ExitCode {
  if (verdict === 'slower' && failOn === 'slower') return exitCodes.slower;
  const isOpen = verdict === 'undecided' || suspects.length > 1;
  return strict && isOpen ? exitCodes.undecided : exitCodes.done;
}
