import {
  type Command,
  defineCommand,
  exitCodes,
  explainError,
  flag,
  option,
  plaintextOptions,
  text,
  version,
  withInterruption,
  withPlaintext,
} from '@deadheat/cli/kit';
import { openHistory } from '@deadheat/history';
import { fromOption } from '@deadheat/history/command';
import { countOf } from '@deadheat/report';
import { readAlertsFile } from '../alerts/alerts-file.ts';
import { type ChannelOutcome, openAlerts } from '../alerts/alerts.ts';

/** `deadheat history alert`: sends what is new to the channels of a file. Its exit code is that of the first error, after every channel was tried. */
export const alert: Command = defineCommand({
  description:
    'Looks once for what is new in a history and a fleet, and sends it to the channels of a file: a webhook gets JSON, a command gets text or a mail on its standard input, and a tracker an issue for each confirmed change, which is closed when the level returns. New are changes of performance that nobody has decided about, canaries that fired, and workers that are gone. What was sent is kept in the history, so that nothing is sent twice, and what could not be sent is sent by a later call. The first call sends nothing: what is there already counts as known. deadheat history serve --alerts FILE does the same while it runs.',
  args: { '<file>': 'the file of the channels' },
  options: {
    from: fromOption,
    fleet: option('--fleet <URL>', {
      help: 'also report workers of this fleet that are gone: postgres://user@host/name',
      parse: text('a URL'),
    }),
    digest: flag('--digest', { help: 'send the digest of each channel that has one now, also where it is not due' }),
    test: flag('--test', {
      help: 'send made-up events to every channel, to try it, and read the issues of trackers; no history is read',
      without: ['digest'],
      why: 'made-up events have no digest',
    }),
    ...plaintextOptions('a database or a webhook'),
  },
  act: async (values, { file }, terminal) => {
    const { from, fleet: url, digest, test } = values;
    const { env: variables, stdout, stderr } = withPlaintext(values, terminal);
    const settings = readAlertsFile(file, { cwd: process.cwd(), variables });
    const fleet = url === null || test ? null : await (await import('@deadheat/fleet')).openFleetView(url, variables);
    const opened = openAlerts({
      settings,
      fleet,
      toolVersion: version,
      variables,
      openHistory: (cutting) => openHistory(from, { forWriting: false, variables, signal: cutting }),
    });
    try {
      const { channels, fleetError } = await withInterruption(async (signal) =>
        test
          ? { channels: await opened.alerts.test(signal), fleetError: null }
          : opened.alerts.look(signal, { digest }),
      );
      for (const outcome of channels)
        stdout.write(`${outcome.channel}: ${sentText(outcome, test ? 'issues can be read' : 'nothing new')}\n`);
      const errors = [...channels.map(({ error }) => error), fleetError].filter((error) => error !== null);
      const explained = errors.map((error) => explainError(error, variables));
      for (const { message } of explained) stderr.write(`${message}\n`);
      return explained[0]?.exitCode ?? exitCodes.done;
    } finally {
      await opened.close();
      await fleet?.close();
    }
  },
  examples: `
Examples:
  deadheat history alert alerts.yaml --test
      does every channel work?

  deadheat history alert alerts.yaml --from postgres://ci@db.example.org/deadheat
      what is new since the last call? (for cron or after deadheat history push)`,
});

function sentText({ events, digests, opened, closed, error }: ChannelOutcome, idle: string): string {
  const issues = [
    ...(opened === 0 ? [] : [`${countOf(opened, 'issue')} opened`]),
    ...(closed === 0 ? [] : [`${countOf(closed, 'issue')} closed`]),
  ].join(', ');
  if (issues !== '') return `${issues}${error === null ? '' : ', and not all'}`;
  if (digests > 0) return `digest sent, ${countOf(events, 'event')} in all`;
  if (events > 0) return `${countOf(events, 'event')} sent${error === null ? '' : ', and not all'}`;
  return error === null ? idle : 'not sent';
}
