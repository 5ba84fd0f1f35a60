import { gunzipSync } from 'node:zlib';
import { Profile } from 'pprof-format';
import { describe, expect, it } from 'vitest';
import { type Explanation, joinRuns } from '../src/explain.ts';
import { RunCollector } from '../src/sampled-run.ts';
import type { SideRun } from '../src/sampled-pairs.ts';
import { renderFlamePage } from '../src/shown/render-flame-page.ts';
import { renderJson } from '../src/shown/render-json.ts';
import { renderCollapsed, renderPprof, renderSpeedscope } from '../src/shown/profile-formats.ts';
import { renderMarkdown, renderText } from '../src/shown/render-text.ts';

function runOf(hash: number, extra: readonly string[] = []): SideRun {
  const run = new RunCollector();
  const main = run.frame({ name: 'main', file: 'a.js', line: 1 });
  run.add([main], 100);
  run.add([main, run.frame({ name: 'hash</script>|of', file: 'a.js', line: 9 })], hash);
  for (const name of extra) run.add([main, run.frame({ name, file: 'b.js', line: 2 })], 20);
  const samples = 100 + hash + 20 * extra.length;
  return { sampled: run.build(), cpuSeconds: samples / 1000 };
}

const runs = {
  A: Array.from({ length: 14 }, (_, at) => runOf(100 + (at % 3))),
  B: Array.from({ length: 14 }, (_, at) => runOf(150 + (at % 4), ['added'])),
};
const explanation: Explanation = {
  ...joinRuns(runs, { confidence: 0.99, seed: '1' }),
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
    const text = renderText(explanation, style);
    const lines = text.split('\n');
    expect(lines[0]).toBe('explain words SLOWER');
    expect(lines[3]).toMatch(/^hash<\/script>\|of +a\.js:9 .* ms +\+.* ms \[\+.* ms, \+.* ms\] +\d+ %$/);
    expect(text).toMatch(/added \(B only\) +b\.js:2 +- /);
    expect(text).toContain('all functions at once at 99 %');
    expect(text).toContain('the comparison said slower, +34.0 %');
    expect(lines.length).toBeLessThan(18);
  });

  it('escapes names in Markdown and in the page', () => {
    expect(renderMarkdown(explanation)).toContain('| hash\\</script\\>\\|of | a.js:9 |');
    const page = renderFlamePage(explanation);
    expect(page.match(/<\/script>/g)).toHaveLength(2);
    expect(page).toContain('hash&lt;/script&gt;|of');
  });

  it('writes all functions as JSON with units in names', () => {
    const { schema, functions, whole } = JSON.parse(renderJson(explanation)) as {
      schema: string;
      functions: readonly { kind: string; B: { name: string } | null; selfSeconds: { A: number; B: number } }[];
      whole: { A: number };
    };
    expect(schema).toBe('deadheat.explain/1');
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
