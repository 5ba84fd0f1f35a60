import { decision, sideState } from '@deadheat/sync';
import { isOnTheClock } from './judge-record.ts';
import type { Observation } from './observation.ts';
import type { Finding } from './rules.ts';
import type { Scenario } from './scenario.ts';

const wordMask = 0x7fff_ffff;

/** The rules about the words of its line that a side stores. */
export function judgePage(scenario: Scenario, observation: Observation): readonly Finding[] {
  const arrivals = observation.arrivals.filter(({ wasSeen, ahead }) => wasSeen && ahead <= 0);
  const [first] = arrivals;
  if (scenario.page !== 'page' || first === undefined) return [];
  const findings: Finding[] = [];
  findings.push({ rule: 'state', problem: whatIsWrongWithState(first) });
  for (const { barrier, benchmark, benchmarks } of arrivals) {
    const begun = Math.max(1, benchmarks);
    const problem =
      benchmark === begun
        ? null
        : `at barrier ${barrier} it had begun ${begun} in its record, but its word for benchmarks begun was ${benchmark}`;
    findings.push({ rule: 'benchmark-number', problem });
  }
  findings.push(...judgeIterations(observation));
  return findings;
}

function whatIsWrongWithState({ state, pid, pidLives, barrier }: Observation['arrivals'][number]): string | null {
  if (state !== sideState.running) {
    return `at barrier ${barrier} its state was ${state}, not ${sideState.running} (running)`;
  }
  if (pid === 0) return `at barrier ${barrier} it had stored no process id`;
  return pidLives ? null : `at barrier ${barrier} it had stored process id ${pid}, and there is no such process`;
}

/** Work done, and the start of each iteration, as the page has them at the barrier that follows. */
function judgeIterations(observation: Observation): readonly Finding[] {
  const findings: Finding[] = [];
  const lines = observation.lines.filter(({ kind }) => kind === 'iteration');
  let passed = 0;
  for (const [at, arrival] of observation.arrivals.entries()) {
    const { barrier, wasSeen, ahead, workDone, startedMs } = arrival;
    const before = observation.arrivals[at - 1];
    if (wasSeen && ahead <= 0) {
      const problem =
        workDone === passed
          ? null
          : `at barrier ${barrier}, after ${passed} iterations, its word for work done was ${workDone}`;
      findings.push({ rule: 'work-done', problem });
    }
    const line = lines[passed - 1];
    if (wasSeen && ahead <= 0 && line !== undefined && before !== undefined && isDone(before)) {
      if (isOnTheClock(line, observation) && before.releasedNs !== null) {
        findings.push({ rule: 'started', problem: whatIsWrongWithStart(startedMs, line.startNs, before.releasedNs) });
      }
    }
    if (isDone(arrival)) passed += 1;
  }
  return findings;
}

const isDone = ({ decided, releasedNs }: Observation['arrivals'][number]): boolean =>
  releasedNs !== null && decided !== decision.stop;

function whatIsWrongWithStart(startedMs: number, startNs: number, releasedNs: number): string | null {
  if (startedMs === 0) return 'it stores no start of its iterations';
  const toWord = (ns: number): number => Number(BigInt(Math.floor(ns / 1e6)) & BigInt(wordMask));
  const since = (startedMs - toWord(releasedNs)) & wordMask;
  const until = (toWord(startNs) - startedMs) & wordMask;
  if (since <= wordMask / 2 && until <= wordMask / 2) return null;
  return `its word for the start was ${startedMs}; between ${toWord(releasedNs)} and ${toWord(startNs)} ms was right`;
}
