import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPage,
  decision,
  getAffinity,
  monotonicNowNs,
  packDecision,
  pageBytes,
  pageMagic,
  poison,
  removePage,
  sharedMemoryDirectory,
  sideState,
  word,
  type Page,
} from '@deadheat/sync';
import { noPages, until } from '../support.ts';
import { begun, reached, runSide, type SideResult } from './duet.ts';
import { c, cPlusPlus, java, python, type ClientProgram } from './programs.ts';

type Command = readonly [string, ...string[]];

/** How long a peer is waited for where nothing may be counted meanwhile, ms. */
const waitMs = 400;
/** The least that Java tells of a process. */
const tickNs = 10e6;
/** Whether the kernel tells the CPU time of each thread in ns. */
const schedulerTells = existsSync('/proc/self/schedstat');

let directory: string;
const built = new Map<string, Command>();
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'clients-test-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function command(client: ClientProgram, program: 'example' | 'tasks' = 'example'): Command {
  const key = `${client.language} ${program}`;
  const known = built.get(key) ?? client.build(directory, program);
  built.set(key, known);
  return known;
}

async function withPage<T>(use: (page: Page) => Promise<T>): Promise<T> {
  const page = createPage(sharedMemoryDirectory() ?? '');
  try {
    return await use(page);
  } finally {
    removePage(page.path);
  }
}

/** A duet of two examples whose runner says warm-up, then measure, then stop, at moments of its own. */
async function duet(programs: readonly [ClientProgram, ClientProgram], page: Page): Promise<SideResult[]> {
  Atomics.store(page.words, word.decision, decision.warmup);
  const commands = programs.map((program) => command(program));
  let running = true;
  const both = Promise.all(
    commands.map((program, party) =>
      runSide(program, { directory, side: party === 0 ? 'A' : 'B', page: page.path, args: ['0', '1000'] }),
    ),
  ).finally(() => (running = false));

  function atLeast(barriers: number) {
    return until(() => !running || reached(page, 0) >= barriers);
  }

  await atLeast(4);
  Atomics.store(page.words, word.decision, decision.measure);
  await atLeast(reached(page, 0) + 8);
  Atomics.store(page.words, word.decision, decision.stop);
  return both;
}

/** Name for `describe`: says why when the programs cannot run here. */
function title(text: string, why: string | null): string {
  return why === null ? text : `${text} (skipped: ${why})`;
}

/** A duet of programs with three benchmarks each, whose runner stops one after the other, a decision for each. */
async function duetOfThree(programs: readonly [ClientProgram, ClientProgram], page: Page): Promise<SideResult[]> {
  Atomics.store(page.words, word.initial, decision.warmup);

  function say(kind: number, benchmark: number): void {
    Atomics.store(page.words, word.decision, packDecision(kind, benchmark));
  }

  say(decision.warmup, 1);
  const commands = programs.map((program) => command(program, 'tasks'));
  let running = true;
  const both = Promise.all(
    commands.map((program, party) =>
      runSide(program, {
        directory,
        side: party === 0 ? 'A' : 'B',
        page: page.path,
        args: ['30000', '3', '0', '2'],
      }),
    ),
  ).finally(() => (running = false));

  function passed(condition: () => boolean) {
    return until(() => !running || condition());
  }

  for (let number = 1; number <= 3; number++) {
    await passed(() => begun(page, 0) === number);
    const before = reached(page, 0);
    await passed(() => reached(page, 0) >= before + 3);
    say(decision.measure, number);
    await passed(() => reached(page, 0) >= before + 7);
    say(decision.stop, number);
  }
  return both;
}

for (const programs of [
  [c, c],
  [java, java],
  [python, python],
  [python, c],
  [c, java],
] as const) {
  const [a, b] = programs;
  const why = noPages ?? a.missing ?? b.missing;
  const name = `${a.language} against ${b.language}, three benchmarks`;
  describe.skipIf(why !== null)(title(name, why), () => {
    it('stops both sides of each benchmark at the same iteration and begins the next without the runner', async () => {
      await withPage(async (page) => {
        const both = await duetOfThree(programs, page);
        expect(both.map(({ status, errors }) => ({ status, errors }))).toEqual([
          { status: 0, errors: '' },
          { status: 0, errors: '' },
        ]);
        const [ofA, ofB] = both.map(({ benchmarks }) =>
          benchmarks.map(({ header, iterations }) => ({
            number: Number((header as { params: { number: unknown } }).params.number),
            phases: iterations.map(({ p }) => p ?? 'measure'),
          })),
        );
        expect(ofB).toEqual(ofA);
        expect(ofA!.map(({ number }) => number)).toEqual([1, 2, 3]);
        for (const { phases } of ofA!) {
          expect(phases.length).toBeGreaterThanOrEqual(3);
          expect(phases[0]).toBe('warmup');
          const warmups = phases.lastIndexOf('warmup') + 1;
          expect(phases).toEqual(phases.map((_, i) => (i < warmups ? 'warmup' : 'measure')));
        }
        for (const party of [0, 1] as const) {
          const iterations = ofA!.reduce((sum, { phases }) => sum + phases.length, 0);
          expect(begun(page, party)).toBe(3);
          expect(reached(page, party)).toBe(iterations + 3);
          expect(Atomics.load(page.words, word.workDone(party))).toBe(iterations);
        }
      });
    });
  });
}

for (const programs of [
  [c, c],
  [cPlusPlus, c],
  [java, java],
  [python, python],
  [c, python],
  [java, c],
] as const) {
  const [a, b] = programs;
  const why = noPages ?? a.missing ?? b.missing;
  describe.skipIf(why !== null)(title(`${a.language} against ${b.language}`, why), () => {
    let page: Page;
    let both: readonly SideResult[];
    beforeAll(async () => {
      page = createPage(sharedMemoryDirectory() ?? '');
      both = await duet(programs, page);
    });
    afterAll(() => removePage(page.path));

    it('ends both sides well', () => {
      expect(both.map(({ status, errors }) => ({ status, errors }))).toEqual([
        { status: 0, errors: '' },
        { status: 0, errors: '' },
      ]);
      expect([0, 1].map((party) => Atomics.load(page.words, word.state(party)))).toEqual([
        sideState.finished,
        sideState.finished,
      ]);
    });

    it('stops both at the same iteration, each recorded and counted once', () => {
      const [ofA, ofB] = both.map(({ iterations }) => iterations.map(({ i }) => i));
      expect(ofA!.length).toBeGreaterThanOrEqual(8);
      expect(ofA).toEqual(Array.from(ofA!, (_, i) => i));
      expect(ofB).toEqual(ofA);
      for (const party of [0, 1] as const) {
        expect(Atomics.load(page.words, word.workDone(party))).toBe(ofA!.length);
        // one barrier an iteration, and the one that said stop
        expect(reached(page, party)).toBe(ofA!.length + 1);
      }
    });

    it('marks the same iterations as warm-up, the first ones', () => {
      const [ofA, ofB] = both.map(({ iterations }) => iterations.map(({ p }) => p ?? 'measure'));
      expect(ofB).toEqual(ofA);
      const warmups = ofA!.lastIndexOf('warmup') + 1;
      expect(warmups).toBeGreaterThanOrEqual(3);
      expect(ofA).toEqual(ofA!.map((_, i) => (i < warmups ? 'warmup' : 'measure')));
    });

    it('starts no iteration before both have ended the one before', () => {
      const [ofA, ofB] = both.map(({ iterations }) => iterations);
      for (let i = 0; i < ofA!.length; i++) {
        for (const side of [ofA!, ofB!]) {
          expect(side[i]!.e).toBeGreaterThan(side[i]!.s);
          if (i > 0) expect(side[i]!.s).toBeGreaterThan(Math.max(ofA![i - 1]!.e, ofB![i - 1]!.e));
        }
      }
    });

    it('names the benchmark and its parameters in the first line', () => {
      for (const { header } of both) {
        expect(header).toEqual({ deadheat: 1, benchmark: 'sort', params: { length: '1000' } });
      }
    });
  });
}

for (const programs of [
  [c, c],
  [java, java],
  [python, python],
  [c, java],
  [java, python],
] as const) {
  const [a, b] = programs;
  const why = noPages ?? a.missing ?? b.missing;
  describe.skipIf(why !== null)(title(`${a.language} beside ${b.language} on one core`, why), () => {
    const [cpu] = getAffinity();

    function sides(page: Page, args: Readonly<Record<'A' | 'B', readonly string[]>>): Promise<SideResult[]> {
      return Promise.all(
        (['A', 'B'] as const).map((side, party) =>
          runSide(command(programs[party]!), {
            directory,
            side,
            page: page.path,
            args: args[side],
            environment: { DEADHEAT_WAIT: 'yield' },
            ...(cpu === undefined ? {} : { cpu }),
          }),
        ),
      );
    }

    for (const [name, iterations, sizes] of [
      ['2000 barriers', 2000, { A: '100', B: '100' }],
      ['300 barriers, A ahead each time', 300, { A: '100', B: '4000' }],
      ['300 barriers, B ahead each time', 300, { A: '4000', B: '100' }],
    ] as const) {
      it(`passes ${name}`, async () => {
        await withPage(async (page) => {
          const count = String(iterations);
          const both = await sides(page, { A: [count, sizes.A], B: [count, sizes.B] });
          expect(both.map(({ status, errors }) => ({ status, errors }))).toEqual([
            { status: 0, errors: '' },
            { status: 0, errors: '' },
          ]);
          expect(both.map((side) => side.iterations.length)).toEqual([iterations, iterations]);
          expect([reached(page, 0), reached(page, 1)]).toEqual([iterations, iterations]);
        });
      });
    }
  });
}

for (const program of [c, cPlusPlus, java, python]) {
  const why = noPages ?? program.missing;
  describe.skipIf(why !== null)(title(`the client for ${program.language}`, why), () => {
    it('runs alone and records when there is no page, on the clock of the page', async () => {
      const before = monotonicNowNs();
      const { status, errors, iterations } = await runSide(command(program), { directory, side: 'A', args: ['3'] });
      const after = monotonicNowNs();
      expect({ status, errors }).toEqual({ status: 0, errors: '' });
      expect(iterations.map(({ i, n, p }) => ({ i, n, p }))).toEqual([0, 1, 2].map((i) => ({ i, n: 1, p: undefined })));
      expect(iterations[0]!.s).toBeGreaterThan(before);
      expect(iterations[2]!.e).toBeLessThan(after);
    });

    for (const [reason, message] of [
      [poison.peerLost, 'deadheat: the other side is lost: it ended before the barrier\n'],
      [poison.cancelled, 'deadheat: the run was called off\n'],
    ] as const) {
      it(`is freed from the barrier by poison ${reason}, with an error and a status`, async () => {
        await withPage(async (page) => {
          const alone = runSide(command(program), { directory, side: 'B', page: page.path, args: ['5'] });
          await until(() => reached(page, 1) === 1);
          Atomics.store(page.words, word.poison, reason);
          const { status, errors, iterations } = await alone;
          expect({ status, errors, iterations }).toEqual({ status: 1, errors: message, iterations: [] });
          expect(Atomics.load(page.words, word.state(1))).toBe(sideState.failed);
        });
      });
    }

    it('passes a barrier whose number wraps, when the peer has reached it', async () => {
      await withPage(async (page) => {
        Atomics.store(page.words, word.cursor(0), -(2 ** 31));
        Atomics.store(page.words, word.cursor(1), 2 ** 31 - 1);
        const { status, errors, iterations } = await runSide(command(program), {
          directory,
          side: 'B',
          page: page.path,
          args: ['1'],
        });
        expect({ status, errors }).toEqual({ status: 0, errors: '' });
        expect(iterations).toHaveLength(1);
        expect(reached(page, 1)).toBe(-(2 ** 31));
      });
    });

    for (const wait of ['spin', 'yield']) {
      it(`leaves the wait out of an iteration and of its CPU time, with DEADHEAT_WAIT=${wait}`, async () => {
        await withPage(async (page) => {
          const side = runSide(command(program), {
            directory,
            side: 'A',
            page: page.path,
            args: ['1', '10'],
            environment: { DEADHEAT_WAIT: wait },
          });
          await until(() => reached(page, 0) === 1);
          await new Promise((resolve) => setTimeout(resolve, waitMs));
          const passedAt = monotonicNowNs();
          Atomics.store(page.words, word.cursor(1), 1);
          const { errors, iterations } = await side;
          expect(errors).toBe('');
          const [{ s: start, c: process = NaN, t: thread = NaN } = { s: NaN }] = iterations;
          expect(start).toBeGreaterThan(passedAt);
          // Ten numbers are sorted in far less, also where CPU time is told in ticks.
          for (const used of [process, thread]) expect(used).toBeLessThan((waitMs * 1e6) / 2);
        });
      });
    }

    it('counts CPU time finer than in ticks where the kernel tells it', async () => {
      const { iterations } = await runSide(command(program), { directory, side: 'A', args: ['20', '5000'] });
      expect(iterations).toHaveLength(20);
      const fine = iterations.filter(({ c: process = NaN }) => process % tickNs !== 0);
      if (schedulerTells) expect(fine).not.toEqual([]);
      for (const { c: process = NaN, t: thread = NaN } of fine) expect(process).toBeGreaterThanOrEqual(thread);
    });

    it.skipIf(!schedulerTells)('records how long an iteration waited for its core', async () => {
      const [cpu] = getAffinity();
      const options = { directory, args: ['30', '30000'], ...(cpu === undefined ? {} : { cpu }) };
      const both = await Promise.all(
        (['A', 'B'] as const).map((side) => runSide(command(program), { ...options, side })),
      );
      const iterations = both.flatMap((side) => side.iterations);
      const shares = iterations.map(({ s, e, t = NaN, q = NaN }) => (t + q) / (e - s)).sort((a, b) => a - b);
      // Two programs that only compute, on one core: each works or waits for it all the time.
      expect(iterations.reduce((sum, { q = NaN }) => sum + q, 0)).toBeGreaterThan(0);
      expect(shares[shares.length / 2]).toBeGreaterThan(0.9);
    });

    it('does as many iterations as the environment says, the first ones as warm-up, and as many calls in each', async () => {
      const { status, errors, benchmarks, output } = await runSide(command(program, 'tasks'), {
        directory,
        side: 'A',
        args: ['30000', '2', '1', '4'],
        environment: { DEADHEAT_ITERATIONS: '5', DEADHEAT_WARMUP: '2' },
      });
      expect({ status, errors }).toEqual({ status: 0, errors: '' });
      expect(benchmarks.map(({ header }) => (header as { benchmark: string }).benchmark)).toEqual(['task', 'task']);
      for (const { iterations } of benchmarks) {
        expect(iterations.map(({ i, n, p }) => ({ i, n, p }))).toEqual(
          [0, 1, 2, 3, 4].map((i) => ({ i, n: 4, p: i < 2 ? 'warmup' : undefined })),
        );
        for (const { c: process, t: thread } of iterations) {
          expect(process).toBeGreaterThanOrEqual(0);
          expect(thread).toBeGreaterThan(0);
        }
      }
      expect(output).toBe('.'.repeat(2 * 5 * 4));
    });

    it('times as many invocations again with DEADHEAT_SAMPLES, after the iteration, in at most so many batches', async () => {
      function run(invocations: string, samples: string) {
        const args = ['30000', '1', '2', invocations];
        const environment = { DEADHEAT_SAMPLES: samples };
        return runSide(command(program, 'tasks'), { directory, side: 'A', args, environment });
      }

      // Of 7 in at most 3: batches of 3, of which 2 are whole. A single one is the first of two.
      for (const [invocations, samples, times, calls] of [
        ['7', '3', 2, 7 + 2 * 3],
        ['4', '1000', 4, 4 + 4],
        ['1', '1000', 2, 1 + 1],
      ] as const) {
        const { status, errors, iterations, output } = await run(invocations, samples);
        expect({ status, errors }).toEqual({ status: 0, errors: '' });
        expect(output).toBe('.'.repeat(2 * calls));
        expect(iterations.map(({ n, d = [] }) => [n, d.length])).toEqual(
          [0, 1].map(() => [Number(invocations), times]),
        );
        for (const { s, e, d = [] } of iterations) {
          for (const time of d) expect(time).toBeGreaterThan(0);
          if (invocations === '1') expect(Math.abs(d[0]! / (e - s) - 1)).toBeLessThan(1e-4);
        }
      }
      const refused = await run('4', '1');
      expect(refused.status).toBe(1);
      expect(refused.errors).toContain("DEADHEAT_SAMPLES is '1'; a whole number from 2 expected");
      const empty = await run('4', '');
      expect(empty.iterations.map(({ d }) => d)).toEqual([undefined, undefined]);
    });

    it('takes an empty variable as absent and refuses one that is no number, naming it', async () => {
      function run(environment: Readonly<Record<string, string>>) {
        return runSide(command(program), { directory, side: 'A', args: ['3'], environment });
      }

      const empty = await run({ DEADHEAT_ITERATIONS: '', DEADHEAT_WARMUP: '', DEADHEAT_FILL: '', DEADHEAT_WAIT: '' });
      expect(empty.status).toBe(0);
      expect(empty.iterations).toHaveLength(3);
      const wait = await run({ DEADHEAT_WAIT: 'sleep' });
      expect(wait.status).toBe(1);
      expect(wait.errors).toContain("DEADHEAT_WAIT is 'sleep'; spin or yield expected");
      const wrong = await run({ DEADHEAT_WARMUP: '2x' });
      expect(wrong.status).toBe(1);
      expect(wrong.errors).toContain("DEADHEAT_WARMUP is '2x'; a whole number expected");
    });

    it('fills: goes on working, unmeasured, until the other side has done its iteration too', async () => {
      await withPage(async (page) => {
        Atomics.store(page.words, word.cursor(1), 1);
        const { status, errors, iterations, output } = await runSide(command(program, 'tasks'), {
          directory,
          side: 'A',
          page: page.path,
          args: ['30000', '1', '1', '1'],
          environment: { DEADHEAT_FILL: '1' },
          onOutput: (dots) => {
            if (dots.length > 3) Atomics.store(page.words, word.workDone(1), 1);
          },
        });
        expect({ status, errors }).toEqual({ status: 0, errors: '' });
        expect(iterations.map(({ i, n }) => ({ i, n }))).toEqual([{ i: 0, n: 1 }]);
        expect(output.length).toBeGreaterThan(3);
        expect(Atomics.load(page.words, word.workDone(0))).toBe(1);
      });
    });

    it('does not fill without a page, and ends filling when the run is called off', async () => {
      const environment = { DEADHEAT_FILL: '1' };
      const args = ['30000', '1', '2', '1'];
      const alone = await runSide(command(program, 'tasks'), { directory, side: 'A', args, environment });
      expect(alone.output).toBe('..');
      await withPage(async (page) => {
        Atomics.store(page.words, word.cursor(1), 1);
        const { status, errors, iterations } = await runSide(command(program, 'tasks'), {
          directory,
          side: 'A',
          page: page.path,
          args,
          environment,
          onOutput: (dots) => {
            if (dots.length > 3) Atomics.store(page.words, word.poison, poison.cancelled);
          },
        });
        expect({ status, errors }).toEqual({ status: 1, errors: 'deadheat: the run was called off\n' });
        expect(iterations).toHaveLength(1);
      });
    });

    it('gives up at the deadline, naming the barrier', async () => {
      await withPage(async (page) => {
        const { status, errors, iterations } = await runSide(command(program, 'tasks'), {
          directory,
          side: 'A',
          page: page.path,
          args: ['20', '1', '1', '1'],
        });
        expect({ status, iterations }).toEqual({ status: 1, iterations: [] });
        expect(errors).toContain('deadheat: the other side did not reach barrier 1 within 20 ms');
        expect(Atomics.load(page.words, word.state(0))).toBe(sideState.failed);
      });
    });

    it('tells the runner when the program says that it failed', async () => {
      await withPage(async (page) => {
        Atomics.store(page.words, word.cursor(1), 1);
        const args = ['30000', '1', '1', '1', 'fail'];
        const { status } = await runSide(command(program, 'tasks'), { directory, side: 'A', page: page.path, args });
        expect(status).toBe(1);
        expect(Atomics.load(page.words, word.state(0))).toBe(sideState.failed);
      });
    });

    it('refuses a page of another version, with both numbers', async () => {
      const bytes = Buffer.alloc(pageBytes);
      new Int32Array(bytes.buffer, bytes.byteOffset).set([pageMagic, 7]);
      const { status, errors } = await runForeign(program, bytes);
      expect(status).toBe(1);
      expect(errors).toMatch(/version 7; this client knows version 1\b/);
    });

    it('refuses a file that is no page, with what it found', async () => {
      const foreign = await runForeign(program, Buffer.alloc(pageBytes, 'x'));
      expect(foreign.status).toBe(1);
      expect(foreign.errors).toContain('magic 0x78787878, not 0x47504844');
      const short = await runForeign(program, Buffer.from('DHPG'));
      expect(short.status).toBe(1);
      expect(short.errors).toContain('4 bytes instead of 4096');
    });

    it('refuses a page that is not there, and a record that it cannot open', async () => {
      const page = join(directory, 'no-page');
      const gone = await runSide(command(program), { directory, side: 'A', page, args: ['1'] });
      expect(gone.status).toBe(1);
      expect(gone.errors).toContain(`cannot open the shared page ${page}`);
      const nowhere = join(directory, 'no-folder');
      const unwritable = await runSide(command(program), { directory: nowhere, side: 'A', args: ['1'] });
      expect(unwritable.status).toBe(1);
      expect(unwritable.errors).toContain(`cannot open the record ${nowhere}`);
    });
  });
}

function runForeign(program: ClientProgram, bytes: Buffer): Promise<SideResult> {
  const page = join(directory, 'foreign');
  writeFileSync(page, bytes);
  return runSide(command(program), { directory, side: 'A', page, args: ['1'] });
}

const whyNoPython = noPages ?? python.missing;
describe.skipIf(whyNoPython !== null)(title('the client for Python as a library', whyNoPython), () => {
  async function inPython(source: string, page?: Page): Promise<SideResult> {
    const folder = python
      .build(directory, 'example')
      .at(-1)!
      .replace(/examples\/[^/]*$/, '');
    const text = `import sys; sys.path.insert(0, ${JSON.stringify(folder)})\n${source}`;
    return runSide(['python3', '-B', '-c', text], {
      directory,
      side: 'A',
      args: [],
      ...(page === undefined ? {} : { page: page.path }),
    });
  }

  it('writes any name, further metrics and the primitives of a loop of its own', async () => {
    const { status, header, iterations } = await inPython(
      [
        'from deadheat import Duet',
        'with Duet() as d:',
        '    d.benchmark(\'a "b" \\\\ \\n é\', {"k": 1.5})',
        '    d.barrier()',
        '    d.record(0, 1, 2, misses=3)',
      ].join('\n'),
    );
    expect(status).toBe(0);
    expect(header).toEqual({ deadheat: 1, benchmark: 'a "b" \\ \n é', params: { k: '1.5' } });
    expect(iterations).toEqual([{ i: 0, s: 1, e: 2, n: 1, misses: 3 }]);
  });
});
