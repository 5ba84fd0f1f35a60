import type { Client } from 'pg';
import { hasTable } from './has-table.ts';

/** One step forward of a database's schema; there is none back. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** Version of a schema in a database: how many of its steps were made; 0 = there is none. */
export const schemaVersion = async (client: Client, schema: string): Promise<number> => {
  if (!(await hasTable(client, 'schema_version', schema))) return 0;
  const { rows } = await client.query<{ readonly version: number }>(
    `select coalesce(max(version), 0)::integer as version from ${schema}.schema_version`,
  );
  return rows[0]?.version ?? 0;
};

/** Makes the steps that are missing from `version` on, inside a transaction of the caller; the schema too where there is none. */
export const makeSteps = async (
  client: Client,
  schema: string,
  { version, migrations }: { readonly version: number; readonly migrations: readonly Migration[] },
): Promise<void> => {
  if (version === 0) {
    await client.query(`create schema if not exists ${schema}`);
    await client.query(
      `create table ${schema}.schema_version (version integer primary key, name text not null, ` +
        'applied_at timestamptz not null default now())',
    );
  }
  for (const [index, { name, sql }] of migrations.entries()) {
    if (index < version) continue;
    await client.query(sql);
    await client.query(`insert into ${schema}.schema_version (version, name) values ($1, $2)`, [index + 1, name]);
  }
};
