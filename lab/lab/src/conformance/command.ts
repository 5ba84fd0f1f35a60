import {
  checkExports,
  choice,
  type Command,
  defineCommand,
  eraseLine,
  exitCodes,
  exportOption,
  type Family,
  option,
  parseDuration,
  reportStream,
  resolveTerminalStyle,
  type Terminal,
  withInterruption,
  writeExport,
} from '@deadheat/cli/kit';
import { type Side, sides } from '@deadheat/model';
import { type Colors, countOf, createColors, printable, wrapText } from '@deadheat/report';
import { checkProtocol, type ProtocolCheck, type ProtocolProblem } from './check-protocol.ts';

const usualTimeoutNs = 10e9;

const check: Command = defineCommand({
  description:
    'Checks that a program follows the workload protocol. It runs the program in several scenarios, in which deadheat simulates the other side and the runner, and reports for each rule of docs/formats/protocol.md whether the program follows it.',
  usage: '[options] -- PROGRAM [ARGUMENT...]',
  args: { '<program...>': 'the program that is to be checked, and its arguments, behind --' },
  options: {
    side: option('--side <SIDE>', {
      help: 'the side that the program plays: A, B or both in turn',
      parse: choice<Side | 'both'>([...sides, 'both']),
      default: 'both',
    }),
    timeout: option('--timeout <TIME>', {
      help: 'time limit for the start, for each iteration and for the end of the program',
      parse: parseDuration,
      fallback: '10s',
    }),
    export: exportOption({ json: 'the results' }),
  },
  act: async ({ side, timeout, export: exports }, { program: argv }, terminal) => {
    checkExports(exports);
    const { stderr, env } = terminal;
    const progress = createScenarioReporter(terminal);
    const found = await withInterruption(async (signal) => {
      try {
        return await checkProtocol({
          argv,
          sides: side === 'both' ? sides : [side],
          timeoutNs: timeout ?? usualTimeoutNs,
          signal,
          onScenario: progress.show,
        });
      } finally {
        progress.close();
      }
    });
    const stream = reportStream(exports) === 'stderr' ? stderr : terminal.stdout;
    stream.write(renderProtocolCheck(found, resolveTerminalStyle('auto', { stream, variables: env })));
    writeExport(exports.json, { content: `${JSON.stringify(found, null, 2)}\n`, terminal });
    return found.holds ? exitCodes.done : exitCodes.workload;
  },
  examples: `
Examples:
  deadheat lab protocol check -- ./sort 0
  deadheat lab protocol check --side B --timeout 1m -- java -cp build Sort 0

The program is started without a shell. Use short iterations, because no rule is
about speed, and let the runner or DEADHEAT_ITERATIONS set their number.

Exit codes: 0 the program follows every rule; 2 the command line is wrong; 4 the
program broke a rule or did not start; 5 this system has no shared memory;
130 interrupted.`,
});

/** `deadheat lab protocol`: programs that take part in a duet themselves. */
export const protocol: Family = {
  description: 'Helps authors of programs that follow the workload protocol (docs/formats/protocol.md).',
  subcommands: [
    {
      name: 'check',
      summary: 'run a program and report which rules of the protocol it follows',
      load: async () => check,
    },
  ],
};

const indent = '          ';
/** A rule that is broken in every scenario is reported once. */
const mostProblems = 3;

/** A line for each rule of the protocol and the section that states it; below a broken one what the program did. */
function renderProtocolCheck(
  { rules, argv, sides }: ProtocolCheck,
  style: Pick<ReturnType<typeof resolveTerminalStyle>, 'color' | 'width'>,
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
  const lines = wrapText(printable(`as ${side} in “${scenario}”: ${what}`), width - indent.length - 2);
  return lines.map((line, i) => `${indent}${i === 0 ? '- ' : '  '}${line}`);
}

/** Redraws one line with the scenario of the program on a terminal; writes nothing elsewhere. */
function createScenarioReporter({ stderr: stream, env: variables }: Terminal): {
  readonly show: (scenario: { readonly side: Side; readonly name: string }) => void;
  /** Erases the line; to be called before anything else is written. */
  readonly close: () => void;
} {
  const style = resolveTerminalStyle('auto', { stream, variables });
  if (!style.interactive) return { show: () => {}, close: () => {} };
  const colors = createColors(style);
  return {
    show: ({ side, name }) => {
      const line = `side ${side}: ${name}`.slice(0, (style.width ?? 80) - 1);
      stream.write(`${eraseLine}${colors.dim(line)}`);
    },
    close: () => void stream.write(eraseLine),
  };
}
