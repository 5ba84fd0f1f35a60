import { decision, sideState } from '@deadheat/sync';
import type { Observation, ObservedLine } from './observation.ts';
import type { Finding } from './rules.ts';
import type { Scenario } from './scenario.ts';

/** The rules about what a record holds, and about the numbers of iterations that the environment asks for. */
export function judgeRecord(scenario: Scenario, observation: Observation): readonly Finding[] {
  if (scenario.mustFail && scenario.poisonAt === null) return [];
  const { lines, recordError } = observation;
  const finished = !scenario.mustFail && observation.waitedFor === null;
  if (lines.length === 0) {
    return finished ? [{ rule: 'record-form', problem: 'it wrote nothing to DEADHEAT_RECORD' }] : [];
  }
  const findings: Finding[] = [];
  if (recordError === null) {
    findings.push({ rule: 'record-form', problem: null }, { rule: 'record-time', problem: null });
  } else if (recordError.includes('time runs backwards')) {
    findings.push({ rule: 'record-time', problem: recordError });
  } else {
    findings.push({ rule: 'record-form', problem: recordError });
  }
  findings.push(...judgeClock(observation));
  if (finished && observation.status === 0) findings.push(...judgeNumbers(scenario, lines));
  return findings;
}

/** Whether the times of an iteration may be readings of CLOCK_MONOTONIC in ns while the program ran. */
export function isOnTheClock({ startNs, endNs }: ObservedLine, observation: Observation): boolean {
  return startNs >= observation.startedNs && Math.max(startNs, endNs) <= observation.endedNs;
}

function judgeClock(observation: Observation): readonly Finding[] {
  const iterations = observation.lines.filter(({ kind, startNs }) => kind === 'iteration' && !Number.isNaN(startNs));
  if (iterations.length === 0) return [];
  const off = iterations.find((line) => !isOnTheClock(line, observation));
  if (off === undefined) return [{ rule: 'record-clock', problem: null }];
  const { startedNs, endedNs } = observation;
  const problem =
    `iteration ${off.i} lasted from ${off.startNs} to ${off.endNs}, while the program ran from ${startedNs} to ` +
    `${endedNs} ns of CLOCK_MONOTONIC${guessClock(off.startNs, observation)}`;
  return [{ rule: 'record-clock', problem }];
}

const hourNs = 3.6e12;

function guessClock(time: number, { startedNs, endedNs, wallClockNs }: Observation): string {
  for (const [unit, ns] of [
    ['µs', 1e3],
    ['ms', 1e6],
    ['s', 1e9],
  ] as const) {
    if (time * ns >= startedNs - ns && time * ns <= endedNs + ns) return `: these are ${unit}`;
    if (Math.abs(time * ns - wallClockNs) < hourNs) return `: this is the time of day in ${unit}`;
  }
  return Math.abs(time - wallClockNs) < hourNs ? ': this is CLOCK_REALTIME, the time of day' : '';
}

/** The iterations that DEADHEAT_ITERATIONS and DEADHEAT_WARMUP ask for, where no decision cuts them short. */
function judgeNumbers({ environment }: Scenario, lines: readonly ObservedLine[]): readonly Finding[] {
  if (environment['DEADHEAT_WARMUP'] === undefined) return [];
  const asked = Number(environment['DEADHEAT_ITERATIONS']);
  const warmups = Number(environment['DEADHEAT_WARMUP']);
  const [first = []] = splitByBenchmark(lines);
  const marked = first.map(({ warmup }) => warmup);
  const findings: Finding[] = [
    {
      rule: 'iterations',
      problem:
        first.length === asked
          ? null
          : `with DEADHEAT_ITERATIONS=${asked} the first benchmark has ${first.length} iterations in its record`,
    },
  ];
  const wrong = marked.findIndex((warmup, i) => warmup !== i < warmups);
  findings.push({
    rule: 'warmup',
    problem:
      wrong === -1
        ? null
        : `with DEADHEAT_WARMUP=${warmups} iteration ${wrong} is ${marked[wrong] === true ? '' : 'not '}marked "p":"warmup"`,
  });
  return findings;
}

function splitByBenchmark(lines: readonly ObservedLine[]): readonly (readonly ObservedLine[])[] {
  const benchmarks: ObservedLine[][] = [];
  for (const line of lines) {
    if (line.kind === 'benchmark') benchmarks.push([]);
    else if (line.kind === 'iteration') benchmarks.at(-1)?.push(line);
  }
  return benchmarks;
}

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

function isDone({ decided, releasedNs }: Observation['arrivals'][number]): boolean {
  return releasedNs !== null && decided !== decision.stop;
}

function whatIsWrongWithStart(startedMs: number, startNs: number, releasedNs: number): string | null {
  if (startedMs === 0) return 'it stores no start of its iterations';
  function toWord(ns: number): number {
    return Number(BigInt(Math.floor(ns / 1e6)) & BigInt(wordMask));
  }
  const since = (startedMs - toWord(releasedNs)) & wordMask;
  const until = (toWord(startNs) - startedMs) & wordMask;
  if (since <= wordMask / 2 && until <= wordMask / 2) return null;
  return `its word for the start was ${startedMs}; between ${toWord(releasedNs)} and ${toWord(startNs)} ms was right`;
}
