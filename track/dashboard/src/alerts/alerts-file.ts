import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { badConfig, explainIssues, readTree, splitWords } from 'deadheat/internals';
import {
  countSchema,
  durationSchema,
  lineSchema,
  mapSchema,
  shareSchema,
  type Path,
  Problems,
  UsageError,
  wordSchema,
} from 'deadheat/settings';

/** Events that a channel can receive: changes of level by direction, A/A comparisons that differ, and workers that are gone. */
export const alertTopics = ['slower', 'faster', 'canary', 'worker'] as const;
export type AlertTopic = (typeof alertTopics)[number];

/** An HTTP address that messages are sent to as JSON. */
export interface WebhookTarget {
  readonly kind: 'webhook';
  readonly url: string;
  /** Key of the signature; `null` = messages are not signed. */
  readonly key: Uint8Array | null;
}

/** A program that gets each message as text on its standard input. */
export interface CommandTarget {
  readonly kind: 'command';
  /** The program and its arguments; no shell reads them. */
  readonly words: readonly string[];
  /** Headers of a mail (RFC 5322) that stand before the text; `null` = the text alone. */
  readonly mail: { readonly to: readonly string[]; readonly from: string | null } | null;
}

/** A place where every change has an issue. */
export interface IssuesTarget {
  readonly kind: 'issues';
  /** GitHub and GitLab by their REST interfaces, or a folder of Markdown files. */
  readonly tracker: 'github' | 'gitlab' | 'folder';
  /** Address of the repository or project in the interface, without a slash at its end; path of the folder. */
  readonly place: string;
  /** Sent with every request; empty for a folder. */
  readonly token: string;
  readonly labels: readonly string[];
}

/** A receiver of alerts and the events that it receives. */
export interface AlertChannel {
  readonly name: string;
  readonly target: WebhookTarget | CommandTarget | IssuesTarget;
  readonly on: readonly AlertTopic[];
  /** Names of projects, in which `*` stands for any text; empty = all. */
  readonly projects: readonly string[];
  /** Smallest change that is sent, as a share. */
  readonly leastChange: number;
  readonly digest: 'day' | 'week' | null;
}

/** A file of alerts. */
export interface AlertSettings {
  /** Address of the dashboard, ending in `/`; `null` = messages have no links. */
  readonly dashboard: string | null;
  /** Pause of the dashboard between two looks, ns. */
  readonly everyNs: number;
  /** Time that a worker is gone before an alert, ns. */
  readonly workerGraceNs: number;
  /** Hour from which the digest of a day is due, UTC; that of a week on Monday. */
  readonly digestHour: number;
  readonly channels: readonly AlertChannel[];
}

const secretError = 'a map with environment: NAME or file: PATH';
const secretSource = z.union(
  [
    mapSchema({ environment: lineSchema.describe('Name of the variable that holds it.') }),
    mapSchema({
      file: lineSchema.describe('File that holds it, from the folder of this file; only its owner may read it.'),
    }),
  ],
  { error: secretError },
);
/** Where a value comes from that nobody else may know: never from the file of alerts itself. */
type SecretSource = z.output<typeof secretSource>;
const headerText = lineSchema.refine((text) => !/\p{Cc}/u.test(text), { error: 'a text on one line' });

const channel = mapSchema({
  webhook: z
    .union([headerText, secretSource], { error: `an address such as https://example.org/hook, or ${secretError}` })
    .optional()
    .describe(
      'Address that messages are sent to by POST, as JSON. An address that is a secret itself comes from a variable or a file.',
    ),
  secret: secretSource
    .optional()
    .describe('Key of the signature of each message: at least 16 characters, or whsec_ and Base64.'),
  command: lineSchema
    .optional()
    .describe('Program with its arguments that gets each message as text on its standard input. No shell reads it.'),
  to: z
    .array(headerText, { error: 'a list of addresses' })
    .min(1, { error: 'at least one address' })
    .optional()
    .describe(
      'Recipients: the text becomes a mail with headers, as sendmail -t -i takes it (default: the text alone).',
    ),
  from: headerText.optional().describe('Sender of the mail (default: the one that the command chooses).'),
  issues: lineSchema
    .optional()
    .describe(
      'Where each confirmed change gets an issue: the address of a repository of GitHub or a project of GitLab in its REST interface, or a folder.',
    ),
  token: secretSource.optional().describe('Token that may write issues; not for a folder.'),
  labels: z
    .array(headerText, { error: 'a list of labels' })
    .optional()
    .describe('Labels of new issues (default: none).'),
  on: z
    .array(wordSchema(alertTopics), { error: 'a list of slower, faster, canary and worker' })
    .optional()
    .describe(
      'Events that are sent (default: slower, faster, canary and worker; of issues slower). An empty list: nothing but digests.',
    ),
  projects: z
    .array(lineSchema, { error: 'a list of names' })
    .min(1, { error: 'at least one name' })
    .optional()
    .describe('Projects whose changes are sent; * stands for any text (default: all).'),
  'least-change': shareSchema.optional().describe('Smallest change that is sent (default: all that are found).'),
  digest: wordSchema(['day', 'week'])
    .optional()
    .describe('Also send a digest once a day or once a week (default: none).'),
});

/** The schema of a file of alerts. */
export const alertsFileSchema = mapSchema({
  dashboard: headerText.optional().describe('Address of the dashboard, to which messages link (default: no links).'),
  every: durationSchema.optional().describe('How often deadheat history serve looks (default: 1m).'),
  'worker-grace': durationSchema
    .optional()
    .describe('Time for which a worker is gone before an alert is sent (default: 5m).'),
  'digest-hour': countSchema(0, 23)
    .optional()
    .describe('Hour from which a digest is due, UTC; that of a week on Monday (default: 7).'),
  channels: z
    .record(
      z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/, { error: 'a name has at most 60 letters, digits and . _ -' }),
      channel,
      { error: 'a map of names and channels' },
    )
    .refine((channels) => Object.keys(channels).length > 0, { error: 'at least one channel' })
    .describe('Recipients, by a name of your choice. What was sent is kept by this name.'),
});

/**
 * The alerts that a file describes, with their secrets.
 *
 * @param sources.cwd start of a relative path, absolute
 * @param sources.variables the environment: secrets, and DEADHEAT_ALLOW_PLAINTEXT
 * @throws ConfigError with every problem of the file and its place; no message repeats a secret
 */
export function readAlertsFile(
  name: string,
  { cwd, variables }: { readonly cwd: string; readonly variables: Readonly<Record<string, string | undefined>> },
): AlertSettings {
  const path = resolve(cwd, name);
  const tree = readTree(name, path);
  const problems = new Problems();
  const parsed = alertsFileSchema.safeParse(tree.data);
  if (!parsed.success) explainIssues(parsed.error.issues, { data: tree.data, problems });
  const settings = parsed.success ? toSettings(parsed.data, { folder: dirname(path), variables, problems }) : null;
  if (settings !== null && problems.found.length === 0) return settings;
  throw badConfig(
    name,
    problems.found.map((problem) => tree.locate(problem)),
  );
}

interface Reading {
  readonly folder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly problems: Problems;
}

const nsPerMinute = 60e9;
/** The dashboard asks its history each time. */
const leastEveryNs = 1e9;

function toSettings(layer: z.output<typeof alertsFileSchema>, reading: Reading): AlertSettings {
  const { dashboard, every = nsPerMinute } = layer;
  const url = dashboard === undefined ? null : readUrl(dashboard, ['dashboard'], { ...reading, mayBePlain: true });
  if (every < leastEveryNs) reading.problems.add(['every'], 'every is less than 1s');
  return {
    dashboard: url === null ? null : url.href.replace(/\/?$/, '/'),
    everyNs: every,
    workerGraceNs: layer['worker-grace'] ?? 5 * nsPerMinute,
    digestHour: layer['digest-hour'] ?? 7,
    channels: Object.entries(layer.channels).flatMap(([name, one]) => {
      const target = readTarget(one, ['channels', name], reading);
      const {
        on = target?.kind === 'issues' ? (['slower'] as const) : alertTopics,
        projects = [],
        digest = null,
        'least-change': leastChange = 0,
      } = one;
      return target === null ? [] : [{ name, target, on, projects, leastChange, digest }];
    }),
  };
}

/** `null` = reported as a problem. */
function readTarget(layer: z.output<typeof channel>, path: Path, reading: Reading): AlertChannel['target'] | null {
  const { webhook, secret, command, to, from, issues } = layer;
  const { problems } = reading;
  const kinds = (['webhook', 'command', 'issues'] as const).filter((key) => layer[key] !== undefined);
  const [kind, other] = kinds;
  if (kind === undefined || other !== undefined) {
    const what = kind === undefined ? 'none of webhook, command and issues' : `both ${kind} and ${other ?? ''}`;
    problems.add(path, `channel ${path.at(-1) ?? ''} has ${what}`, { at: 'key', hint: 'A channel is one of them.' });
    return null;
  }
  const owners = { secret: 'webhook', to: 'command', from: 'command', token: 'issues', labels: 'issues' };
  for (const [key, owner] of Object.entries(owners)) {
    if (layer[key as keyof typeof owners] === undefined || owner === kind) continue;
    const hint = `It belongs to ${owner === 'issues' ? owner : `a ${owner}`}. Leave it out.`;
    problems.add([...path, key], `${key} has no effect here`, { at: 'key', hint });
    return null;
  }
  if (issues !== undefined) return readIssues(issues, layer, { path, reading });
  if (command !== undefined) return readCommand({ command, to, from }, path, reading);
  const url = webhook === undefined ? null : readWebhook(webhook, [...path, 'webhook'], reading);
  const key = secret === undefined ? null : readKey(secret, [...path, 'secret'], reading);
  return url === null ? null : { kind: 'webhook', url: url.href, key };
}

function readIssues(
  issues: string,
  { token, labels = [], digest, on = [] }: z.output<typeof channel>,
  { path, reading }: { readonly path: Path; readonly reading: Reading },
): IssuesTarget | null {
  const { problems, folder } = reading;
  function refused(key: string, message: string, hint?: string): null {
    problems.add(key === '' ? path : [...path, key], message, hint === undefined ? {} : { hint });
    return null;
  }
  if (digest !== undefined || on.some((topic) => topic === 'canary' || topic === 'worker')) {
    const hint = 'Take digest, canary and worker to another channel.';
    return refused('', 'only changes that are slower or faster have issues', hint);
  }
  if (!/^\w+:\/\//.test(issues)) {
    if (token !== undefined) return refused('token', 'token has no effect here', 'A folder needs none. Leave it out.');
    return { kind: 'issues', tracker: 'folder', place: resolve(folder, issues), token: '', labels };
  }
  const url = readUrl(issues, [...path, 'issues'], reading);
  if (url === null) return null;
  const place = url.href.replace(/\/+$/, '');
  const [, kind] = /\/(repos\/[^/?#]+|projects)\/[^/?#]+$/.exec(place) ?? [];
  if (kind === undefined || url.username !== '' || url.password !== '') {
    const forms = 'https://api.github.com/repos/OWNER/NAME or https://HOST/api/v4/projects/NUMBER';
    const message = 'issues is no address of a repository of GitHub or a project of GitLab';
    return refused('issues', message, `Write ${forms}, without a password.`);
  }
  if (token === undefined)
    return refused('', 'issues needs a token', 'Write token: {environment: NAME} or {file: PATH}.');
  const secret = readSecret(token, [...path, 'token'], reading);
  if (secret === null) return null;
  if (/[^\x21-\x7e]/.test(secret)) return refused('token', 'the token holds characters that no token has');
  return { kind: 'issues', tracker: kind === 'projects' ? 'gitlab' : 'github', place, token: secret, labels };
}

function readWebhook(webhook: string | SecretSource, path: Path, reading: Reading): URL | null {
  if (typeof webhook !== 'string') {
    const text = readSecret(webhook, path, reading);
    return text === null ? null : readUrl(text, path, { ...reading, isHidden: true });
  }
  const url = readUrl(webhook, path, reading);
  if (url === null || (url.username === '' && url.password === '')) return url;
  reading.problems.add(path, 'the address holds a password', {
    hint: 'Everybody who reads this file would know it: put the address into a variable, and write {environment: NAME}.',
  });
  return null;
}

/** An address of HTTP. Without TLS it has to be of this machine, unless that is allowed. `null` = reported as a problem. */
function readUrl(
  text: string,
  path: Path,
  {
    problems,
    variables,
    mayBePlain = false,
    isHidden = false,
  }: Reading & { readonly mayBePlain?: boolean; readonly isHidden?: boolean },
): URL | null {
  const name = path.at(-1) ?? '';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    problems.add(path, `${name} must be an address that begins with https://${isHidden ? '' : `, not '${text}'`}`);
    return null;
  }
  const staysHere = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(url.hostname);
  if (mayBePlain || url.protocol === 'https:' || staysHere || variables['DEADHEAT_ALLOW_PLAINTEXT'] === '1') return url;
  problems.add(path, `${name} is not encrypted: others on the way could read and change what is sent`, {
    hint: 'Use https://, or, where the network is trusted, set the variable DEADHEAT_ALLOW_PLAINTEXT=1.',
  });
  return null;
}

function readCommand(
  { command, to, from }: { readonly command: string } & Pick<z.output<typeof channel>, 'to' | 'from'>,
  path: Path,
  { problems }: Reading,
): CommandTarget | null {
  if (to === undefined && from !== undefined) {
    problems.add([...path, 'from'], 'from has no effect without to', {
      at: 'key',
      hint: 'Only a mail has a sender: add to.',
    });
    return null;
  }
  try {
    const { words, plain } = splitWords(command);
    if (plain) return { kind: 'command', words, mail: to === undefined ? null : { to, from: from ?? null } };
    problems.add([...path, 'command'], 'command needs a shell, and none reads it', {
      hint: 'Write a script, and name it here.',
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    problems.add([...path, 'command'], error.message);
  }
  return null;
}

/** Bytes that a key needs at least. */
const leastKey = 16;

/**
 * The key of a signature. Behind `whsec_` stands Base64, else the text itself is the key. `null` = reported as a problem.
 *
 * Source: Standard Webhooks specification 1.0, "Signature scheme".
 */
function readKey(source: SecretSource, path: Path, reading: Reading): Uint8Array | null {
  const text = readSecret(source, path, reading);
  if (text === null) return null;
  const [, base64] = /^whsec_(.*)$/s.exec(text) ?? [];
  const isBase64 = base64 === undefined || /^[A-Za-z0-9+/]+={0,2}$/.test(base64);
  const key = base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64');
  if (isBase64 && key.length >= leastKey) return key;
  const why = isBase64 ? `has fewer than ${leastKey} bytes` : 'is not Base64 behind whsec_';
  reading.problems.add(path, `the secret ${why}`, { hint: 'openssl rand -hex 24 makes one.' });
  return null;
}

/** The value of a variable, or the content of a file without blanks around it. `null` = reported as a problem. */
function readSecret(source: SecretSource, path: Path, { folder, variables, problems }: Reading): string | null {
  if ('environment' in source) {
    const { environment } = source;
    const value = variables[environment] ?? '';
    if (value !== '') return value;
    problems.add([...path, 'environment'], `the variable ${environment} is not set`);
    return null;
  }
  const place = resolve(folder, source.file);
  try {
    if ((statSync(place).mode & 0o077) === 0) {
      const value = readFileSync(place, 'utf8').trim();
      if (value !== '') return value;
      problems.add([...path, 'file'], `${place} is empty`);
    } else {
      problems.add([...path, 'file'], `others than its owner may read or write ${place}`, {
        hint: `chmod 600 ${place}`,
      });
    }
  } catch (error) {
    problems.add([...path, 'file'], `${place} cannot be read: ${(error as Error).message}`);
  }
  return null;
}
