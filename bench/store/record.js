// Makes a recording of programs with very many iterations. Usage: record.js DIRECTORY RUNS ITERATIONS, of both sides of all runs
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { analyseRecorded } from '@deadheat/engine';
import { createRecording, TrialRecords } from '@deadheat/recording';
import { madeUpTrial } from '../lib/made-up.js';
import { madeUpExperimentFile } from '../lib/made-up-recording.js';
import { writeRecords } from '../records/write-records.js';

const [, , directory, runs, iterations] = process.argv;
const method = 'sync-duet';
const startedAt = '2026-01-01T00:00:00.000Z';
const experiment = madeUpExperimentFile({ id: 'large', startedAt, name: 'large', method, workload: 'harness' });
const writer = await createRecording({ directory, name: 'large', startedAt, experiment });
mkdirSync(join(directory, 'iterations'));
writeRecords(join(directory, 'iterations'), { runs: Number(runs), iterations: Number(iterations) / Number(runs) / 2 });
const trials = Array.from({ length: Number(runs) }, (_, run) =>
  madeUpTrial(run, {
    method,
    sides: { A: { cpu: 0, record: `iterations/${run}-A.jsonl` }, B: { cpu: 1, record: `iterations/${run}-B.jsonl` } },
  }),
);
for (const trial of trials) writer.append(trial);
const records = await new TrialRecords(directory).read(trials);
await writer.writeIterations({ trials, experiment, records });
await writer.writeReport(await analyseRecorded(directory));
writer.close();
