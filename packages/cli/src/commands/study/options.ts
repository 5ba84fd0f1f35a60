import type { Study } from '@deadheat/analysis';
import { nearestWord, parseShare, UsageError } from 'deadheat/settings';
import { addTableOutputOptions, readOutputChoices } from '../../arguments/output-options.ts';
import type { RawOutputOptions } from '../../arguments/raw-options.ts';
import { addStoppingOptions, readStoppingChoices, refuseStoppingChoices } from './stopping-study-options.ts';
import type { RawStoppingOptions } from './stopping-study-options.ts';
import { addStudyRunOptions, readStudyRun, type RawStudyRunOptions } from './study-run-options.ts';
import { runStudy } from './study-run.ts';
import { study } from './study.ts';
import { studyStopping } from './study-stopping.ts';
import type { Subcommand } from '../subcommand.ts';

type RawStudyOptions = Pick<RawOutputOptions, 'exportJson' | 'exportCsv' | 'style'> &
  RawStudyRunOptions &
  RawStoppingOptions & { readonly power?: number };

type Kind = Exclude<Study['kind'], 'simulation'>;

const kinds: readonly Kind[] = ['accuracy', 'overlap', 'mds', 'asymmetry', 'stopping'];
const defaultPower = 0.8;

/** `deadheat study`: the papers' evaluations, over recordings or over what it measures first. */
export const studySubcommand: Subcommand = ({ create, choose }) => {
  const command = create('study')
    .summary("the papers' evaluations of the methods, over your recordings")
    .description(
      "The papers' evaluations of the methods of measuring, over your recordings of A/A runs or over artificial " +
        'workloads that are measured first (--run): accuracy (interval widths ' +
        'of the duet, the shuffled duet and the standard method), overlap (pairs of asynchronous duets, time saved), mds ' +
        '(minimal detectable slowdowns, false alarms), asymmetry (what cores, order and a copy beside it cost), stopping ' +
        '(dynamic reconfiguration replayed: what stopping when stable changes and saves).',
    )
    .usage(`${kinds.join('|')} RECORDING...\n       deadheat study KIND --run [options]`)
    .argument('<kind>')
    .argument('[recordings...]')
    .action((typed: string, paths: readonly string[], raw: RawStudyOptions) => {
      const kind = readKind(typed);
      if (raw.power !== undefined && kind !== 'mds') {
        throw new UsageError('CONFLICT', `--power is about detectable slowdowns, not about ${kind}`, {
          hint: 'Leave it out, or ask for: deadheat study mds.',
        });
      }
      const choices = readOutputChoices(raw);
      if (kind === 'stopping') {
        const stopping = readStoppingChoices({ paths, raw });
        choose((terminal) => studyStopping({ ...stopping, paths, choices, terminal }));
        return;
      }
      refuseStoppingChoices(raw, kind);
      const power = raw.power ?? defaultPower;
      const running = readStudyRun(kind, { paths, raw });
      if (running !== null) {
        choose((terminal) => runStudy(running, { power, choices, terminal }));
        return;
      }
      if (paths.length === 0) {
        throw new UsageError('MISSING_COMMAND', `study ${kind} needs recordings`, {
          hint: 'Name folders of recordings, or add --run to measure artificial workloads.',
        });
      }
      choose((terminal) => study(kind, { paths, power, choices, terminal }));
    });
  addStudyRunOptions(command);
  addStoppingOptions(command);
  command
    .optionsGroup('Judging:')
    .option(
      '--power <SHARE>',
      'of mds: share of experiments that must call a slowdown slower (default: 80%)',
      parseShare('--power', { zero: 'refused', example: '80%' }),
    );
  addTableOutputOptions(command.optionsGroup('Output:'));
  return command.helpOption('-h, --help', 'show this help').addHelpText(
    'after',
    `
Examples:
  deadheat --method sync-duet --output duet './bench'
  deadheat --method sequential --output alone './bench'
  deadheat study accuracy duet alone
      how much narrower are the intervals of the duet on this machine?
  deadheat study mds duet alone --export-csv mds.csv
      which slowdowns would either method see?
  deadheat study accuracy --run
      the same of artificial workloads, on an idle machine and a busy one
  deadheat study stopping duet
      what would have been saved by stopping as soon as the times were stable?`,
  );
};

function readKind(typed: string): Kind {
  const kind = kinds.find((one) => one === typed);
  if (kind !== undefined) return kind;
  const nearest = nearestWord(typed.toLowerCase(), kinds);
  throw new UsageError('BAD_VALUE', `there is no study '${typed}'`, {
    hint: nearest === null ? `There are ${kinds.join(', ')}.` : `Did you mean ${nearest}?`,
  });
}
