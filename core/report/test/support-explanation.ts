import type { Explanation } from '@deadheat/model';

/** An explanation of two functions, one of which has an awkward name. */
export const explanation: Explanation = {
  schema: 'deadheat.explain/1',
  benchmark: 'parse',
  commands: { A: './a', B: './b' },
  runtime: 'native',
  sampler: 'perf',
  pairs: 20,
  executions: 1,
  samples: 1000,
  intervalNs: 1e6,
  confidence: 0.99,
  verdict: { verdict: 'slower', ratio: 1.1, low: 1.05, high: 1.15 },
  whole: { A: 1, B: 1.1, difference: { estimate: 0.1, low: 0.05, high: 0.15 } },
  functions: [
    {
      kind: 'both',
      A: { name: 'x</script>|y', file: 'a.c', line: 3 },
      B: { name: 'x</script>|y', file: 'a.c', line: 4 },
      selfSeconds: { A: 0.5, B: 0.6 },
      totalSeconds: { A: 0.5, B: 0.6 },
      difference: { estimate: 0.1, low: 0.05, high: 0.15 },
      shareOfWhole: 1,
      isClear: true,
    },
  ],
  table: [
    { kind: 'both', A: { name: 'main', file: 'a.c', line: 9 }, B: { name: 'main', file: 'a.c', line: 9 } },
    {
      kind: 'both',
      A: { name: 'x</script>|y', file: 'a.c', line: 3 },
      B: { name: 'x</script>|y', file: 'a.c', line: 4 },
    },
  ],
  tree: [-1, 0, 0, [0, 4e8, 4e8, [1, 5e8, 6e8]]],
};
