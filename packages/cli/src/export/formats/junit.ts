import type { Comparison, Report } from '@deadheat/model';
import { verdictSentence } from '../../render/verdict-sentence.ts';
import { comparisonNames } from './comparison-names.ts';
import type { ExportFormat } from './export-format.ts';
import { ofReport } from './of-report.ts';
import { toXml, type XmlElement } from './xml.ts';

/** JUnit's XML as CI systems read it: a comparison is a test case; `slower` fails it, `undecided` skips it. */
export const junit: ExportFormat = ofReport({
  id: 'junit',
  describe: 'JUnit XML, for CI systems: slower fails',
  text: toJunit,
  losses: () => [
    'JUnit knows passed, failed and skipped: slower is failed, undecided is skipped, dead heat and faster are passed; single times are left out',
  ],
});

function toJunit({ experiment, machine, comparisons }: Report): string {
  const names = comparisonNames(comparisons);
  const counts = {
    tests: comparisons.length,
    failures: comparisons.filter(({ verdict }) => verdict === 'slower').length,
    errors: 0,
    skipped: comparisons.filter(({ verdict }) => verdict === 'undecided').length,
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
    children: comparisons.map((comparison, index) =>
      testCase(names[index] ?? '', { comparison, suite: experiment.name }),
    ),
  };
  return toXml({ name: 'testsuites', attributes: { name: 'deadheat', ...counts }, children: [suite] });
}

function testCase(
  name: string,
  { comparison, suite }: { readonly comparison: Comparison; readonly suite: string },
): XmlElement {
  const { verdict, warnings, time } = comparison;
  const message = verdictSentence(comparison);
  const told = [message, ...warnings.map((warning) => `warning ${warning.code}: ${warning.message}`)].join('\n');
  return {
    name: 'testcase',
    attributes: { name, classname: suite, time: seconds(time.wallNs) },
    children: [
      ...(verdict === 'slower' ? [{ name: 'failure', attributes: { type: 'slower', message }, text: told }] : []),
      ...(verdict === 'undecided' ? [{ name: 'skipped', attributes: { message } }] : []),
      { name: 'system-out', text: told },
    ],
  };
}

function seconds(ns: number): string {
  return (ns / 1e9).toFixed(3);
}
