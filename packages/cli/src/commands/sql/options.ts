import { parseText } from 'deadheat/settings';
import { askSql } from './sql.ts';
import type { Subcommand } from '../subcommand.ts';

interface RawSqlOptions {
  readonly from?: string;
  readonly exportJson?: string;
}

/** `deadheat sql`: DuckDB over the files of recordings. */
export const sqlSubcommand: Subcommand = ({ create, choose }) => {
  const command = create('sql')
    .summary('ask the iterations of recordings by SQL (needs DuckDB)')
    .description(
      'Answers a query of SQL over the tables of recordings with DuckDB, whose package @duckdb/node-api has to be installed ' +
        'beside deadheat. There are iterations and comparisons.',
    )
    .usage("'QUERY' [--from FOLDER] [options]")
    .argument('<query>')
    .action((query: string, raw: RawSqlOptions) => {
      const { from = '.deadheat', exportJson: json = null } = raw;
      choose((terminal) => askSql({ query, from, json }, terminal));
    });
  return command
    .option(
      '--from <FOLDER>',
      'a recording, or a folder of recordings (default: .deadheat)',
      parseText('--from', 'a folder'),
    )
    .option(
      '--export-json <FILE>',
      'write the rows as JSON (- = stdout)',
      parseText('--export-json', 'the name of a file, or - for stdout'),
    )
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Examples:
  deadheat sql 'select benchmark, side, median(duration_ns) from iterations group by all order by all'
  deadheat sql 'select commit_b, estimate, verdict from comparisons order by started_at' --from /srv/deadheat`,
    );
};
