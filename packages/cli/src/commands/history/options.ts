import { usualLeastChange, type SeriesQuantity } from '@deadheat/analysis';
import { methodSchema, type Method } from '@deadheat/model';
import type { StyleChoice } from '../../arguments/invocation.ts';
import { addStyleOption } from '../../arguments/output-options.ts';
import { parseChoice, parseCount, parseShare, parseText, UsageError } from 'deadheat/settings';
import { listRecordings, showHistory } from './history.ts';
import type { Subcommand } from '../subcommand.ts';

interface RawHistoryOptions {
  readonly from?: string;
  readonly project?: string;
  readonly method?: Method;
  readonly against?: string;
  readonly of?: SeriesQuantity;
  readonly leastChange?: number;
  readonly last?: number;
  readonly recordings?: true;
  readonly exportJson?: string;
  readonly style?: StyleChoice;
}

const usualPlace = '.deadheat';
const usualLast = 20;
/** Options that `--recordings` refuses, by their names and as they are typed. */
const meaningless: ReadonlyMap<string, string> = new Map([
  ['project', '--project'],
  ['method', '--method'],
  ['against', '--against'],
  ['of', '--of'],
  ['leastChange', '--least-change'],
  ['last', '--last'],
  ['style', '--style'],
]);
const quantities: readonly SeriesQuantity[] = ['ratio', 'time'];

/** `deadheat history`: verdicts over commits. */
export const historySubcommand: Subcommand = ({ create, choose }) => {
  const command = create('history')
    .summary('verdicts over commits, and where the level changed')
    .description(
      'For each benchmark of a history the chain of verdicts in the order of the commits, and the commits between which its ' +
        'level changed. Of series in which nothing changes at most one in 20 ever shows a change in its first 300 comparisons.',
    )
    .usage('[BENCHMARK...] [--from PLACE] [options]')
    .argument('[benchmarks...]')
    .action((benchmarks: readonly string[], raw: RawHistoryOptions) => {
      const { from = usualPlace, exportJson: json = null, recordings, last = usualLast, style = 'auto' } = raw;
      const {
        project = null,
        method = null,
        against = null,
        of: quantity = null,
        leastChange = usualLeastChange,
      } = raw;
      if (recordings === undefined) {
        const request = { benchmarks, from, project, method, against, quantity, leastChange, last, json, style };
        choose((terminal) => showHistory(request, terminal));
        return;
      }
      const ignored = [...meaningless].find(([name]) => name in raw)?.[1];
      if (benchmarks.length > 0 || ignored !== undefined) {
        const what = ignored ?? 'a benchmark';
        throw new UsageError('CONFLICT', `--recordings lists every recording, and ${what} has no meaning with it`);
      }
      choose((terminal) => listRecordings({ from, json }, terminal));
    });
  command
    .optionsGroup('What to look at:')
    .option(
      '--from <PLACE>',
      `a folder, or postgres://user@host/name (default: ${usualPlace})`,
      parseText('--from', 'a folder or a URL'),
    )
    .option('--project <NAME>', 'only what was filed under this name', parseText('--project', 'a name'))
    .option('--method <METHOD>', 'only what was measured by this method', parseChoice('--method', methodSchema.options))
    .option(
      '--against <COMMIT>',
      'only comparisons with this commit as A, such as a release that everything is measured against',
      parseText('--against', 'a commit'),
    )
    .option(
      '--of <QUANTITY>',
      "what has a level: ratio (B / A) or time (B's mean); default: ratio where A is one commit, else time",
      parseChoice('--of', quantities),
    )
    .option(
      '--least-change <SHARE>',
      `smallest change of level that is shown, such as 1% (default: ${100 * usualLeastChange}%)`,
      parseShare('--least-change', { zero: 'allowed', example: '1%' }),
    )
    .option('--recordings', 'list the recordings instead, with their ids');
  command
    .optionsGroup('Output:')
    .option('--last <N>', `newest comparisons to print of each (default: ${usualLast})`, parseCount('--last', 1))
    .option(
      '--export-json <FILE>',
      'write all of them as JSON (- = stdout)',
      parseText('--export-json', 'the name of a file, or - for stdout'),
    );
  addStyleOption(command);
  return command.helpOption('-h, --help', 'show this help').addHelpText(
    'after',
    `
Examples:
  deadheat history parse-large --against v2.0
      how far has it drifted from the release?
  deadheat history --from postgres://ci@db.example.org/deadheat --export-json -`,
  );
};
