import type { Comparison, Report } from '@deadheat/model';
import { missedShare, standings, type Standing, verdictSentence } from '@deadheat/report';
import { ofReport, type ExportFormat } from './export-format.ts';
import { comparisonNames } from './report-formats.ts';

/** JUnit's XML as CI systems read it: a comparison is a test case, which fails where the gate does, and is an error where it was not measured. */
export const junit: ExportFormat = ofReport({
  id: 'junit',
  describe: 'JUnit XML for CI systems; SLOWER is a failed test',
  text: toJunit,
  losses: () => [
    'JUnit has the results passed, failed, skipped and error. A benchmark that fails the gate is failed; one that was not measured well enough is an error, and skipped where --undecided lets it pass; one that is slower with a waiver is skipped; an A/A control that shows a difference is an error, and the benchmarks of its experiment are skipped; all others are passed. Single times are left out',
  ],
});

/** Result of a test case in a CI system. */
interface Result {
  readonly kind: 'passed' | 'failure' | 'skipped' | 'error';
  /** Why; of one that passed the verdict. */
  readonly message: string;
  /** Kind of a failure or error. */
  readonly type?: string;
}

interface Judged {
  readonly name: string;
  readonly comparison: Comparison;
  readonly result: Result;
}

/** A report as JUnit's XML; what went wrong in the experiment is a test case of its own with an error. */
export function toJunit(report: Report, { troubles = [] }: { readonly troubles?: readonly string[] } = {}): string {
  const { experiment, machine, comparisons, gate } = report;
  const names = comparisonNames(comparisons);
  const standing = standings(report);
  const judged: readonly Judged[] = comparisons.map((comparison, index) => ({
    name: names[index] ?? '',
    comparison,
    result: resultOf(comparison, { standing: standing.get(comparison), gate }),
  }));
  const count = (kind: Result['kind']): number => judged.filter(({ result }) => result.kind === kind).length;
  const counts = {
    tests: comparisons.length + troubles.length,
    failures: count('failure'),
    errors: count('error') + troubles.length,
    skipped: count('skipped'),
    time: seconds(comparisons.reduce((sum, { time }) => sum + time.wallNs, 0)),
  };
  const suite: XmlElement = {
    name: 'testsuite',
    attributes: {
      name: experiment.name,
      ...counts,
      timestamp: experiment.startedAt.replace(/\.\d+Z$/, ''),
      hostname: machine?.hostname ?? 'unknown',
    },
    children: [
      ...troubles.map((message) => troubleCase(message, experiment.name)),
      ...judged.map((one) => testCase(one, experiment.name)),
    ],
  };
  return toXml({ name: 'testsuites', attributes: { name: 'deadheat', ...counts }, children: [suite] });
}

function resultOf(
  comparison: Comparison,
  { standing, gate }: { readonly standing: Standing | undefined; readonly gate: Report['gate'] },
): Result {
  const message = verdictSentence(comparison);
  if (standing?.kind === 'control') return { kind: standing.differs ? 'error' : 'passed', message, type: 'control' };
  if (gate.outcome === 'abstained')
    return { kind: 'skipped', message: `A differs from itself, so this does not count: ${message}` };
  switch (standing?.kind) {
    case 'counts':
      return { kind: 'failure', message, type: gate.against };
    case 'waived':
      return {
        kind: 'skipped',
        message: `excused until ${standing.waiver.expires} (${standing.waiver.reason}): ${message}`,
      };
    case 'not-counted':
    case 'not-measured':
    case 'let-pass': {
      const why =
        standing.kind === 'not-counted'
          ? 'slower by itself, not after the correction for the family'
          : `not measured well enough: B ${missedShare(standing.found, gate.against)}`;
      const missed = `${why}: ${message}`;
      const kinds = { 'let-pass': 'skipped', 'not-measured': 'error' } as const;
      const { outcome } = standing.found;
      return outcome === 'let-pass' || outcome === 'not-measured'
        ? { kind: kinds[outcome], message: missed, type: 'not-measured' }
        : { kind: 'passed', message: missed };
    }
    default:
      return { kind: 'passed', message };
  }
}

function testCase({ name, comparison, result }: Judged, suite: string): XmlElement {
  const { warnings, time } = comparison;
  const { kind, message, type = null } = result;
  const text = [message, ...warnings.map((warning) => `warning ${warning.code}: ${warning.message}`)].join('\n');
  return {
    name: 'testcase',
    attributes: { name, classname: suite, time: seconds(time.wallNs) },
    children: [
      ...(kind === 'failure' ? [{ name: 'failure', attributes: { type, message }, text }] : []),
      ...(kind === 'error' ? [{ name: 'error', attributes: { type, message }, text }] : []),
      ...(kind === 'skipped' ? [{ name: 'skipped', attributes: { message } }] : []),
      { name: 'system-out', text },
    ],
  };
}

function troubleCase(message: string, suite: string): XmlElement {
  return {
    name: 'testcase',
    attributes: { name: 'the experiment', classname: suite, time: seconds(0) },
    children: [{ name: 'error', attributes: { type: 'experiment', message }, text: message }],
  };
}

function seconds(ns: number): string {
  return (ns / 1e9).toFixed(3);
}

/** An element of an XML document. */
export interface XmlElement {
  readonly name: string;
  /** In their order; `null` = left out. */
  readonly attributes?: Readonly<Record<string, string | number | null>>;
  readonly children?: readonly XmlElement[];
  /** Text in place of children. */
  readonly text?: string;
}

/** An XML 1.0 document, two spaces an indent. Characters that XML 1.0 cannot hold become U+FFFD. */
export function toXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${renderElement(root, '')}`;
}

function renderElement({ name, attributes = {}, children = [], text }: XmlElement, indent: string): string {
  const said = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`);
  const open = `${indent}<${name}${said.join('')}`;
  if (text !== undefined) return `${open}>${escapeText(text)}</${name}>\n`;
  if (children.length === 0) return `${open}/>\n`;
  return `${open}>\n${children.map((child) => renderElement(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

function refer(character: string): string {
  return references[character] ?? character;
}

/** A line break in an attribute would be read as a space. */
function escapeAttribute(text: string): string {
  return allowed(text).replaceAll(/[&<>"\n\r\t]/g, refer);
}

/** A carriage return would be read as a line feed. */
function escapeText(text: string): string {
  return allowed(text).replaceAll(/[&<>\r]/g, refer);
}

/** Only the characters of XML 1.0, section 2.2. */
function allowed(text: string): string {
  return text.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}
