import { warmupCriteria, type WarmupCriterion } from '@deadheat/analysis';
import type { Command } from 'commander';
import { findWarmup, type WarmupRequest } from 'deadheat/evaluation';
import { parseChoice, parseCount, parseDuration, parseText } from 'deadheat/settings';
import type { OutputChoices } from '../arguments/invocation.ts';
import { addStyleOption, readOutputChoices } from '../arguments/output-options.ts';
import type { RawOutputOptions } from '../arguments/raw-options.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { withInterruption } from '../terminal/interruption.ts';
import { checkExports, reportStream, writeExport } from '../terminal/output.ts';
import { eraseLine } from '../terminal/progress.ts';
import { renderStudy, studyCsv } from '../terminal/study-table.ts';
import { resolveTerminalStyle } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

interface RawWarmupOptions extends Pick<RawOutputOptions, 'exportJson' | 'exportCsv' | 'style'> {
  readonly runs?: number;
  readonly iterations?: number;
  readonly window?: number;
  readonly criterion?: WarmupCriterion;
  readonly seed?: string;
}

const defaultRuns = 3;

/** `deadheat warmup`: when a program is warm. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('warmup')
    .description(
      'Runs a program that times its own iterations, alone and under the profiler of its virtual machine, and tells when ' +
        'it is warm: when the times vary little, when they are stable, when it runs code that will not be compiled again, ' +
        'and when it runs as much code of the best compiler as it ever will.',
    )
    .usage("[options] 'command'")
    .argument('<command>')
    .action((commandLine: string, raw: RawWarmupOptions) => {
      const request = {
        commandLine,
        runs: raw.runs ?? defaultRuns,
        iterations: raw.iterations ?? null,
        windowNs: raw.window ?? null,
        criterion: raw.criterion ?? 'cv',
        seed: raw.seed ?? 'warmup',
      };
      const choices = readOutputChoices(raw);
      choose((terminal) => showWarmup(request, { choices, terminal }));
    });
  command
    .optionsGroup('How much:')
    .option('-r, --runs <N>', `how often the program is started (default: ${defaultRuns})`, parseCount('--runs', 1))
    .option(
      '--iterations <N>',
      'iterations of each benchmark (default: what the program makes)',
      parseCount('--iterations', 1),
    );
  command
    .optionsGroup('Judging:')
    .option(
      '--window <TIME>',
      'how long shares of code are taken over (default: a twentieth of the run, 100ms to 1m)',
      parseDuration('--window'),
    )
    .option(
      '--criterion <CRITERION>',
      'what calls times stable: cv (default) or rciw',
      parseChoice('--criterion', warmupCriteria),
    )
    .option('--seed <TEXT>', 'what rciw resamples from (default: warmup)', parseText('--seed', 'a text'));
  const file = (flag: string): ((value: string) => string) => parseText(flag, 'the name of a file, or - for stdout');
  command
    .optionsGroup('Output:')
    .option(
      '--export-json <FILE>',
      'write it all as JSON, kinds of code over time included (- = stdout)',
      file('--export-json'),
    )
    .option('--export-csv <FILE>', 'write both tables as one', file('--export-csv'));
  addStyleOption(command);
  return command.helpOption('-h, --help', 'show this help').addHelpText(
    'after',
    `
Examples:
  deadheat warmup --iterations 200 'node bench.js'
  deadheat warmup --runs 10 --window 1s --export-json warm.json 'java -cp build Sort 2000'

The program must start as node or java and time itself, as with --harness. What
it takes here is not for comparing: a profiler slows it down.

Exit codes: 0 done; 2 usage; 4 the program failed, or cannot be profiled;
130 interrupted.`,
  );
}

/** `deadheat warmup 'command'`. Returns the exit code. */
async function showWarmup(
  request: WarmupRequest,
  { choices, terminal }: { readonly choices: OutputChoices; readonly terminal: Terminal },
): Promise<ExitCode> {
  const { exports } = choices;
  checkExports(exports);
  const { stderr, env } = terminal;
  const { interactive } = resolveTerminalStyle(choices.style, { stream: stderr, variables: env });
  const tell = (line: string): void => void (interactive && stderr.write(`${eraseLine}${line}`));
  const found = await withInterruption(async (signal) => {
    try {
      const onRun = (run: number): void => tell(`profiling, run ${run + 1} of ${request.runs}`);
      return await findWarmup(request, { searchPath: env['PATH'] ?? '', signal, onRun });
    } finally {
      tell('');
    }
  });
  const stream = terminal[reportStream(exports)];
  stream.write(renderStudy(found, resolveTerminalStyle(choices.style, { stream, variables: env })));
  writeExport(exports.json, { content: `${JSON.stringify(found, null, 2)}\n`, terminal });
  writeExport(exports.csv, { content: studyCsv(found), terminal });
  return exitCodes.done;
}
