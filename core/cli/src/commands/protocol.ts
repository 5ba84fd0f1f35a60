import { checkProtocol, type ProtocolCheck, type ProtocolProblem } from '@deadheat/lab';
import { type Side, sides } from '@deadheat/model';
import { countOf, printable, type Colors, createColors, wrapText } from '@deadheat/report';
import type { Command } from 'commander';
import { parseChoice, parseDuration, parseText, UsageError } from 'deadheat/settings';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { withInterruption } from '../terminal/interruption.ts';
import { checkExports, writeExport } from '../terminal/output.ts';
import { eraseLine } from '../terminal/guarded.ts';
import { type ProgressStream } from '../terminal/progress.ts';
import { resolveTerminalStyle, type TerminalStyle } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

const defaultTimeoutNs = 10e9;

interface RawCheckOptions {
  readonly side?: Side | 'both';
  readonly timeout?: number;
  readonly exportJson?: string;
}

/** `deadheat protocol`: what concerns programs that take part in a duet themselves. */
export function buildSubcommand(context: SubcommandContext): Command {
  return context
    .create('protocol')
    .description('Helps authors of programs that follow the workload protocol (docs/formats/protocol.md).')
    .enablePositionalOptions()
    .allowExcessArguments()
    .action((_options: object, { args: [word] }: Command) => {
      const what = word === undefined ? 'protocol needs a subcommand' : `protocol has no subcommand ${word}`;
      throw new UsageError('UNKNOWN_SUBCOMMAND', what, { hint: 'There is one: deadheat protocol check -- PROGRAM' });
    })
    .addCommand(buildCheck(context));
}

function buildCheck({ create, choose }: SubcommandContext): Command {
  return create('check')
    .summary('run a program and report which rules of the protocol it follows')
    .description(
      'Checks that a program follows the workload protocol. It runs the program in several scenarios, in which deadheat simulates the other side and the runner, and reports for each rule of docs/formats/protocol.md whether the program follows it.',
    )
    .usage('[options] -- PROGRAM [ARGUMENT...]')
    .passThroughOptions()
    .argument('[words...]')
    .option(
      '--side <SIDE>',
      'the side that the program plays: A, B or both in turn (default: both)',
      parseChoice('--side', [...sides, 'both']),
    )
    .option(
      '--timeout <TIME>',
      'time limit for the start, for each iteration and for the end of the program (default: 10s)',
      parseDuration('--timeout'),
    )
    .option(
      '--export-json <FILE>',
      'write the results as JSON (- = standard output)',
      parseText('--export-json', 'the name of a file, or - for stdout'),
    )
    .addHelpText('after', checkHelp)
    .action((argv: readonly string[], { side = 'both', timeout, exportJson }: RawCheckOptions) => {
      if (argv.length === 0) {
        throw new UsageError('MISSING_COMMAND', 'protocol check needs the program that is to be checked', {
          hint: 'Put it and its arguments last: deadheat protocol check -- python3 bench.py',
        });
      }
      const check = {
        argv,
        sides: side === 'both' ? sides : [side],
        timeoutNs: timeout ?? defaultTimeoutNs,
        json: exportJson ?? null,
      };
      choose((terminal) => runProtocolCheck(check, terminal));
    });
}

const checkHelp = `
Examples:
  deadheat protocol check -- ./sort 0
  deadheat protocol check --side B --timeout 1m -- java -cp build Sort 0

The program is started without a shell. Use short iterations, because no rule is
about speed, and let the runner or DEADHEAT_ITERATIONS set their number.

Exit codes: 0 the program follows every rule; 2 the command line is wrong; 4 the
program broke a rule or did not start; 5 this system has no shared memory;
130 interrupted.
`;

interface ProtocolCheckChoices {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  readonly sides: readonly Side[];
  /** How long each step of the program may take. */
  readonly timeoutNs: number;
  /** File for the JSON; `-` = stdout, `null` = none. */
  readonly json: string | null;
}

/** `deadheat protocol check`. Returns the exit code. */
async function runProtocolCheck(choices: ProtocolCheckChoices, terminal: Terminal): Promise<ExitCode> {
  const { json, argv, sides, timeoutNs } = choices;
  checkExports({ json });
  const { stdout, stderr, env } = terminal;
  const progress = createScenarioReporter({
    stream: stderr,
    style: resolveTerminalStyle('auto', { stream: stderr, variables: env }),
  });
  const check = await withInterruption(async (signal) => {
    try {
      return await checkProtocol({ argv, sides, timeoutNs, signal, onScenario: progress.show });
    } finally {
      progress.close();
    }
  });
  const stream = json === '-' ? stderr : stdout;
  stream.write(renderProtocolCheck(check, resolveTerminalStyle('auto', { stream, variables: env })));
  writeExport(json, { content: `${JSON.stringify(check, null, 2)}\n`, terminal });
  return check.holds ? exitCodes.done : exitCodes.workload;
}

const indent = '          ';
/** A rule that is broken in every scenario is reported once. */
const mostProblems = 3;

/** A line for each rule of the protocol and the section that states it; below a broken one what the program did. */
function renderProtocolCheck(
  { rules, argv, sides }: ProtocolCheck,
  style: Pick<TerminalStyle, 'color' | 'width'>,
): string {
  const colors = createColors(style);
  const broken = rules.filter(({ outcome }) => outcome === 'broken').length;
  const untested = rules.filter(({ outcome }) => outcome === 'untested').length;
  const as = sides.length === 1 ? `side ${sides[0]}` : 'either side';
  const found = broken === 0 ? 'no rule was broken' : `${countOf(broken, 'rule')} broken`;
  const rest = untested === 0 ? '' : `, ${untested} not tested`;
  const sum = `${argv.map((word) => printable(word)).join(' ')} as ${as}: ${found}${rest}, ${rules.length} in all`;
  const lines = [
    ...rules.flatMap((rule) => renderRule(rule, { colors, width: style.width ?? 80 })),
    '',
    (broken === 0 ? colors.green : colors.red)(sum),
    'The rules are in docs/formats/protocol.md, below the headings in brackets.',
  ];
  return `${lines.join('\n')}\n`;
}

function renderRule(
  { outcome, text, section, problems }: ProtocolCheck['rules'][number],
  { colors, width }: { readonly colors: Colors; readonly width: number },
): readonly string[] {
  const color = { held: colors.green, broken: colors.red, untested: colors.yellow }[outcome];
  const [first = '', ...more] = wrapText(`${text} [${section}]`, width - indent.length);
  return [
    `${color(outcome.padEnd(indent.length))}${first}`,
    ...more.map((line) => `${indent}${line}`),
    ...problems.slice(0, mostProblems).flatMap((problem) => renderProblem(problem, width)),
    ...(problems.length > mostProblems
      ? [`${indent}- and in ${countOf(problems.length - mostProblems, 'other scenario')}`]
      : []),
  ];
}

function renderProblem({ side, scenario, what }: ProtocolProblem, width: number): readonly string[] {
  const told = wrapText(printable(`as ${side} in “${scenario}”: ${what}`), width - indent.length - 2);
  return told.map((line, i) => `${indent}${i === 0 ? '- ' : '  '}${line}`);
}

/** Tells which scenario a program is in. */
interface ScenarioReporter {
  readonly show: (scenario: { readonly side: Side; readonly name: string }) => void;
  /** Erases the line; to be called before anything else is written. */
  readonly close: () => void;
}

/** Redraws one line on a terminal; writes nothing elsewhere. */
function createScenarioReporter({
  stream,
  style,
}: {
  readonly stream: ProgressStream;
  readonly style: TerminalStyle;
}): ScenarioReporter {
  if (!style.interactive) return { show: () => {}, close: () => {} };
  const colors = createColors(style);
  return {
    show: ({ side, name }) => {
      const line = `side ${side}: ${name}`.slice(0, (style.width ?? 80) - 1);
      stream.write(`${eraseLine}${colors.dim(line)}`);
    },
    close: () => stream.write(eraseLine),
  };
}
