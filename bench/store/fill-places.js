// The same recordings of many commits in a folder and in PostgreSQL.
import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHistory } from '@deadheat/history';
import { madeUpRecording } from '../lib/made-up-recording.js';
import { manyReports } from './many-reports.js';

/** Makes them below `folder`, and in the database of `server`, which may be `null`. Gives names and places. */
export async function fillPlaces({ commits, benchmarks, folder, server }) {
  const place = join(folder, 'commits');
  mkdirSync(place);
  const first = join(folder, 'first');
  await madeUpRecording(first, { id: 'first', startedAt: '2020-01-01T00:00:00.000Z' });
  for (const { name, experiment, report } of manyReports(first, { commits, benchmarks })) {
    const directory = join(place, name);
    mkdirSync(directory);
    writeFileSync(join(directory, 'experiment.json'), experiment);
    writeFileSync(join(directory, 'report.json'), report);
    // A recording with links among its files is none.
    for (const file of ['trials.jsonl', 'iterations.parquet']) linkSync(join(first, file), join(directory, file));
  }
  if (server === null) return [['folder', place]];
  await fillDatabase(server, place);
  return [
    ['folder', place],
    ['PostgreSQL', server.url()],
  ];
}

/** The rows that pushes of these recordings would have left, but for their iterations, which a series does not read. */
async function fillDatabase(server, place) {
  const history = await openHistory(place, { forWriting: false, variables: process.env });
  const points = await history.series({});
  const recordings = await history.list();
  await (await openHistory(server.url(), { forWriting: true, variables: process.env })).close();
  const text = (value) => `'${String(value).replaceAll("'", "''")}'`;
  const json = (value) => (value === null ? 'null' : `${text(JSON.stringify(value))}::jsonb`);
  const insert = (table, rows) => {
    for (let from = 0; from < rows.length; from += 1000) {
      server.sql(`insert into deadheat.${table} values ${rows.slice(from, from + 1000).join(',')};`);
    }
  };
  insert(
    'recording',
    recordings.map(
      (one) =>
        `(${[one.id, one.project, one.startedAt, one.hostname, one.toolVersion].map(text).join(',')},` +
        `${json(one.commits.A)},${json(one.commits.B)},${one.comparisons})`,
    ),
  );
  const positions = new Map();
  insert(
    'comparison',
    points.map((point) => {
      const position = positions.get(point.experiment) ?? 0;
      positions.set(point.experiment, position + 1);
      const { estimate, low, high, confidence } = point.ratio;
      const words = [
        point.project,
        point.benchmark,
        JSON.stringify(point.params),
        point.method,
        point.metric,
        point.verdict,
      ];
      const numbers = [estimate, low, high, confidence, point.margin, point.minimalDetectableSlowdown, point.runs];
      return (
        `(${text(point.experiment)},${position},${words.map(text).join(',')},${numbers.join(',')},` +
        `${point.meanNs.A},${point.meanNs.B},${text(point.commits.B?.committedAt ?? point.startedAt)})`
      );
    }),
  );
  server.sql('analyze deadheat.comparison; analyze deadheat.recording;');
}
