import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import {
  Barrier,
  createPage,
  decision,
  getAffinity,
  packDecision,
  poison,
  removePage,
  sharedMemoryDirectory,
  word,
  type Page,
} from '@deadheat/sync';
import { noPages, startOn, until } from './support.ts';

const sidePath = fileURLToPath(new URL('./fixtures/barrier-side.mjs', import.meta.url));
const execute = promisify(execFile);

interface SideResult {
  readonly passed: number;
  readonly digest?: string;
  readonly code?: string;
  readonly used?: { readonly elapsedMs: number; readonly cpuMs: number; readonly sleeps: number };
}

interface SideOptions {
  readonly barriers: number;
  readonly wait: string;
  /** The one CPU that it may use. */
  readonly cpu?: number | undefined;
}

async function side(page: Page, party: number, { barriers, wait, cpu }: SideOptions): Promise<SideResult> {
  const args = [sidePath, page.path, String(party), String(barriers), wait];
  const { stdout } = await startOn(cpu, () => execute(process.execPath, args));
  return JSON.parse(stdout) as SideResult;
}

/** Lets a side wait at a barrier for some time. */
async function waitOf(page: Page, options: Omit<SideOptions, 'barriers'>): Promise<NonNullable<SideResult['used']>> {
  const waiting = side(page, 0, { barriers: 1, ...options });
  await until(() => Atomics.load(page.words, word.cursor(0)) === 1);
  await new Promise((resolve) => setTimeout(resolve, 400));
  Atomics.store(page.words, word.cursor(1), 1);
  const { used } = await waiting;
  if (used === undefined) throw new TypeError('the side did not pass');
  return used;
}

async function withPage<T>(use: (page: Page) => Promise<T>): Promise<T> {
  const page = createPage(sharedMemoryDirectory() ?? '');
  try {
    return await use(page);
  } finally {
    removePage(page.path);
  }
}

describe.skipIf(noPages !== null)('the barrier between two processes', () => {
  for (const wait of ['spin', 'yield']) {
    it(`lets both pass the same number of barriers when they ${wait}`, async () => {
      await withPage(async (page) => {
        const both = await Promise.all([0, 1].map((party) => side(page, party, { barriers: 2000, wait })));
        expect(both.map(({ passed }) => passed)).toEqual([2000, 2000]);
        expect(Atomics.load(page.words, word.cursor(0))).toBe(2000);
      });
    });
  }

  it('lets both pass on one core when they yield', async () => {
    await withPage(async (page) => {
      const [cpu] = getAffinity();
      const both = await Promise.all([0, 1].map((party) => side(page, party, { barriers: 2000, wait: 'yield', cpu })));
      expect(both.map(({ passed }) => passed)).toEqual([2000, 2000]);
    });
  });

  it('is no busy loop for a side that yields', async () => {
    await withPage(async (page) => {
      const { elapsedMs, cpuMs } = await waitOf(page, { wait: 'yield' });
      expect(elapsedMs).toBeGreaterThan(399);
      expect(cpuMs).toBeLessThan(elapsedMs / 2);
    });
  });

  for (const detached of [false, true]) {
    it(`is no timer, either, while somebody of ${detached ? 'another' : 'the same'} session works on the core`, async () => {
      const [cpu] = getAffinity();
      const program = "require('node:fs').writeSync(1, '.'); for (;;);";
      const worker = startOn(cpu, () =>
        spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'], detached }),
      );
      try {
        await once(worker.stdout, 'data');
        await withPage(async (page) => {
          const { sleeps, elapsedMs } = await waitOf(page, { wait: 'yield', cpu });
          // Asleep for 50 µs each time it would wake up thousands of times.
          expect(sleeps).toBeLessThan(elapsedMs);
        });
      } finally {
        worker.kill('SIGKILL');
      }
    });
  }

  it('has both sides take the same decision at every barrier, whenever the runner changes its mind', async () => {
    await withPage(async (page) => {
      const both = Promise.all([0, 1].map((party) => side(page, party, { barriers: 1_000_000, wait: 'yield' })));
      let flips = 0;
      while (Atomics.load(page.words, word.cursor(0)) < 3000) {
        Atomics.store(page.words, word.decision, flips++ % 2 === 0 ? decision.warmup : decision.measure);
        await new Promise((resolve) => setImmediate(resolve));
      }
      Atomics.store(page.words, word.decision, decision.stop);
      const [a, b] = await both;
      expect(a?.passed).toBeGreaterThanOrEqual(3000);
      expect([b?.passed, b?.digest]).toEqual([a?.passed, a?.digest]);
    });
  });

  it('frees a side that waits when the runner poisons the page', async () => {
    await withPage(async (page) => {
      const alone = side(page, 0, { barriers: 1, wait: 'spin' });
      await until(() => Atomics.load(page.words, word.cursor(0)) === 1);
      Atomics.store(page.words, word.poison, poison.peerLost);
      expect(await alone).toEqual({ passed: 0, code: 'PAGE_POISONED' });
    });
  });

  it.each([word.cursor(1), word.poison])(
    'lets a side pass whose peer came, did its last work and ended between two looks, after word %i',
    async (looked) => {
      await withPage(async (page) => {
        const { load } = Atomics;
        const spy = vi.spyOn(Atomics, 'load').mockImplementation(((words: Int32Array, index: number) => {
          const seen = load(words, index);
          if (index === looked && load(words, word.cursor(0)) === 1) {
            Atomics.store(words, word.cursor(1), 1);
            Atomics.store(words, word.poison, poison.peerLost);
          }
          return seen;
        }) as typeof Atomics.load);
        try {
          const passed = new Barrier(page, 0).arrive({ wait: 'spin', deadlineMs: 20_000 });
          expect(passed).toBe(decision.measure);
        } finally {
          spy.mockRestore();
        }
      });
    },
  );

  it('has the word of the runner count for the benchmark that it is about, and the initial one for others', async () => {
    await withPage(async (page) => {
      Atomics.store(page.words, word.initial, decision.warmup);
      Atomics.store(page.words, word.decision, packDecision(decision.stop, 1));
      Atomics.store(page.words, word.cursor(1), 100);
      const barrier = new Barrier(page, 0);

      function arrive() {
        return barrier.arrive({ wait: 'spin', deadlineMs: 20_000 });
      }

      expect(barrier.beginBenchmark()).toBe(1);
      expect(arrive()).toBe(decision.stop);
      expect(barrier.beginBenchmark()).toBe(2);
      expect(arrive()).toBe(decision.warmup);
      Atomics.store(page.words, word.decision, packDecision(decision.measure, 2));
      expect(arrive()).toBe(decision.measure);
      barrier.beginBenchmark();
      expect(arrive()).toBe(decision.warmup);
      Atomics.store(page.words, word.decision, packDecision(decision.stop));
      expect(arrive()).toBe(decision.stop);
    });
  });

  it('has side B take what side A resolved, whatever the runner says by then', async () => {
    await withPage(async (page) => {
      Atomics.store(page.words, word.decisionAt(1), decision.warmup);
      Atomics.store(page.words, word.cursor(0), 1);
      Atomics.store(page.words, word.decision, packDecision(decision.stop, 1));
      const barrier = new Barrier(page, 1);
      barrier.beginBenchmark();
      expect(barrier.arrive({ wait: 'spin', deadlineMs: 20_000 })).toBe(decision.warmup);
      expect(Atomics.load(page.words, word.benchmark(1))).toBe(1);
    });
  });

  it('gives up at the deadline, naming the barrier', async () => {
    await withPage(async (page) => {
      const barrier = new Barrier(page, 1);
      expect(() => barrier.arrive({ wait: 'spin', deadlineMs: 20 })).toThrow(/barrier 1 within 20 ms/);
      expect(() => barrier.arrive({ wait: 'yield', deadlineMs: 20 })).toThrow(/barrier 2 within 20 ms/);
    });
  });
});
