import type { Warning } from '@deadheat/model';

/** RUNS_CORRELATED: neighbouring units resemble each other, so that they say less than as many independent ones. */
export function runsCorrelated({ inflation }: { readonly inflation: number }): Warning[] {
  if (inflation === 1) return [];
  return [
    {
      code: 'RUNS_CORRELATED',
      message:
        `ratios of neighbouring runs resemble each other, so the interval was made ${Math.sqrt(inflation).toFixed(1)} times as wide; ` +
        'something on the machine changes more slowly than runs follow each other: shuffle benchmarks among each other, or repeat the experiment later',
    },
  ];
}
