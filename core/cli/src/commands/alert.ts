import type { Command } from 'commander';
import { openFleetView } from '@deadheat/fleet';
import { openHistory } from '@deadheat/history';
import { countOf } from '@deadheat/report';
import { type ChannelOutcome, openAlerts } from '@deadheat/dashboard';
import { parseText, UsageError } from 'deadheat/settings';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { explainError } from '../errors/explain-error.ts';
import { withInterruption } from '../terminal/interruption.ts';
import { addPlaintextOption, type RawPlaintextOption, withPlaintext } from '../terminal/plaintext-option.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { version } from '../version.ts';
import type { SubcommandContext } from './subcommand.ts';
import { readAlertsFile } from '@deadheat/dashboard';

interface RawAlertOptions extends RawPlaintextOption {
  readonly from?: string;
  readonly fleet?: string;
  readonly digest?: true;
  readonly test?: true;
}

const usualPlace = '.deadheat';

/** `deadheat alert`: what is new, to the channels of a file. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  return addPlaintextOption(create('alert'), 'a database or a webhook')
    .description(
      'Looks once for what is new in a history and a fleet, and sends it to the channels of a file: a webhook gets JSON, a command gets text or a mail on its standard input. New are changes of performance that nobody has decided about, canaries that fired, and workers that are gone. What was sent is kept in the history, so that nothing is sent twice, and what could not be sent is sent by a later call. The first call tells nothing: what is there already counts as known. deadheat serve --alerts FILE does the same while it runs.',
    )
    .usage('FILE [--from PLACE] [--fleet URL] [options]')
    .argument('<file>')
    .action((file: string, raw: RawAlertOptions) => {
      const { from = usualPlace, fleet = null, digest = false, test = false } = raw;
      if (digest && test)
        throw new UsageError('CONFLICT', '--test sends made-up events, and --digest has no meaning with it');
      const what = test ? 'test' : digest ? 'digest' : 'look';
      choose((terminal) => alert({ file, from, fleet, what }, withPlaintext(raw, terminal)));
    })
    .option(
      '--from <PLACE>',
      `the history: a folder, or postgres://user@host/name (default: ${usualPlace})`,
      parseText('--from', 'a folder or a URL'),
    )
    .option(
      '--fleet <URL>',
      'also tell of workers of this fleet that are gone: postgres://user@host/name',
      parseText('--fleet', 'a URL'),
    )
    .option('--digest', 'send the digest of each channel that has one now, also where it is not due')
    .option('--test', 'send made-up events to every channel, to try it; no history is read')
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Examples:
  deadheat alert alerts.yaml --test
      does every channel work?

  deadheat alert alerts.yaml --from postgres://ci@db.example.org/deadheat
      what is new since the last call? (for cron, or after deadheat push)`,
    );
}

interface AlertRequest {
  readonly file: string;
  /** A folder or a URL. */
  readonly from: string;
  /** `null` = no fleet is asked. */
  readonly fleet: string | null;
  readonly what: 'look' | 'digest' | 'test';
}

/** `deadheat alert`. Returns the exit code: that of the first error, after every channel was tried. */
async function alert({ file, from, fleet: url, what }: AlertRequest, terminal: Terminal): Promise<ExitCode> {
  const { env, stdout, stderr } = terminal;
  const settings = readAlertsFile(file, { cwd: process.cwd(), variables: env });
  const fleet = url === null || what === 'test' ? null : await openFleetView(url, env);
  const opened = openAlerts({
    settings,
    fleet,
    toolVersion: version,
    variables: env,
    openHistory: () => openHistory(from, { forWriting: false, variables: env }),
  });
  try {
    const { channels, fleetError } = await withInterruption(async (signal) =>
      what === 'test' ? { channels: await opened.alerts.test(signal), fleetError: null } : opened.alerts[what](signal),
    );
    for (const outcome of channels) stdout.write(`${outcome.channel}: ${sentText(outcome)}\n`);
    const errors = [...channels.map(({ error }) => error), fleetError].filter((error) => error !== null);
    const explained = errors.map((error) => explainError(error, env));
    for (const { message } of explained) stderr.write(`${message}\n`);
    return explained[0]?.exitCode ?? exitCodes.done;
  } finally {
    await opened.close();
    await fleet?.close();
  }
}

function sentText({ events, digests, error }: ChannelOutcome): string {
  if (digests > 0) return `digest sent, ${countOf(events, 'event')} in all`;
  if (events > 0) return `${countOf(events, 'event')} sent${error === null ? '' : ', and not all'}`;
  return error === null ? 'nothing new' : 'not sent';
}
