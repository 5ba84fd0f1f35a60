import { appendFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type CommitRef, recordingFiles, type Verdict } from '@deadheat/model';
import { makeFolder } from '@deadheat/recording';
import type { Client } from 'pg';
import { fileFailure, placeFolder } from '../folder/place-folder.ts';
import { HistoryError, noSuchRecording, notEmpty } from '../history-error.ts';
import type {
  ChangeTriage,
  History,
  HistoryNote,
  HistoryPoint,
  LeaseRequest,
  MetricName,
  OpenOptions,
  PointFilter,
  PutRequest,
  SeriesName,
  StoredRecording,
  VerdictCounts,
} from '../history.ts';
import { checkTopic, countVerdicts, inOrder, isWanted, newestOfEach, paramsKey, placeInTime } from '../points.ts';
import {
  type FiledPoint,
  fromFields,
  inMetric,
  type MetricFields,
  metricNamesIn,
  type PointFields,
} from '../recording/point-fields.ts';
import { isKeptFile, readFolder, type RecordingFolder } from '../recording/read-folder.ts';
import {
  copyRows,
  fileColumns,
  fileRows,
  iterationColumns,
  iterationRows,
  trialColumns,
  trialRows,
} from './binary-rows.ts';
import { connect, databaseFailure, endConnection } from './connect.ts';
import { createSchema, ensureMonth, hasSchema, historySchema, inTransaction } from './schema.ts';

/**
 * Opens the history in a PostgreSQL database; for writing, the schema is created where there is none.
 *
 * @throws HistoryError as `openHistory`
 */
export async function openPostgresHistory(
  url: string,
  { forWriting, variables, signal }: OpenOptions,
): Promise<PostgresHistory> {
  const client = await connect(url, variables, signal);
  try {
    const schema = { schema: historySchema, place: url };
    if (forWriting) await createSchema(client, schema);
    else if (!(await hasSchema(client, schema))) {
      throw new HistoryError(
        'NO_SCHEMA',
        `${url} holds no history. The first push makes one: deadheat history push RECORDING --to ${url}`,
      );
    }
    return new PostgresHistory(client, url);
  } catch (error) {
    await endConnection(client);
    throw databaseFailure(error, url);
  }
}

/** Recordings in the schema `deadheat` of a PostgreSQL database. */
class PostgresHistory implements History {
  readonly place: string;
  readonly #client: Client;
  /** The last list; `null` = none was read. */
  #listed: Listed | null = null;

  constructor(client: Client, place: string) {
    this.#client = client;
    this.place = place;
  }

  async put(request: PutRequest): Promise<'added' | 'present'> {
    const recording = await readFolder(request);
    return this.#asked(async () => {
      await ensureMonth(this.#client, recording.stored.startedAt);
      const isNew = await inTransaction(this.#client, () => this.#insert(recording));
      return isNew ? 'added' : 'present';
    });
  }

  /** Returns `false` when the recording is there already, or when another process has just put it. */
  async #insert(recording: RecordingFolder): Promise<boolean> {
    const { id, project, startedAt, hostname, toolVersion, commits, comparisons } = recording.stored;
    const { rowCount } = await this.#client.query(
      'insert into deadheat.recording (id, project, started_at, hostname, tool_version, commit_a, commit_b, comparisons) ' +
        'values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (id) do nothing',
      [id, project, startedAt, hostname, toolVersion, commits.A, commits.B, comparisons],
    );
    if (rowCount === 0) return false;
    await this.#client.query(insertComparisons, [JSON.stringify(recording.points.map(toRow))]);
    await this.#client.query(insertMetrics, [JSON.stringify(recording.points.flatMap(toMetricRows))]);
    const copy = (table: string, columns: string, pieces: AsyncIterable<Buffer>): Promise<void> =>
      copyRows(this.#client, { into: `deadheat.${table} (${columns})`, pieces });
    await copy('trial', trialColumns, trialRows(recording));
    await copy('iterations', iterationColumns, iterationRows(recording));
    await copy('file', fileColumns, fileRows(recording));
    return true;
  }

  async revision(): Promise<string> {
    const [row] = await this.#rows<{ readonly revision: string }>(
      "select concat_ws(' ', count(*), max(pushed_at), sum(hashtext(id))) as revision from deadheat.recording",
    );
    return row?.revision ?? '';
  }

  async list(): Promise<readonly StoredRecording[]> {
    const [summary = { count: 0, sum: 0, pushed: null }] = await this.#rows<Summary>(
      'select count(*)::integer as count, coalesce(sum(hashtext(id)), 0)::double precision as sum, max(pushed_at)::text as pushed ' +
        'from deadheat.recording',
    );
    const known = this.#listed;
    if (known === null || (await this.#addTo(known, summary)) === null) {
      const all = await this.#recordings(null);
      this.#listed = { ...summary, recordings: all.map(({ recording }) => recording) };
    }
    return this.#listed?.recordings ?? [];
  }

  /**
   * Adds what was pushed since to the recordings that were listed before; `null` = those that are there now are others than these, because some
   * were removed, or pushed by somebody who began before the last that is known.
   */
  async #addTo(known: Listed, summary: Summary): Promise<Listed | null> {
    if (known.count === summary.count && known.sum === summary.sum) return known;
    if (known.pushed === null || known.count > summary.count) return null;
    const ids = new Set(known.recordings.map(({ id }) => id));
    const added = (await this.#recordings(known.pushed)).filter(({ recording }) => !ids.has(recording.id));
    const sum = added.reduce((total, { hash }) => total + hash, known.sum);
    if (known.count + added.length !== summary.count || sum !== summary.sum) return null;
    const recordings = [...known.recordings, ...added.map(({ recording }) => recording)]
      .map((recording) => ({ recording, key: `${recording.startedAt} ${recording.id}` }))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1))
      .map(({ recording }) => recording);
    this.#listed = { ...summary, recordings };
    return this.#listed;
  }

  /** Recordings in the order of their experiments; those that were pushed at a time or later, `null` = all. */
  async #recordings(
    pushedFrom: string | null,
  ): Promise<readonly { readonly recording: StoredRecording; readonly hash: number }[]> {
    const rows = await this.#rows<{ readonly recordings: string }>(
      'select json_agg(recording order by place)::text as recordings from (select json_build_array(id, project, ' +
        `${isoTime('started_at')}, hostname, tool_version, commit_a, commit_b, comparisons, hashtext(id)) as recording, ` +
        'row_number() over (order by started_at, id) as place from deadheat.recording ' +
        `where $1::timestamptz is null or pushed_at >= $1) recordings group by place / ${rowsInRow} order by min(place)`,
      [pushedFrom],
    );
    return rows
      .flatMap(({ recordings }) => JSON.parse(recordings) as RecordingFields[])
      .map((fields) => ({ recording: toRecording(fields), hash: fields[8] }));
  }

  async latest(filter: PointFilter = {}): Promise<readonly HistoryPoint[]> {
    if (filter.metric !== undefined) return newestOfEach(await this.series(filter));
    const { where, values } = conditions(filter);
    const newest =
      where === ''
        ? newestOfSeries
        : `select ${seriesColumns}, max(ordered_at) as ordered_at from deadheat.comparison${where} group by ${seriesColumns}`;
    const ties = `select c.* from deadheat.comparison c join (${newest}) n using (${seriesColumns}, ordered_at)`;
    return newestOfEach((await this.#points(ties, values)).filter((point) => isWanted(point, filter)));
  }

  async series(filter: PointFilter): Promise<readonly HistoryPoint[]> {
    const { metric } = filter;
    if (metric === undefined) {
      const { where, values } = conditions(filter);
      return this.#points(`select * from deadheat.comparison${where}`, values);
    }
    const { where, values } = conditions(filter, [metric]);
    const comparisons =
      `select c.*, coalesce(m.fields, 'null') as fields from (select * from deadheat.comparison${where}) c left join lateral ` +
      `(select ${metricFields} as fields from deadheat.metric m ` +
      'where (m.recording, m.position, m.name) = (c.recording, c.position, $1)) m on true ' +
      'where m.fields is not null or c.metric = $1';
    return this.#points(comparisons, values, metric);
  }

  async seriesOf(names: readonly SeriesName[]): Promise<Iterable<readonly HistoryPoint[]>> {
    const found: (readonly HistoryPoint[])[] = [];
    for (const { project, benchmark, params, method } of names) {
      found.push(await this.series({ project, benchmark, params, method }));
    }
    return found;
  }

  /**
   * Points are read as JSON, thousands in one row: one row for each point costs the client three times as much.
   *
   * @param metric seen by this one; the comparisons then have a column `fields` with those of the metric, `null` where it is theirs
   */
  async #points(
    comparisons: string,
    values: readonly unknown[],
    metric: string | null = null,
  ): Promise<readonly HistoryPoint[]> {
    const columns = metric === null ? pointColumns : `${pointColumns}, p.fields`;
    const rows = await this.#rows<{ readonly points: string }>(
      `select string_agg(point, ',') as points from (select concat('[', concat_ws(',', ${columns}), ']') as point, ` +
        `row_number() over () as place from (${comparisons}) p ` +
        `join deadheat.recording r on r.id = p.recording) points group by place / ${rowsInRow}`,
      values,
    );
    const found = rows
      .flatMap(({ points }) => JSON.parse(`[${points}]`) as PointRow[])
      .toSorted(([one], [other]) => one - other);
    if (metric === null) return inOrder(found.map(toPoint));
    return inOrder(
      found.flatMap((row) => {
        const fields = row.at(-1) as MetricFields | null;
        const point = inMetric(toPoint(row), { name: metric, metrics: fields === null ? [] : [fields] });
        return point === null ? [] : [point];
      }),
    );
  }

  async metrics(filter: PointFilter): Promise<readonly MetricName[]> {
    const { where, values } = conditions(filter);
    const rows = await this.#rows<{ readonly metric: string; readonly others: readonly MetricName[] }>(
      `select c.metric, coalesce(json_agg(distinct jsonb_build_object('name', m.name, 'unit', m.unit)) filter (where m.name is not null), '[]') ` +
        `as others from (select * from deadheat.comparison${where}) c left join deadheat.metric m using (recording, position) group by c.metric`,
      values,
    );
    return metricNamesIn(rows);
  }

  async verdicts(experiments: readonly string[]): Promise<ReadonlyMap<string, VerdictCounts>> {
    const rows = await this.#rows<{ readonly recording: string; readonly verdict: Verdict; readonly count: number }>(
      'select recording, verdict, count(*)::integer as count from deadheat.comparison where recording = any($1) ' +
        'group by recording, verdict order by recording',
      [experiments],
    );
    const found = new Map<string, VerdictCounts>();
    for (const { recording, verdict, count } of rows) {
      found.set(recording, { ...(found.get(recording) ?? countVerdicts([])), [verdict]: count });
    }
    return found;
  }

  async report(experiment: string): Promise<string> {
    return (await this.#file(experiment, recordingFiles.report)) ?? '';
  }

  async explanation(experiment: string): Promise<string | null> {
    return this.#file(experiment, recordingFiles.explanation);
  }

  /** A file of a recording; `null` = it has none of that name. */
  async #file(experiment: string, path: string): Promise<string | null> {
    await this.#find(experiment);
    const rows = await this.#rows<FileRow>(
      'select path, part, content from deadheat.file where recording = $1 and path = $2 order by part',
      [experiment, path],
    );
    if (rows.length === 0) return null;
    const parts = await Promise.all(rows.map(({ content }) => decompress(content)));
    return Buffer.concat(parts).toString('utf8');
  }

  async pull(experiment: string, directory: string): Promise<void> {
    await this.#find(experiment);
    try {
      const isMade = await placeFolder(directory, (temporary) => this.#writeFiles(experiment, temporary));
      if (!isMade) throw notEmpty(directory);
    } catch (error) {
      throw fileFailure(error, { path: directory, doing: 'write' });
    }
  }

  async #writeFiles(experiment: string, directory: string): Promise<void> {
    let [path, part] = ['', -1];
    for (;;) {
      const rows = await this.#rows<FileRow>(
        'select path, part, content from deadheat.file where recording = $1 and (path, part) > ($2, $3) ' +
          'order by path, part limit 8',
        [experiment, path, part],
      );
      for (const row of rows) {
        if (!isKeptFile(row.path)) throw foreignFile(row.path, this.place);
        const target = join(directory, row.path);
        await makeFolder(dirname(target));
        await appendFile(target, await decompress(row.content));
        ({ path, part } = row);
      }
      if (rows.length === 0) return;
    }
  }

  async triage(): Promise<readonly ChangeTriage[]> {
    return this.#rows<ChangeTriage>(
      `select project, benchmark, params::json as params, method, experiment, direction, state, ticket, note, decided_by as by, ` +
        `${isoTime('decided_at')} as at from deadheat.triage order by id`,
    );
  }

  async addTriage({ params, ...entry }: ChangeTriage): Promise<void> {
    const { project, benchmark, method, experiment, direction, state, ticket, note, by, at } = entry;
    await this.#rows(
      'insert into deadheat.triage (project, benchmark, params, method, experiment, direction, state, ticket, note, decided_by, ' +
        'decided_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
      [project, benchmark, paramsKey(params), method, experiment, direction, state, ticket, note, by, at],
    );
  }

  async notes(topic: string): Promise<readonly HistoryNote[]> {
    return this.#rows<HistoryNote>(
      `select ${isoTime('noted_at')} as at, content::json as content from deadheat.note where topic = $1 order by position`,
      [checkTopic(topic)],
    );
  }

  /** A position is taken only by who has seen all before it, so that the order is that in which notes can be seen. */
  async addNote(topic: string, { at, content }: HistoryNote): Promise<void> {
    for (;;) {
      const added = await this.#rows(
        'insert into deadheat.note (topic, position, noted_at, content) select $1, coalesce(max(position), 0) + 1, $2, $3 ' +
          'from deadheat.note where topic = $1 on conflict (topic, position) do nothing returning position',
        [checkTopic(topic), at, JSON.stringify(content)],
      );
      if (added.length > 0) return;
    }
  }

  async leases(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#rows<{ readonly name: string; readonly holder: string }>(
      'select name, holder from deadheat.lease where until > now()',
    );
    return new Map(rows.map(({ name, holder }) => [name, holder]));
  }

  async lease({ name, holder, ms, renews }: LeaseRequest): Promise<boolean> {
    const [row] = await this.#rows<{ readonly held: boolean }>(
      `select deadheat.${renews ? 'keep' : 'hold'}_lease($1, $2, $3) as held`,
      [name, holder, ms],
    );
    return row?.held === true;
  }

  async prune(before: string, { dryRun }: { readonly dryRun: boolean }): Promise<readonly StoredRecording[]> {
    const old = (await this.list()).filter(({ startedAt }) => Date.parse(startedAt) < Date.parse(before));
    if (dryRun || old.length === 0) return old;
    await this.#asked(() =>
      inTransaction(this.#client, async () => {
        await this.#client.query('delete from deadheat.recording where started_at < $1', [before]);
        // Partitions of months before are empty now.
        const { rows } = await this.#client.query<{ readonly name: string }>(
          `select relname as name from pg_catalog.pg_class c join pg_catalog.pg_inherits i on i.inhrelid = c.oid
           where i.inhparent = 'deadheat.iterations'::regclass and relname ~ '^iterations_[0-9]{4}_[0-9]{2}$'
             and relname < 'iterations_' || to_char($1::timestamptz at time zone 'UTC', 'YYYY_MM')`,
          [before],
        );
        for (const { name } of rows) await this.#client.query(`drop table deadheat.${name}`);
      }),
    );
    return old;
  }

  async close(): Promise<void> {
    await endConnection(this.#client);
  }

  async #find(experiment: string): Promise<void> {
    const found = await this.#rows('select 1 from deadheat.recording where id = $1', [experiment]);
    if (found.length === 0) throw noSuchRecording(experiment, this.place);
  }

  async #rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return this.#asked(async () => (await this.#client.query<Row>(text, [...values])).rows);
  }

  async #asked<Value>(ask: () => Promise<Value>): Promise<Value> {
    try {
      return await ask();
    } catch (error) {
      throw databaseFailure(error, this.place);
    }
  }
}

function foreignFile(path: string, place: string): HistoryError {
  return new HistoryError(
    'STORE_FAILED',
    `${place} holds a file ${JSON.stringify(path)} that no recording has, and nothing was written. Ask who may write there.`,
  );
}

const decompress = promisify(gunzip);

type RecordingFields = readonly [
  id: string,
  project: string,
  startedAt: string,
  hostname: string,
  toolVersion: string,
  commitOfA: CommitRef | null,
  commitOfB: CommitRef | null,
  comparisons: number,
  hashOfId: number,
];

/** The state of the history: the number of recordings, the sum of the hashes of their ids, and when the last one was pushed. */
interface Summary {
  readonly count: number;
  readonly sum: number;
  /** `null` = there is none. */
  readonly pushed: string | null;
}

interface Listed extends Summary {
  readonly recordings: readonly StoredRecording[];
}

function toRecording(fields: RecordingFields): StoredRecording {
  const [id, project, startedAt, hostname, toolVersion, A, B, comparisons] = fields;
  return { id, project, startedAt, commits: { A, B }, hostname, toolVersion, comparisons };
}

/** A time as `Date.toISOString` writes it; the connection's zone is UTC. */
function isoTime(column: string): string {
  return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** In the order of `pointColumns`. */
type PointRow = readonly [
  position: number,
  recording: string,
  project: string,
  startedAt: string,
  hostname: string,
  commitA: CommitRef | null,
  commitB: CommitRef | null,
  ...PointFields,
];

interface FileRow {
  readonly path: string;
  readonly part: number;
  readonly content: Buffer;
}

/**
 * The columns of a point as texts of JSON. Building JSON takes the database half the time that its array functions
 * take.
 */
const pointColumns =
  `p.position, to_json(p.recording), to_json(p.project), to_json(${isoTime('r.started_at')}), to_json(r.hostname), ` +
  "coalesce(r.commit_a::text, 'null'), coalesce(r.commit_b::text, 'null'), to_json(p.benchmark), p.params, to_json(p.method), " +
  'to_json(p.metric), to_json(p.verdict), p.estimate, p.low, p.high, p.confidence, p.margin, p.minimal_detectable_slowdown, p.runs, ' +
  'p.mean_ns_a, p.mean_ns_b';
const rowsInRow = 8192;

/** The fields of a row `m` of the table `metric`, as those of a folder's index. */
const metricFields =
  'json_build_array(m.name, m.unit, m.mean_a, m.mean_b, m.estimate, m.low, m.high, m.confidence, m.verdict)::text';

const seriesColumns = 'benchmark, project, method, params';
/**
 * The key of every series with the place in time of its newest point: one step down the index `comparison_series` for each series instead of a
 * look at every comparison.
 *
 * Source: PostgreSQL wiki, "Loose indexscan".
 */
const newestOfSeries = `
with recursive newest as (
  (select ${seriesColumns}, ordered_at from deadheat.comparison
    order by benchmark desc, project desc, method desc, params desc, ordered_at desc limit 1)
  union all
  select next.* from newest n cross join lateral (
    select ${seriesColumns}, ordered_at from deadheat.comparison c
    where (c.benchmark, c.project, c.method, c.params) < (n.benchmark, n.project, n.method, n.params)
    order by benchmark desc, project desc, method desc, params desc, ordered_at desc limit 1) next
)
select * from newest`;

const insertComparisons = `
insert into deadheat.comparison
select * from jsonb_populate_recordset(null::deadheat.comparison, $1::jsonb)`;

const insertMetrics = `
insert into deadheat.metric
select * from jsonb_populate_recordset(null::deadheat.metric, $1::jsonb)`;

function toMetricRows({ experiment, metrics }: FiledPoint, position: number): readonly object[] {
  return metrics.map(({ name, unit, mean, ratio, verdict }) => ({
    recording: experiment,
    position,
    name,
    unit,
    mean_a: mean?.A ?? null,
    mean_b: mean?.B ?? null,
    ...ratio,
    verdict,
  }));
}

function toRow(point: HistoryPoint, position: number): object {
  return {
    recording: point.experiment,
    position,
    project: point.project,
    benchmark: point.benchmark,
    params: paramsKey(point.params),
    method: point.method,
    metric: point.metric,
    verdict: point.verdict,
    ...point.ratio,
    margin: point.margin,
    minimal_detectable_slowdown: point.minimalDetectableSlowdown,
    runs: point.runs,
    mean_ns_a: point.meanNs.A,
    mean_ns_b: point.meanNs.B,
    ordered_at: placeInTime(point),
  };
}

function toPoint([, id, project, startedAt, hostname, A, B, ...fields]: PointRow): HistoryPoint {
  return fromFields(fields, { id, project, startedAt, hostname, commits: { A, B } });
}

/** The SQL conditions of a filter; `before` are the parameters that the query has already. */
function conditions(
  { project, benchmark, params, method, experiments }: PointFilter,
  before: readonly unknown[] = [],
): { readonly where: string; readonly values: readonly unknown[] } {
  const wanted = Object.entries({
    project,
    benchmark,
    method,
    params: params === undefined ? undefined : paramsKey(params),
    recording: experiments,
  }).filter(([, value]) => value !== undefined);
  const where = wanted
    .map(([column, value], index) => {
      const place = `$${before.length + index + 1}`;
      return `${column} = ${Array.isArray(value) ? `any(${place})` : place}`;
    })
    .join(' and ');
  return { where: where === '' ? '' : ` where ${where}`, values: [...before, ...wanted.map(([, value]) => value)] };
}
