import type { AlignedFunction, CostDifference, Explanation, FunctionCost } from '@deadheat/model';
import { alignCells, colorVerdict, createColors, type TextStyle, wrapText } from './layout.ts';
import { chooseTimeUnit, formatTime } from './numbers.ts';

type TimeUnit = ReturnType<typeof chooseTimeUnit>;

/** Functions that text and Markdown list at most. */
const mostLines = 10;

/** The cells of a row: function, place, A, B, difference with its interval, share of the whole difference. */
export type FunctionRow = readonly [string, string, string, string, string, string];

export const rowHeads: FunctionRow = ['function', 'place', 'A', 'B', 'B - A', 'share'];

/** The functions to list: all that are clear of 0, else the largest differences; at most ten. */
export function listedFunctions({ functions }: Pick<Explanation, 'functions'>): readonly FunctionCost[] {
  const clear = functions.filter(({ isClear }) => isClear);
  return (clear.length > 0 ? clear : functions.slice(0, 3)).slice(0, mostLines);
}

/** A row of the list. */
export function functionRow(cost: FunctionCost, { whole }: Pick<Explanation, 'whole'>): FunctionRow {
  const { kind, selfSeconds, difference, shareOfWhole } = cost;
  const unit = unitOf(whole);
  return [
    functionName(cost),
    placeOf(cost),
    kind === 'B only' ? '-' : formatTime(selfSeconds.A, unit),
    kind === 'A only' ? '-' : formatTime(selfSeconds.B, unit),
    differenceText(difference, unit),
    shareOfWhole === null ? '' : `${Math.round(shareOfWhole * 100)} %`,
  ];
}

/** `parse`, `parse -> parseFast (renamed)`, `parse (B only)`. */
export function functionName({ A, B, kind }: AlignedFunction | FunctionCost): string {
  if (kind === 'others') return '(all other functions)';
  if (kind === 'renamed') return `${A?.name} -> ${B?.name} (renamed)`;
  const name = (B ?? A)?.name ?? '';
  return kind === 'both' ? name : `${name} (${kind})`;
}

/** The file and the line, of B where it is there. */
export function placeOf({ A, B }: Pick<AlignedFunction, 'A' | 'B'>): string {
  const frame = B ?? A;
  if (frame === null || frame.file === '') return '';
  return frame.line === null ? frame.file : `${frame.file}:${frame.line}`;
}

/** `+12.1 ms [+10.2 ms, +14.0 ms]`. */
function differenceText({ estimate, low, high }: CostDifference, unit: TimeUnit): string {
  return `${signed(estimate, unit)} [${signed(low, unit)}, ${signed(high, unit)}]`;
}

function signed(seconds: number, unit: TimeUnit): string {
  return `${seconds < 0 ? '-' : '+'}${formatTime(Math.abs(seconds), unit)}`;
}

/** The same unit for all times: a hundredth of the whole has a digit before the point. */
function unitOf({ A, B }: Explanation['whole']): TimeUnit {
  return chooseTimeUnit(Math.max(A, B) / 100);
}

function percent(share: number): string {
  return `${share < 0 ? '-' : '+'}${Math.abs(share * 100).toFixed(1)} %`;
}

/** The sentences below the list: the whole of these runs, and the verdict that is explained. */
export function summarySentences(explanation: Explanation): readonly string[] {
  const { whole, functions, verdict, confidence, pairs, samples, sampler, executions } = explanation;
  const level = `${Number((confidence * 100).toFixed(2))} %`;

  function of(value: number): string {
    return percent(value / whole.A);
  }

  const { estimate, low, high } = whole.difference;
  const sum = functions.reduce((total, { difference }) => total + difference.estimate, 0);
  const clear = functions.filter(({ isClear }) => isClear).length;
  const times = executions === 1 ? '' : ` of ${executions} executions each`;
  return [
    clear === 0
      ? `No function's difference is clear of 0; the largest are listed. The intervals hold for all functions at once at ${level}.`
      : `The intervals hold for all functions at once at ${level}.`,
    `Sum of all functions ${signed(sum, unitOf(whole))}, ${of(sum)} of A; CPU time of the processes in these runs ${of(estimate)} [${of(low)}, ${of(high)}]` +
      (verdict === null
        ? '.'
        : `; the comparison said ${verdict.verdict}, ${percent(verdict.ratio - 1)} [${percent(verdict.low - 1)}, ${percent(verdict.high - 1)}].`),
    `Self times are CPU time a run; ${pairs} pairs of runs${times}, about ${Math.round(samples)} samples a run, by ${sampler}.`,
  ];
}

/** An explanation as lines for people. */
export function renderFunctions(explanation: Explanation, style: TextStyle): string {
  const colors = createColors(style);
  const listed = listedFunctions(explanation);
  const rows = listed.map((cost) => functionRow(cost, explanation));
  const [head = '', ...lines] = alignCells([rowHeads, ...rows], (column) => column >= 2);
  const painted = lines.map((line, at) => {
    const cost = listed[at];
    if (cost?.isClear !== true) return line;
    return cost.difference.estimate > 0 ? colors.red(line) : colors.green(line);
  });
  const verdict = explanation.verdict === null ? '' : ` ${colorVerdict(explanation.verdict.verdict, colors)}`;
  const sentences = summarySentences(explanation).flatMap((text) => wrapText(text, style.width ?? 80));
  return `${[`explain ${explanation.benchmark}${verdict}`, '', colors.dim(head), ...painted, '', ...sentences].join('\n')}\n`;
}
