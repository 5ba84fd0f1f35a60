import { sideState, decision } from '@deadheat/sync';
import { judgePage, judgeRecord, isOnTheClock } from './judge-record.ts';
import { type Observation, newerPageVersion, type Arrival, type ObservedLine } from './observation.ts';
import type { Finding, RuleId } from './rules.ts';
import type { Scenario } from './scenario.ts';

/** Holds what was seen of a program against the rules; a rule that a scenario says nothing about is left out. */
export function judge(scenario: Scenario, observation: Observation): readonly Finding[] {
  return [
    ...judgeRecord(scenario, observation),
    ...judgeBarriers(scenario, observation),
    ...judgePage(scenario, observation),
    ...judgeEnd(scenario, observation),
  ];
}

/** The rules about how a program ends: well, or having failed when it has to. */
function judgeEnd(scenario: Scenario, observation: Observation): readonly Finding[] {
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

function describeEnd({ status, signal }: Observation): string {
  return signal === null ? `with status ${status}` : `by ${signal}`;
}

function lastWords({ stderr }: Observation): string {
  const last = stderr.trim().split('\n').at(-1) ?? '';
  return last === '' ? '' : `: ${last}`;
}

const kinds = ['measure', 'warm-up', 'stop'] as const;

/** The rules about barriers: waiting, the decision, and what must be in the record by then. */
function judgeBarriers(scenario: Scenario, observation: Observation): readonly Finding[] {
  if (scenario.page !== 'page') return [];
  const { arrivals } = observation;
  const rule = scenario.cursor === 0 ? 'barrier' : 'barrier-wrap';
  if (arrivals.length === 0) {
    return [{ rule, problem: neverCame(observation) }];
  }
  const findings: Finding[] = [
    ...judgeWaiting(rule, observation),
    ...judgeLines(arrivals),
    ...judgeDecisions(scenario, observation),
    ...judgePatience(arrivals),
  ];
  for (const { stored, decided, barrier, benchmark } of arrivals.filter(({ wasSeen }) => wasSeen)) {
    if (stored === null) continue;
    const problem =
      stored === decided
        ? null
        : `at barrier ${barrier}, in benchmark ${benchmark}, it stored ${nameOf(stored)} where the runner's words say ` +
          nameOf(decided);
    findings.push({ rule: 'decision-copy', problem });
  }
  if (scenario.peerWorksLonger) {
    const early = arrivals.find(({ cameBeforePeerWasDone }) => cameBeforePeerWasDone);
    const problem =
      early === undefined
        ? null
        : `it came to barrier ${early.barrier + 1} before the other side had done the iteration that barrier ` +
          `${early.barrier} began`;
    findings.push({ rule: 'fill', problem });
  }
  return findings;
}

function neverCame({ waitedFor, status, signal, stderr }: Observation): string {
  const end = signal === null ? `with status ${status}` : `by ${signal}`;
  const last = stderr.trim().split('\n').at(-1) ?? '';
  if (waitedFor !== null) return `it did not come to ${waitedFor} in time`;
  return `it ended ${end} and never came to a barrier${last === '' ? '' : ` (${last})`}`;
}

function isIteration({ decided, releasedNs }: Arrival): boolean {
  return releasedNs !== null && decided !== decision.stop;
}

/** No iteration may begin before the peer has come; judged where the times are those of the right clock. */
function judgeWaiting(rule: RuleId, observation: Observation): readonly Finding[] {
  const { arrivals, waitedFor } = observation;
  const ahead = arrivals.find((arrival) => arrival.ahead > 0);
  if (ahead !== undefined) {
    const problem = `it went on to barrier ${ahead.barrier + ahead.ahead} though the other side had not come to barrier ${ahead.barrier}`;
    return [{ rule, problem }];
  }
  if (waitedFor !== null && waitedFor.startsWith('barrier')) {
    return [{ rule, problem: `it came to ${nameBarrier(arrivals.at(-1))}, but not to ${waitedFor} in time` }];
  }
  const lines = iterationsOf(observation);
  const allowed = arrivals.filter(isIteration);
  for (const [j, line] of lines.entries()) {
    const released = allowed[j]?.releasedNs ?? null;
    if (released === null || line.startNs >= released || !isOnTheClock(line, observation)) continue;
    const early = ((released - line.startNs) / 1e6).toFixed(1);
    const barrier = allowed[j]?.barrier ?? 0;
    const problem = `its iteration began ${early} ms before the other side came to barrier ${barrier}`;
    return [{ rule, problem }];
  }
  return [{ rule, problem: null }];
}

function nameBarrier(arrival: Arrival | undefined): string {
  return arrival === undefined ? 'no barrier' : `barrier ${arrival.barrier}`;
}

function iterationsOf({ lines }: Observation): readonly ObservedLine[] {
  return lines.filter(({ kind }) => kind === 'iteration');
}

/** Waiting with DEADHEAT_WAIT=yield. Compilers and collectors may be busy during one wait, a busy loop is so during all. */
function judgePatience(arrivals: readonly Arrival[]): readonly Finding[] {
  const waits = arrivals.map(({ waiting }) => waiting).filter((waiting) => waiting !== null);
  const [first] = waits;
  if (first === undefined) return [];
  const [used, of] = [first.executedNs, first.elapsedNs].map((ns) => Math.round(ns / 1e6));
  const problem = waits.every(({ isBusyLoop }) => isBusyLoop)
    ? `it waited in a busy loop: of ${of} ms at a barrier a thread was executed for ${used} ms`
    : null;
  return [{ rule: 'wait', problem }];
}

/** At each barrier the record must hold all that came before. */
function judgeLines(arrivals: readonly Arrival[]): readonly Finding[] {
  let passed = 0;
  for (const arrival of arrivals) {
    const { barrier, wasSeen, benchmarks, iterations, ahead } = arrival;
    if (wasSeen && ahead <= 0 && benchmarks === 0) {
      const problem = `at barrier ${barrier} the line that begins the benchmark was not in the record yet`;
      return [{ rule: 'record-in-time', problem }];
    }
    if (wasSeen && ahead <= 0 && iterations < passed) {
      const problem = `at barrier ${barrier} the record held ${iterations} of ${passed} iterations`;
      return [{ rule: 'record-in-time', problem }];
    }
    if (isIteration(arrival)) passed += 1;
  }
  return [{ rule: 'record-in-time', problem: null }];
}

/** Every decision is followed; judged up to the first barrier for which side A has stored another. */
function judgeDecisions(scenario: Scenario, observation: Observation): readonly Finding[] {
  const lines = iterationsOf(observation);
  const findings: Finding[] = [];
  const marked = Number(scenario.environment['DEADHEAT_WARMUP'] ?? 0);
  let j = 0;
  for (const [at, arrival] of observation.arrivals.entries()) {
    const { barrier, decided, stored, wasSeen, releasedNs } = arrival;
    if (releasedNs === null || (wasSeen && stored !== null && stored !== decided)) return findings;
    if (decided === decision.stop) {
      const next = observation.arrivals[at + 1];
      const benchmarks = next?.benchmarks ?? arrival.benchmarks;
      const returned =
        next !== undefined && next.benchmarks <= arrival.benchmarks && next.benchmark <= arrival.benchmark;
      const worked = (next?.iterations ?? lines.length) > j;
      if (returned || (worked && benchmarks <= arrival.benchmarks)) {
        const what = worked ? 'it did another iteration' : 'it came back to another barrier';
        return [...findings, { rule: 'decision', problem: `barrier ${barrier} said stop, but ${what}` }];
      }
      findings.push({ rule: 'decision', problem: null });
      continue;
    }
    const line = lines[j++];
    if (line === undefined || line.i < marked) continue;
    const said = decided === decision.warmup;
    const problem =
      line.warmup === said
        ? null
        : `barrier ${barrier} said ${nameOf(decided)}, but its iteration is recorded as ${line.warmup ? 'warm-up' : 'measured'}`;
    findings.push({ rule: 'decision', problem });
  }
  return findings;
}

function nameOf(kind: number): string {
  return kinds[kind] ?? String(kind);
}
