// Twelve simulated machines whose times differ by 10 % and a true change of 2 %: their recording, and what deadheat says of it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOwnMachine } from '@deadheat/engine';
import { createRandom } from '@deadheat/stats';
import { madeUpExperiment } from '../lib/made-up.js';
import { root } from '../lib/tools.js';
import { RecordingMerger } from '../../core/engine/dist/recorded/recording-merger.js';

const hosts = 12;
const runsPerHost = 10;
const change = 1.02;
const timesBetween = 0.1;
const noise = 0.01;

const command = (name) => ({ name, commandLine: name, argv: [`/bin/${name}`], executedBy: 'direct' });

function side(cpu, tookNs) {
  return {
    cpu,
    padBytes: 0,
    exitCode: 0,
    signal: null,
    userNs: null,
    systemNs: null,
    maxRssBytes: null,
    voluntarySwitches: null,
    involuntarySwitches: null,
    iterations: [{ i: 0, s: 1e9, e: 1e9 + Math.round(tookNs) }],
    record: null,
  };
}

/** Makes the recording in `directory`. `ratioBetween`: standard deviation of the true ratio between machines. */
async function record(directory, ratioBetween) {
  const { machine } = await readOwnMachine({ cpus: [0, 1], ownCpu: null });
  const { config } = madeUpExperiment('sync-duet', {
    benchmark: { name: 'simulated', commands: { A: command('old'), B: command('new') } },
    config: {
      name: 'twelve machines',
      swap: 'run',
      metric: 'time',
      stop: { kind: 'runs', runs: hosts * runsPerHost },
      seed: 'twelve',
    },
  });
  const merger = await RecordingMerger.create({
    directory,
    parent: directory,
    experiment: {
      schema: 'deadheat.experiment/1',
      id: `twelve-${ratioBetween}`,
      startedAt: '2026-01-02T03:04:05.000Z',
      tool: { name: 'deadheat', version: '0.1.0' },
      config,
      machine,
      warnings: [],
    },
  });
  const random = createRandom(`twelve ${ratioBetween}`);
  const draw = (deviation) => Math.exp(deviation * random.normal());
  for (let host = 0; host < hosts; host++) {
    const id = `machine-${String(host + 1).padStart(2, '0')}`;
    await merger.addHost({ id, machine, labels: {} });
    const ns = 100e6 * draw(timesBetween);
    const ratio = change * draw(ratioBetween);
    for (let run = 0; run < runsPerHost; run++) {
      const cpu = random.int(2);
      const trial = {
        trial: 0,
        benchmark: 0,
        method: 'sync-duet',
        run: host * runsPerHost + run,
        phase: 'measure',
        order: 'AB',
        status: 'ok',
        failures: [],
        wallNs: 2 * ns,
        sides: { A: side(cpu, ns * draw(noise)), B: side(1 - cpu, ns * ratio * draw(noise)) },
        noise: { stealNs: null, throttledNs: null, contextSwitches: null },
      };
      await merger.addTrial(trial, id, { A: null, B: null });
    }
  }
  await merger.finish();
}

export async function showTwelve() {
  for (const ratioBetween of [0, 0.02]) {
    const directory = mkdtempSync(join(tmpdir(), 'deadheat-twelve-'));
    try {
      await record(join(directory, 'recording'), ratioBetween);
      console.log(`\n## B / A differs between machines by ${100 * ratioBetween} %\n`);
      const deadheat = join(root, 'core/cli/bin/deadheat.js');
      const args = ['analyse', join(directory, 'recording'), '--style', 'basic', '--no-summary'];
      spawnSync(process.execPath, [deadheat, ...args], { stdio: 'inherit' });
    } finally {
      rmSync(directory, { recursive: true });
    }
  }
}
