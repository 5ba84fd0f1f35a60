import { fileURLToPath } from 'node:url';
import { formats } from '../../src/import/formats.ts';
import { describeFixtures } from './support-fixtures.ts';

describeFixtures({
  folder: fileURLToPath(new URL('fixtures', import.meta.url)),
  readers: Object.fromEntries(formats.flatMap((format) => ('read' in format ? [[format.id, format]] : []))),
  formatOf: {
    'google-benchmark-aggregates': 'google-benchmark',
    'hyperfine-both': 'hyperfine',
    'hyperfine-summary': 'hyperfine',
    scalabench: 'dacapo',
    'tinybench-table-json': 'tinybench-table',
    'vitest-4': 'vitest',
    'vitest-5': 'vitest',
    'vitest-5-result': 'tinybench',
  },
  columns: {
    csv: { time: 'ms', run: 'fork', benchmark: 'name', invocations: 'calls' },
    'json-lines': { time: 'ms', run: 'fork', benchmark: 'name' },
  },
});
