import { queryRecordings } from '@deadheat/history';
import { alignCells, countOf, printable } from '@deadheat/report';
import type { Command } from 'commander';
import { parseText } from 'deadheat/settings';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { checkExports, writeExport } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

interface RawSqlOptions {
  readonly from?: string;
  readonly exportJson?: string;
}

/** `deadheat sql`: DuckDB over the files of recordings. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('sql')
    .description(
      'Executes an SQL query over recordings with DuckDB. The package @duckdb/node-api must be installed beside deadheat. There are two tables, iterations and comparisons.',
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
      'write the rows as JSON (- = standard output)',
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
}

/** `deadheat sql`. Returns the exit code. */
async function askSql(
  { json, ...query }: { readonly query: string; readonly from: string; readonly json: string | null },
  terminal: Terminal,
): Promise<ExitCode> {
  checkExports({ json });
  const { names, rows } = await queryRecordings({ ...query, cwd: process.cwd(), variables: terminal.env });
  const stream = terminal[json === '-' ? 'stderr' : 'stdout'];
  const cells = rows.map((row) => row.map((value) => (value === null ? '-' : printable(textOf(value)))));
  stream.write(`${alignCells([names.map(printable), ...cells]).join('\n')}\n\n${countOf(rows.length, 'row')}\n`);
  const objects = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
  writeExport(json, { content: `${JSON.stringify(objects, null, 2)}\n`, terminal });
  return exitCodes.done;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
