import { expect, it } from 'vitest';
import { runLayout, type RunLayout } from '../src/plot/run-axis.ts';
import { noisePictures } from '../src/plot/run-pictures.ts';

type RunPoints = RunLayout['runs'][number]['points'];

const none = new Float64Array(0);
const side = { timesNs: none, warmupNs: none, involuntarySwitches: null };

it('draws what disturbed each of very many runs', () => {
  const runs = Array.from({ length: 200_000 }, (_, run) => ({
    run,
    wallNs: 1e6,
    noise: { stealNs: run % 2, throttledNs: 0, contextSwitches: null },
    sides: { A: side, B: side },
    pairs: { a: none, b: none },
  })) as unknown as RunPoints[];
  const { pictures, absent, unreported } = noisePictures(runLayout({ runs }));
  expect(pictures).toHaveLength(1);
  expect(absent).toEqual(['throttled']);
  expect(unreported).toHaveLength(2);
});
