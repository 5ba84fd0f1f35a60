import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAffinity, Guardian, hasNativeCalls, sharedMemoryDirectory } from '@deadheat/sync';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkProtocol } from '../../src/conformance/check-protocol.ts';
import { judge } from '../../src/conformance/judge.ts';
import { observe } from '../../src/conformance/observe.ts';
import { rules, type RuleId } from '../../src/conformance/rules.ts';
import { scenarios } from '../../src/conformance/scenario.ts';
import { readWorkloadRecord } from '@deadheat/recording';

const side = join(import.meta.dirname, 'fixtures', 'side.py');

/** Why no program can be checked here; `null` when one can. */
const notHere = !hasNativeCalls()
  ? 'the C library cannot be called here'
  : sharedMemoryDirectory() === null
    ? 'there is no /dev/shm here'
    : getAffinity().length < 2
      ? 'there is one CPU only'
      : spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 8))']).status === 0
        ? null
        : 'there is no python3 from 3.8 on here';

/** What a program that hangs costs. */
const patienceNs = 10e9;
/** Longer than any step of a program that does not hang takes on a machine that is busy with other tests. */
const longPatienceNs = 120e9;

const title = (text: string): string => (notHere === null ? text : `${text} (skipped: ${notHere})`);

describe.skipIf(notHere !== null)(title('a program that keeps the protocol'), () => {
  it('breaks no rule, and every rule is tested', async () => {
    const seen: string[] = [];
    const check = await checkProtocol({
      argv: ['python3', side, 'none'],
      sides: ['A', 'B'],
      timeoutNs: longPatienceNs,
      signal: new AbortController().signal,
      onScenario: (scenario) => seen.push(`${scenario.side} ${scenario.name}`),
    });
    expect(check.rules.filter(({ outcome }) => outcome !== 'held')).toEqual([]);
    expect(check.holds).toBe(true);
    expect(check.rules.map(({ rule }) => rule)).toEqual(Object.keys(rules));
    expect(seen).toEqual(['A', 'B'].flatMap((as) => scenarios.map(({ name }) => `${as} ${name}`)));
  });
});

describe.skipIf(notHere !== null)(title('a program with a flaw'), () => {
  let calibration: string;
  let guardian: Guardian;
  beforeAll(() => {
    guardian = new Guardian();
  });
  afterAll(async () => guardian.close());
  beforeEach(() => {
    calibration = mkdtempSync(join(tmpdir(), 'deadheat-calibration-'));
  });
  afterEach(() => rmSync(calibration, { recursive: true, force: true }));

  async function brokenRules(flaw: string, options: { readonly as: 'A' | 'B'; readonly name: string }) {
    const scenario = scenarios.find(({ name }) => name === options.name);
    if (scenario === undefined) throw new TypeError(`no scenario ${options.name}`);
    const observation = await observe(scenario, {
      argv: ['python3', side, flaw],
      side: options.as,
      timeoutMs: patienceNs / 1e6,
      signal: new AbortController().signal,
      guardian,
      calibration,
      checkRecord: async (path) =>
        readWorkloadRecord(path).then(
          () => null,
          (error: Error) => error.message,
        ),
    });
    const broken = new Map<RuleId, string>();
    for (const { rule, problem } of judge(scenario, observation)) {
      if (problem !== null && !broken.has(rule)) broken.set(rule, problem);
    }
    return Object.fromEntries(broken);
  }

  const duet = 'a duet that warms up, measures and stops';
  const poisoned = 'poison at the second barrier';
  // Flaw, side, scenario, the rule and what is said of it, rules that may be broken in consequence.
  const cases: readonly (readonly [string, 'A' | 'B', string, RuleId, RegExp, ...(readonly RuleId[])])[] = [
    ['start before the barrier', 'A', 'a peer that comes late', 'barrier', /began .* ms before/, 'started'],
    ['no waiting', 'B', duet, 'barrier', /went on to barrier 4/, 'end'],
    ['deaf to stop', 'A', duet, 'decision', /barrier 5 said stop/, 'work-done', 'end'],
    ['malformed lines', 'B', duet, 'record-form', /record/, 'record-in-time'],
    ['late lines', 'A', duet, 'record-in-time', /barrier 1/, 'benchmark-number'],
    ['time backwards', 'A', duet, 'record-time', /runs backwards/],
    ['time of day', 'B', duet, 'record-clock', /CLOCK_REALTIME/],
    ['no state', 'B', duet, 'state', /state was 0/],
    ['not finished', 'A', duet, 'end', /state 1, not 2/],
    ['no work done', 'A', duet, 'work-done', /after 1 iterations/],
    ['deaf to poison', 'A', poisoned, 'poison', /had to be ended/],
    ['status 0 after a failure', 'B', poisoned, 'failure', /status 0/],
    ['silence', 'A', 'a record that cannot be written', 'failure', /said nothing/],
    ['any page', 'A', 'a page of another version', 'refusal', /./],
    ['no benchmark number', 'B', 'a runner that decides for each benchmark', 'benchmark-number', /begun 2/],
    ['decision unresolved', 'A', 'a runner that decides for each benchmark', 'decision-copy', /barrier 1/],
    ['no warm-up marks', 'A', 'alone, without a page', 'warmup', /iteration 0 is not marked/],
    ['no count of iterations', 'A', 'alone, without a page', 'iterations', /has 5 iterations/],
    ['busy waiting', 'A', 'a peer that comes late, and DEADHEAT_WAIT=yield', 'wait', /waited in a busy loop/],
    ['no filling', 'B', 'a peer that works longer, and DEADHEAT_FILL', 'fill', /before the other side/],
  ];
  for (const [flaw, as, name, rule, says, ...consequences] of cases) {
    it(`is caught: ${flaw}, as ${as}, in "${name}"`, async () => {
      let found = await brokenRules(flaw, { as, name });
      // Whether a wait was busy shows only where the machine gave it a CPU for long enough, which a busy machine may not do every time.
      const most = rule === 'wait' ? 4 : 0;
      for (let again = 0; again < most && found[rule] === undefined; again++) {
        found = await brokenRules(flaw, { as, name });
      }
      expect(found[rule]).toMatch(says);
      expect([rule, ...consequences]).toEqual(expect.arrayContaining(Object.keys(found)));
    });
  }
});

describe('a program that is not there', () => {
  it.skipIf(sharedMemoryDirectory() === null || !hasNativeCalls())(
    'is named, with what to do (skipped without /dev/shm)',
    async () => {
      const check = checkProtocol({
        argv: ['./no-such-program'],
        sides: ['A'],
        timeoutNs: patienceNs,
        signal: new AbortController().signal,
      });
      await expect(check).rejects.toMatchObject({ code: 'PROGRAM_NOT_STARTED', message: /no-such-program/ });
    },
  );
});
