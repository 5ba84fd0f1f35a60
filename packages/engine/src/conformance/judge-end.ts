import { sideState } from '@deadheat/sync';
import type { Observation } from './observation.ts';
import { newerPageVersion } from './page-file.ts';
import type { Finding, RuleId } from './rules.ts';
import type { Scenario } from './scenario.ts';

/** The rules about how a program ends: well, or having failed when it has to. */
export function judgeEnd(scenario: Scenario, observation: Observation): readonly Finding[] {
  if (scenario.mustFail) return judgeFailing(scenario, observation);
  const findings: Finding[] = [];
  const problem = whyNotWell(scenario, observation);
  if (scenario.page === 'none') findings.push({ rule: 'alone', problem });
  // What a program that did not pass the barriers does next is no matter of its end.
  else if (observation.waitedFor === null || observation.waitedFor === 'its end')
    findings.push({ rule: 'end', problem });
  return findings;
}

function whyNotWell({ page }: Scenario, observation: Observation): string | null {
  const { waitedFor, finalState, finalPid } = observation;
  if (waitedFor !== null) return 'it did not end in time';
  const ended = describeEnd(observation);
  if (ended !== 'with status 0') return `it ended ${ended}${lastWords(observation)}`;
  if (page === 'none') return null;
  if (finalState !== sideState.finished) {
    return `it ended with its state ${finalState}, not ${sideState.finished} (finished)`;
  }
  return finalPid === 0 ? null : `it ended and left process id ${finalPid} on the page`;
}

function judgeFailing(scenario: Scenario, observation: Observation): readonly Finding[] {
  const own: RuleId = scenario.poisonAt !== null ? 'poison' : scenario.page === 'none' ? 'failure' : 'refusal';
  const { waitedFor, arrivals, stderr, pageTouched, finalState, lines } = observation;
  if (own === 'poison' && (arrivals.length < (scenario.poisonAt ?? 0) || waitedFor?.startsWith('barrier') === true))
    return [];
  if (waitedFor !== null) {
    const what =
      own === 'poison' ? 'it went on after the page had been poisoned' : 'it went on as if nothing were wrong';
    return [{ rule: own, problem: `${what} and had to be ended` }];
  }
  const findings: Finding[] = [];
  if (own === 'poison') {
    const allowed = arrivals.filter(({ releasedNs }) => releasedNs !== null).length;
    const done = lines.filter(({ kind }) => kind === 'iteration').length;
    const problem = done > allowed ? 'it did another iteration after the page had been poisoned' : null;
    findings.push({ rule: own, problem });
  }
  if (own === 'refusal') findings.push({ rule: own, problem: whyNoRefusal(scenario, { stderr, pageTouched }) });
  const ended = describeEnd(observation);
  if (ended === 'with status 0') {
    findings.push({ rule: 'failure', problem: 'it ended with status 0 though it could not do its work' });
  } else if (stderr.trim() === '') {
    findings.push({ rule: 'failure', problem: `it ended ${ended} and said nothing on standard error` });
  } else if (own === 'poison' && finalState !== sideState.failed) {
    const problem = `it ended ${ended} with its state ${finalState}, not ${sideState.failed} (failed)`;
    findings.push({ rule: 'failure', problem });
  } else {
    findings.push({ rule: 'failure', problem: null });
  }
  return findings;
}

function whyNoRefusal(
  { page }: Scenario,
  { stderr, pageTouched }: Pick<Observation, 'stderr' | 'pageTouched'>,
): string | null {
  if (pageTouched) return 'it wrote to a file that is no page of its version';
  if (page === 'newer' && !new RegExp(String.raw`\b${newerPageVersion}\b`).test(stderr)) {
    return `its message does not say the version that it found, ${newerPageVersion}`;
  }
  return null;
}

const describeEnd = ({ status, signal }: Observation): string =>
  signal === null ? `with status ${status}` : `by ${signal}`;

function lastWords({ stderr }: Observation): string {
  const last = stderr.trim().split('\n').at(-1) ?? '';
  return last === '' ? '' : `: ${last}`;
}
