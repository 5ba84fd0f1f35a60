import type { Client } from 'pg';

/**
 * Whether a schema, `deadheat` unless named, has a table. It looks with the statement's own snapshot: what another transaction has just made is
 * seen once its lock is given, which names that are resolved by `to_regclass` are not.
 */
export const hasTable = async (client: Client, table: string, schema = 'deadheat'): Promise<boolean> => {
  const { rows } = await client.query<{ readonly found: boolean }>(
    'select exists (select from pg_catalog.pg_tables where schemaname = $1 and tablename = $2) as found',
    [schema, table],
  );
  return rows[0]?.found === true;
};
