import { gunzipSync } from 'node:zlib';
import { Profile } from 'pprof-format';
import { describe, expect, it } from 'vitest';
import { type Explanation, explanationSchema } from '@deadheat/model';
import { renderFunctions, renderFunctionsMarkdown } from '@deadheat/report';
import { SideSums } from '../src/align-functions.ts';
import { joinRuns } from '../src/explain.ts';
import { RunCollector, type SampledRun } from '../src/sampled-run.ts';
import { renderCollapsed, renderPprof, renderSpeedscope } from '../src/profile-formats.ts';

function runOf(hash: number, extra: readonly string[] = []): readonly [SampledRun, number] {
  const run = new RunCollector();
  const main = run.frame({ name: 'main', file: 'a.js', line: 1 });
  run.add([main], 100);
  run.add([main, run.frame({ name: 'hash</script>|of', file: 'a.js', line: 9 })], hash);
  for (const name of extra) run.add([main, run.frame({ name, file: 'b.js', line: 2 })], 20);
  const samples = 100 + hash + 20 * extra.length;
  return [run.build(), samples / 1000];
}

const sums = { A: new SideSums(), B: new SideSums() };
for (let at = 0; at < 14; at++) {
  sums.A.add(...runOf(100 + (at % 3)));
  sums.B.add(...runOf(150 + (at % 4), ['added']));
}
const explanation: Explanation = {
  schema: 'deadheat.explain/1',
  ...joinRuns(sums, { confidence: 0.99, seed: '1' }),
  benchmark: 'words',
  commands: { A: 'node a.js', B: 'node b.js' },
  runtime: 'node',
  sampler: 'the CPU profiler of V8',
  pairs: 14,
  executions: 1,
  samples: 230,
  intervalNs: 1e6,
  confidence: 0.99,
  verdict: { verdict: 'slower', ratio: 1.34, low: 1.3, high: 1.4 },
};
const style = { color: false, width: null, quiet: false };

describe('forms of an explanation', () => {
  it('lists the functions whose difference is clear of 0, the largest first', () => {
    const text = renderFunctions(explanation, style);
    const lines = text.split('\n');
    expect(lines[0]).toBe('explain words SLOWER');
    expect(lines[3]).toMatch(/^hash<\/script>\|of +a\.js:9 .* ms +\+.* ms \[\+.* ms, \+.* ms\] +\d+ %$/);
    expect(text).toMatch(/added \(B only\) +b\.js:2 +- /);
    expect(text).toContain('all functions at once at 99 %');
    expect(text).toContain('the comparison said slower, +34.0 %');
    expect(lines.length).toBeLessThan(18);
  });

  it('escapes names in Markdown', () => {
    expect(renderFunctionsMarkdown(explanation)).toContain('| hash\\</script\\>\\|of | a.js:9 |');
    // A name notifies nobody, and cannot begin a line of its own.
    const text = renderFunctionsMarkdown({ ...explanation, benchmark: 'of @ada\n# *all*' });
    expect(text.split('\n')[0]).toBe(String.raw`### Functions behind of @<!-- -->ada # \*all\*`);
  });

  it('is data with units in names, which its schema reads back', () => {
    const read = explanationSchema.parse(JSON.parse(JSON.stringify(explanation)));
    expect(read).toEqual(explanation);
    const { functions, whole } = read;
    expect(functions.find(({ B }) => B?.name === 'added')).toMatchObject({ kind: 'B only', selfSeconds: { A: 0 } });
    expect(functions.reduce((sum, { selfSeconds }) => sum + selfSeconds.A, 0)).toBeCloseTo(whole.A);
  });

  it('gives pprof, speedscope and collapsed stacks the same times', () => {
    const profile = Profile.decode(gunzipSync(renderPprof(explanation)));
    const values = profile.sample.map(({ value }) => value.map(Number));
    const sums = [0, 1, 2].map((at) => values.reduce((sum, value) => sum + (value[at] ?? 0), 0));
    expect((sums[1] ?? 0) - (sums[0] ?? 0)).toBe(sums[2]);
    const { profiles } = JSON.parse(renderSpeedscope(explanation)) as {
      profiles: readonly { endValue: number; weights: readonly number[]; samples: readonly (readonly number[])[] }[];
    };
    expect(profiles.map(({ endValue }) => endValue)).toEqual(sums.slice(0, 2));
    expect(profiles.map(({ weights, samples }) => weights.length - samples.length)).toEqual([0, 0]);
    const collapsed = renderCollapsed(explanation).trim().split('\n');
    expect(collapsed.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0)).toBe(sums[0]);
    expect(collapsed.some((line) => line.startsWith('main;added_(B_only) 0 '))).toBe(true);
  });
});
