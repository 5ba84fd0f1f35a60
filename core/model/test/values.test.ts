import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../src/defaults.ts';
import { askedIntervalFacts, askedIntervalSchema, intervalFacts, isOfMean } from '../src/intervals.ts';
import { lanesOf, meetsOnOwnCores, methodFacts, methodSchema } from '../src/methods.ts';
import { isCounter, isResourceMetric, metricKinds, metricSchema, timeMetricSchema } from '../src/metrics.ts';
import { workloadFacts, workloadSchema } from '../src/workloads.ts';

describe.each(methodSchema.options)('the method %s', (method) => {
  const { together, barrier, cpus, pairs, ownTime, valueOfRun, executions } = methodFacts[method];

  it('starts sides together only where they run at the same time', () => {
    expect(barrier && !together).toBe(false);
  });

  it('has pairs of iterations exactly where both sides run at the same time and each iteration counts', () => {
    expect(pairs === 'none').toBe(!together || valueOfRun !== 'mean');
    expect(pairs === 'same-index').toBe(barrier);
  });

  it('is judged by CPU time where both sides are on one core, but for times without turns of the other side', () => {
    expect(ownTime).toBe(cpus === 'one-shared' && valueOfRun === 'mean' ? 'cpu' : 'time');
  });

  it('runs in lanes only where both sides are on a single core at once', () => {
    expect(lanesOf(method, 3)).toBe(together && cpus === 'one-shared' ? 3 : 1);
  });

  it('repeats a command as often as it says', () => {
    expect(defaultSettings(method, 'command').iterations).toBe(executions);
  });
});

it('gives every method a name of its own in tables of duetbench', () => {
  expect(new Set(methodSchema.options.map((method) => methodFacts[method].duetbench)).size).toBe(
    methodSchema.options.length,
  );
});

it('only the sides of a sync-duet meet on cores of their own', () => {
  expect((['auto', ...methodSchema.options] as const).filter(meetsOnOwnCores)).toEqual(['sync-duet']);
});

describe.each(workloadSchema.options)('the workload %s', (workload) => {
  const { timesItself, protocol, printed, method } = workloadFacts[workload];

  it('has one source of its iterations where it times itself', () => {
    expect([protocol, printed].filter(Boolean)).toHaveLength(timesItself ? 1 : 0);
  });

  it('has pilot runs where its method is auto', () => {
    expect(defaultSettings('auto', workload).pilotRuns > 0).toBe(method === 'auto');
  });
});

describe('metrics', () => {
  it('are times exactly where their unit is ns', () => {
    const times = metricSchema.options.filter((metric) => metricKinds[metric].unit === 'ns');
    expect(times).toEqual(timeMetricSchema.options);
    expect(metricSchema.options.filter((metric) => !isResourceMetric(metric))).toEqual(times);
  });

  it('have names of their own', () => {
    expect(new Set(Object.values(metricKinds).map(({ name }) => name)).size).toBe(metricSchema.options.length);
  });

  it('count without a unit where processors count', () => {
    expect(metricSchema.options.filter(isCounter).every((metric) => metricKinds[metric].unit === null)).toBe(true);
  });
});

it('every procedure of a fixed number of runs is asked for by one name', () => {
  const all = askedIntervalSchema.options.flatMap((asked) => askedIntervalFacts[asked].kinds);
  expect([...all, 'anytime-t']).toEqual(Object.keys(intervalFacts));
  expect(askedIntervalSchema.options.filter((asked) => !isOfMean(asked))).toEqual(['rank']);
});

it('methods, workloads and intervals are compared by name nowhere', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const asks =
    /\bmethod\)? *[!=]== *'(?:tandem|sync-duet|async-duet|sequential)'|\bworkload\)? *[!=]== *'(?:command|harness|lines)'|case '(?:tandem|sync-duet|async-duet)'|\b(?:interval|kind|asked|used)\)? *[!=]== *'(?:rank|t|expanded|bca|signed-rank|side-and-core|rank-sum|expanded-percentile|anytime-t|resampling)'/i;
  const files = ['core', 'track', 'lab'].flatMap((house) =>
    readdirSync(join(root, house)).flatMap((name) =>
      existsSync(join(root, house, name, 'src')) ? filesBelow(join(root, house, name, 'src')) : [],
    ),
  );
  expect(files.length).toBeGreaterThan(300);
  const asking = files.filter((path) => asks.test(readFileSync(path, 'utf8')));
  expect(asking.map((path) => relative(root, path))).toEqual([]);
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path));
}
