import { writeIterationsParquet } from '@deadheat/engine';
import { tandemLosses } from './counted-rows.ts';
import type { ExportFormat } from './export-format.ts';

/** `iterations.parquet`, made anew from journal and records. */
export const parquet: ExportFormat = {
  id: 'parquet',
  describe: 'Parquet with one row for each iteration; needs --output',
  needsFile: true,
  ofReport: null,
  make: async (source) => {
    const { recording, records } = source;
    const { experiment, trials } = recording;
    return {
      content: { kind: 'file', write: (path) => writeIterationsParquet(path, { experiment, trials, records }) },
      losses: [
        'Parquet holds iterations only: settings, ratio, interval and verdict are left out',
        ...tandemLosses(source, 'compare cpu_ns, not duration_ns'),
      ],
    };
  },
};
