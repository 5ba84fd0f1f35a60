import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Iteration } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { leavesNothing, noDuets, useScene } from './support.ts';

const endless = join(import.meta.dirname, '../../../harness/test/fixtures/endless.mjs');

describe.skipIf(noDuets !== null)(`runs by time${noDuets === null ? '' : ` (skipped: ${noDuets})`}`, () => {
  const scene = useScene(leavesNothing);

  /** Iterations of each benchmark that side A of a trial recorded. */
  function recorded(trial: number): readonly (readonly Iteration[])[] {
    const text = readFileSync(scene.path(`rec/iterations/${trial}-A.jsonl`), 'utf8');
    const benchmarks: Iteration[][] = [];
    for (const line of text.trim().split('\n')) {
      const value = JSON.parse(line) as Iteration & { readonly deadheat?: number };
      if (value.deadheat === undefined) benchmarks.at(-1)?.push(value);
      else benchmarks.push([]);
    }
    return benchmarks;
  }

  it('end when their time is over, and count', async () => {
    // One benchmark for methods without a barrier: nobody could tell the program to go on with the second.
    const one = `import { appendFileSync } from 'node:fs';
      const record = process.env.DEADHEAT_RECORD;
      appendFileSync(record, '{"deadheat":1,"benchmark":"one","params":{}}\\n');
      for (let i = 0; i < Number(process.env.DEADHEAT_ITERATIONS); i++) {
        const s = process.hrtime.bigint();
        await new Promise((resolve) => setTimeout(resolve, 5));
        appendFileSync(record, \`{"i":\${i},"s":\${s},"e":\${process.hrtime.bigint()}}\\n\`);
      }`;
    writeFileSync(scene.path('one.mjs'), one);
    const printing =
      'let i = 0; setInterval(() => console.log(`====== p (x) [default], iteration ${i++} completed (5.000 ms) ======`), 5)';
    writeFileSync(scene.path('printing.cjs'), printing);
    const file = {
      seed: 'lengths',
      runs: 2,
      length: '300ms',
      'warmup-iterations': '10ms',
      benchmarks: {
        met: { workload: 'harness', methods: ['sync-duet'], command: `node ${endless}` },
        one: { workload: 'harness', methods: ['sequential'], command: 'exec node one.mjs' },
        few: { workload: 'harness', methods: ['sequential'], command: 'exec node one.mjs', length: '6 or 10min' },
        printing: { parser: 'renaissance', methods: ['async-duet'], command: 'exec node printing.cjs' },
      },
    };
    writeFileSync(scene.path('deadheat.yaml'), JSON.stringify(file));
    const ended = await scene.run(['run', '--output', 'rec', '--export', 'json:-']);
    const trials = scene.trials('rec');
    expect(
      trials.map(({ status, failures }) => [status, failures]),
      ended.stderr,
    ).toEqual(Array(8).fill(['ok', []]));
    for (const { benchmark, trial } of trials) {
      for (const iterations of recorded(trial)) {
        // That the others are here at all shows that they were ended: they would go on for 999 999 999 iterations.
        if (benchmark === 2) expect(iterations).toHaveLength(6);
        else expect(iterations.length).toBeGreaterThan(0);
      }
    }
  });
});
