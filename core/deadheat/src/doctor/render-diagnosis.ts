import { methodFacts } from '@deadheat/model';
import type { StudyTable } from '@deadheat/analysis';
import {
  type Colors,
  countOf,
  createColors,
  formatStretch,
  printable,
  proseWidth,
  studyTable,
  type TextStyle,
  wrapText,
} from '@deadheat/report';
import { type Diagnosis, sharpestMethod } from './diagnosis.ts';
import { type Finding, percentOf } from './facts.ts';
import type { DoctorMeasurement, MethodSight } from './measure.ts';

interface Layout {
  readonly width: number;
  readonly colors: Colors;
}

/** Text of a diagnosis, ending in a line break. */
export function renderDiagnosis(diagnosis: Diagnosis, style: TextStyle): string {
  const { measured, findings, counters, tuned } = diagnosis;
  const layout: Layout = { width: style.width ?? proseWidth, colors: createColors(style) };
  const ranked = (kind: 'spread' | 'shift' | null): readonly Finding[] =>
    findings.filter(({ effect }) => (effect?.kind ?? null) === kind);
  const sections = [
    wrapText(machineSentence(diagnosis), layout.width),
    measured === null ? [] : sightLines(measured, style),
    section('What makes runs differ here, by measured effect', { findings: ranked('spread'), layout }),
    section('What shifts times here, by measured effect', { findings: ranked('shift'), layout }),
    section(measured === null ? 'Known risks (nothing was measured)' : 'Known risks without a measured effect here', {
      findings: ranked(null),
      layout,
    }),
    findings.length > 0 ? [] : ['Nothing that disturbs this machine was found.'],
    wrapText(countersSentence(counters), layout.width),
    tuned === null
      ? []
      : wrapText(
          `Settings are changed by an earlier --apply (${tuned}); put them back with: deadheat doctor --restore`,
          layout.width,
        ),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** Which hardware counters `--metric` and `--also` can have here, and why not the others. */
function countersSentence(counters: Diagnosis['counters']): string {
  const all = Object.entries(counters);
  const offered = all.filter(([, obstacle]) => obstacle === null).map(([name]) => name);
  const missing = all.filter(([, obstacle]) => obstacle !== null);
  const first = `Hardware counters of --metric and --also: ${offered.length === 0 ? 'none' : offered.join(', ')}`;
  if (missing.length === 0) return `${first}.`;
  const obstacles = new Set(missing.map(([, obstacle]) => obstacle));
  const hint =
    obstacles.has('EACCES') || obstacles.has('EPERM')
      ? ' The kernel allows them with sysctl kernel.perf_event_paranoid=2.'
      : ' The processor, or the virtual machine, does not offer them.';
  return `${first}. Not counted here: ${missing.map(([name, obstacle]) => `${name} (${obstacle})`).join(', ')}.${hint}`;
}

function machineSentence({ machine, cpus: [a, b] }: Diagnosis): string {
  const { cpuModel, onlineCpus, usableCpus, virtualization, kernel, cpuQuota } = machine;
  const parts = [
    cpuModel ?? 'unknown processor',
    `${countOf(onlineCpus, 'CPU')}, ${usableCpus.length} of them usable`,
    ...(cpuQuota === null ? [] : [`quota of ${Number(cpuQuota.toFixed(2))} CPUs`]),
    virtualization ?? 'neither a virtual machine nor a container seen',
    `kernel ${kernel}`,
    a === b ? `looked at on CPU ${a}` : `looked at on CPUs ${a} and ${b}`,
  ];
  return printable(`${parts.join('; ')}.`);
}

function sightLines(measured: DoctorMeasurement, style: TextStyle): readonly string[] {
  const { methods, plannedRuns, complete, tookNs } = measured;
  const table = studyTable(sightTable(measured), style);
  const best = sharpestMethod(methods);
  const width = style.width ?? proseWidth;
  const cut = complete
    ? []
    : wrapText(
        `The time ended the measuring after ${formatStretch(tookNs)}, before all ${plannedRuns} runs were in: the figures are rough. ` +
          'Give it more with --max-time.',
        width,
      );
  return [...table, ...cut, ...(best === null ? [] : ['', ...wrapText(bestSentence(best, methods), width)])];
}

function sightTable({ methods, iterations, iterationNs, confidence, plannedRuns }: DoctorMeasurement): StudyTable {
  return {
    title: 'What this machine can see',
    source: `each program against itself, runs of ${iterations} iterations of ${iterationNs / 1e6} ms`,
    columns: [
      { name: 'workload', unit: 'text' },
      { name: 'method', unit: 'text' },
      { name: 'runs', unit: 'count' },
      { name: 'detectable slowdown', unit: 'share' },
      { name: 'pairing gain', unit: 'number' },
      { name: 'spread of runs', unit: 'share' },
    ],
    rows: methods.map(({ workload, method, runs, detectableSlowdown, pairingGain, spread }) => [
      workload,
      method,
      runs,
      detectableSlowdown,
      pairingGain,
      spread,
    ]),
    notes: [
      `detectable slowdown: would be called slower in 80 % of experiments of so many runs, at ${percentOf(confidence)} confidence; four ` +
        `times the runs halve it, and from ${plannedRuns} runs it is rough itself`,
      ...(methods.some(({ detectableSlowdown }) => detectableSlowdown === null)
        ? [
            'no figure: fewer than two runs count, of async-duet those in which executions overlapped, or so few runs would not even see a program that takes four times as long',
          ]
        : []),
      ...(methods.some(({ method }) => methodFacts[method].ownTime === 'cpu')
        ? ['tandem is judged by CPU time, the other methods by wall time']
        : []),
      'pairing gain: how many times wider the interval were without the pairs; 1 = pairs bring nothing here',
    ],
  };
}

function bestSentence(best: MethodSight['method'], sights: readonly MethodSight[]): string {
  const listed = (method: MethodSight['method']): string =>
    sights
      .flatMap(({ workload, method: own, detectableSlowdown: slowdown }) =>
        own !== method || slowdown === null ? [] : [`${percentOf(slowdown)} (${workload})`],
      )
      .join(', ');
  const others = [...new Set(sights.map(({ method }) => method))].filter((method) => method !== best);
  const rest = others
    .filter((method) => listed(method) !== '')
    .map((method) => `${method} ${listed(method)}`)
    .join('; ');
  return `Sharpest here: ${best}, which sees slowdowns from ${listed(best)}${rest === '' ? '' : `; ${rest}`}.`;
}

function section(
  title: string,
  { findings, layout }: { readonly findings: readonly Finding[]; readonly layout: Layout },
): readonly string[] {
  if (findings.length === 0) return [];
  return [
    layout.colors.bold(title),
    ...findings.flatMap((finding, place) => ['', ...findingLines(finding, { place, layout })]),
  ];
}

function findingLines(
  { code, title, effect, evidence, advice }: Finding,
  { place, layout: { width, colors } }: { readonly place: number; readonly layout: Layout },
): readonly string[] {
  const indent = '   ';
  const size = effect === null ? '' : `, ${percentOf(effect.share)}`;
  const head = `${place + 1}. ${code}${size}: ${title}`;
  const labelled = (label: string, text: string): readonly string[] => {
    const [first = '', ...rest] = wrapText(`${label}: ${printable(text)}`, width - indent.length);
    return [first.replace(label, colors.dim(label)), ...rest].map((line) => indent + line);
  };
  const [first = '', ...rest] = wrapText(head, width);
  return [
    first.replace(code, colors.yellow(code)),
    ...rest.map((line) => indent + line),
    ...(effect === null ? [] : labelled('measured', effect.how)),
    ...labelled('seen', evidence),
    ...labelled('without root', advice.withoutRoot),
    ...(advice.asRoot === null ? [] : labelled('as root', advice.asRoot)),
  ];
}
