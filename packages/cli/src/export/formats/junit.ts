import type { Comparison, Report } from '@deadheat/model';
import { standings, type Standing, verdictSentence } from '@deadheat/report';
import { comparisonNames } from './comparison-names.ts';
import type { ExportFormat } from './export-format.ts';
import { ofReport } from './of-report.ts';
import { toXml, type XmlElement } from './xml.ts';

/** JUnit's XML as CI systems read it: a comparison is a test case, which fails where the gate does; `undecided` skips it. */
export const junit: ExportFormat = ofReport({
  id: 'junit',
  describe: 'JUnit XML for CI systems; SLOWER is a failed test',
  text: toJunit,
  losses: () => [
    'JUnit has the results passed, failed, skipped and error. A benchmark that the gate counts as slower is failed; one that is undecided, or slower with a waiver, is skipped; an A/A control that shows a difference is an error, and the benchmarks of its experiment are skipped; all others are passed. Single times are left out',
  ],
});

/** What a test case is to a CI system. */
interface Result {
  readonly kind: 'passed' | 'failure' | 'skipped' | 'error';
  /** Why; of one that passed the verdict. */
  readonly message: string;
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
    result: resultOf(comparison, { standing: standing.get(comparison), isTrusted: gate.outcome !== 'abstained' }),
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
  { standing, isTrusted }: { readonly standing: Standing | undefined; readonly isTrusted: boolean },
): Result {
  const message = verdictSentence(comparison);
  if (standing?.kind === 'control') return { kind: standing.differs ? 'error' : 'passed', message };
  if (!isTrusted) return { kind: 'skipped', message: `A differs from itself, so this does not count: ${message}` };
  switch (standing?.kind) {
    case 'counts':
      return { kind: 'failure', message };
    case 'waived':
      return {
        kind: 'skipped',
        message: `excused until ${standing.waiver.expires} (${standing.waiver.reason}): ${message}`,
      };
    case 'not-counted':
      return { kind: 'passed', message: `slower by itself, not after the correction for the family: ${message}` };
    default:
      return { kind: comparison.verdict === 'undecided' ? 'skipped' : 'passed', message };
  }
}

function testCase({ name, comparison, result }: Judged, suite: string): XmlElement {
  const { warnings, time } = comparison;
  const { kind, message } = result;
  const told = [message, ...warnings.map((warning) => `warning ${warning.code}: ${warning.message}`)].join('\n');
  return {
    name: 'testcase',
    attributes: { name, classname: suite, time: seconds(time.wallNs) },
    children: [
      ...(kind === 'failure' ? [{ name: 'failure', attributes: { type: 'slower', message }, text: told }] : []),
      ...(kind === 'error' ? [{ name: 'error', attributes: { type: 'control', message }, text: told }] : []),
      ...(kind === 'skipped' ? [{ name: 'skipped', attributes: { message } }] : []),
      { name: 'system-out', text: told },
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
