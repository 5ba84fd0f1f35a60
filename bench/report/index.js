// npm run bench -- report: how long the page of a recording of 100 benchmarks, 30 runs of 100 iterations, takes to make, how
// large it is, and when it can be used in Chromium.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { analyseRecorded, fitExperiment } from '@deadheat/engine';
import { sealLine } from '@deadheat/recording';
import { createRandom } from '@deadheat/stats';
import { launchBrowser } from '../../scripts/lib/browser.js';
import { madeUpExperiment, madeUpTrial } from '../lib/made-up.js';

const size = { benchmarks: 100, runs: 30, iterations: 100 };
const limits = { builtMs: 5000, bytes: 5_000_000, usableMs: 2000 };
const bin = fileURLToPath(new URL('../../core/cli/bin/deadheat.js', import.meta.url));

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-bench-report-'));
  try {
    await writeRecording(folder, size);
    const page = join(folder, 'report.html');
    const began = performance.now();
    execFileSync(process.execPath, [bin, 'report', folder]);
    const builtMs = performance.now() - began;
    const { size: bytes } = statSync(page);
    console.log(`${size.benchmarks} benchmarks x ${size.runs} runs x ${size.iterations} iterations`);
    tell('deadheat report, the whole command', builtMs, { limit: limits.builtMs, unit: 'ms' });
    tell('report.html', bytes, { limit: limits.bytes, unit: 'bytes' });
    const usableMs = await usable(page);
    if (usableMs === null) console.log('no Chromium at /usr/bin/chromium: not opened');
    else
      tell('sorted after a click in Chromium, since it was opened', usableMs, { limit: limits.usableMs, unit: 'ms' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function tell(what, value, { limit, unit }) {
  console.log(`${what}: ${Math.round(value)} ${unit} (at most ${limit}: ${value <= limit ? 'kept' : 'MISSED'})`);
}

/** From opening the file to the table's being sorted; the browser runs already. */
async function usable(file) {
  const browser = await launchBrowser();
  if (browser === null) return null;
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const began = performance.now();
    await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' });
    await page.waitForSelector('html[data-ready]', { state: 'attached' });
    await page.getByRole('columnheader', { name: 'Benchmark' }).getByRole('button').click();
    return performance.now() - began;
  } finally {
    await browser.close();
  }
}

/** A recording as an experiment leaves it, its report included. */
async function writeRecording(folder, { benchmarks, runs, iterations }) {
  const random = createRandom('report bench');
  const { benchmark, config } = madeUpExperiment('sync-duet', { benchmark: { workload: 'harness' } });
  config.benchmarks = Array.from({ length: benchmarks }, (_, index) => ({
    ...benchmark,
    name: `benchmark ${index + 1}`,
  }));
  const { machine } = await fitExperiment({ ...config, cpus: null });
  const experiment = {
    schema: 'deadheat.experiment/1',
    id: 'bench',
    startedAt: '2026-01-02T03:04:05.000Z',
    tool: { name: 'deadheat', version: '0.1.0' },
    config,
    machine,
    warnings: [],
  };
  writeFileSync(join(folder, 'experiment.json'), JSON.stringify(experiment));
  mkdirSync(join(folder, 'iterations'));
  const trials = [];
  for (let index = 0; index < benchmarks; index++) {
    for (let run = 0; run < runs; run++) {
      const trial = trials.length;
      const level = 1e6 * (1 + 0.02 * random.normal());
      for (const [side, factor] of [
        ['A', 1],
        ['B', index % 3 === 0 ? 1.03 : 1],
      ]) {
        const lines = [JSON.stringify({ deadheat: 1, benchmark: `benchmark ${index + 1}`, params: {} })];
        let now = 1e12 + trial * 1e9;
        for (let i = 0; i < iterations; i++) {
          const end = now + Math.round(level * factor * (1 + 0.01 * random.normal()));
          lines.push(`{"i":${i},"s":${now},"e":${end}}`);
          now = end + 1000;
        }
        writeFileSync(join(folder, 'iterations', `${trial}-${side}.jsonl`), `${lines.join('\n')}\n`);
      }
      const sides = {
        A: { cpu: run % 2, record: `iterations/${trial}-A.jsonl` },
        B: { cpu: 1 - (run % 2), record: `iterations/${trial}-B.jsonl` },
      };
      trials.push({ ...madeUpTrial(run, { method: 'sync-duet', sides }), trial, benchmark: index });
    }
  }
  writeFileSync(
    join(folder, 'trials.jsonl'),
    trials.map((trial, k) => `${sealLine(JSON.stringify(trial), k + 1)}\n`).join(''),
  );
  writeFileSync(join(folder, 'report.json'), JSON.stringify(await analyseRecorded(folder)));
}
