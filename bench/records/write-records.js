// Made-up records of the workload protocol: iterations of about 20 us, one after the other.
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '@deadheat/stats';

export function writeRecords(directory, { runs, iterations }) {
  const random = createRandom('records bench');
  for (let run = 0; run < runs; run++) {
    for (const side of ['A', 'B']) {
      const file = openSync(join(directory, `${run}-${side}.jsonl`), 'w');
      let lines = ['{"deadheat":1,"benchmark":"loop","params":{}}'];
      let now = 1e12 + run * 1e10 + random.int(20_000);
      for (let i = 0; i < iterations; i++) {
        const duration = Math.round(20_000 * Math.exp(0.1 * random.normal()));
        lines.push(
          `{"i":${i},"s":${now},"e":${now + duration},"n":100,"c":${Math.round(duration * 0.99)},"t":${duration}}`,
        );
        now += duration + 1000;
        if (lines.length < 10_000) continue;
        writeSync(file, `${lines.join('\n')}\n`);
        lines = [];
      }
      if (lines.length > 0) writeSync(file, `${lines.join('\n')}\n`);
      closeSync(file);
    }
  }
}
