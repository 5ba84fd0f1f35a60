import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ConfigFolder } from '../../../core/cli/test/config/support-config.ts';
import { type AlertSettings, readAlertsFile } from '../src/alerts/alerts-file.ts';

const root = join(import.meta.dirname, '../../..');
const secret = 'a secret of the tests 0123456789';

let folder: ConfigFolder;
beforeAll(() => {
  folder = new ConfigFolder();
});
afterAll(() => folder.end());

function read(text: string, variables: Readonly<Record<string, string>> = {}): AlertSettings {
  folder.write('alerts.yaml', text);
  return readAlertsFile('alerts.yaml', { cwd: folder.path, variables });
}

function refusal(text: string, variables: Readonly<Record<string, string>> = {}): string {
  return folder.refusal(() => read(text, variables));
}

function example(at = 0): string {
  return [...readFileSync(join(root, 'docs/alerts.md'), 'utf8').matchAll(/^```yaml\n(.*?)^```/gms)][at]?.[1] ?? '';
}

describe('a file of alerts', () => {
  it('names recipients and their events, as the example of the documentation does', () => {
    expect(read(example(), { DEADHEAT_ALERT_SECRET: secret })).toEqual({
      dashboard: 'https://bench.example.org/',
      everyNs: 60e9,
      workerGraceNs: 300e9,
      digestHour: 7,
      channels: [
        {
          name: 'chat',
          target: { kind: 'webhook', url: 'https://chat.example.org/hooks/deadheat', key: Buffer.from(secret) },
          on: ['slower', 'canary', 'worker'],
          projects: ['parser', 'docs-*'],
          leastChange: 0.02,
          digest: null,
        },
        {
          name: 'team',
          target: {
            kind: 'command',
            words: ['sendmail', '-t', '-i'],
            mail: { to: ['performance@example.org'], from: 'deadheat@example.org' },
          },
          on: [],
          projects: [],
          leastChange: 0,
          digest: 'week',
        },
      ],
    });
  });

  it('names trackers of issues, as the second example does', () => {
    folder.write('gitlab-token', 'glpat-0123\n');
    chmodSync(join(folder.path, 'gitlab-token'), 0o600);
    const { channels } = read(example(1), { GITHUB_TOKEN: 'ghp_0123' });
    expect(channels.map(({ target, on }) => ({ ...target, on }))).toEqual([
      {
        kind: 'issues',
        tracker: 'github',
        place: 'https://api.github.com/repos/owner/parser',
        token: 'ghp_0123',
        labels: ['performance'],
        on: ['slower'],
      },
      {
        kind: 'issues',
        tracker: 'gitlab',
        place: 'https://gitlab.example.org/api/v4/projects/17',
        token: 'glpat-0123',
        labels: [],
        on: ['slower', 'faster'],
      },
      { kind: 'issues', tracker: 'folder', place: join(folder.path, 'issues'), token: '', labels: [], on: ['slower'] },
    ]);
  });

  it('is what the published JSON Schema accepts', () => {
    const path = join(root, 'track/dashboard/alerts.schema.json');
    const schema = z.fromJSONSchema(JSON.parse(readFileSync(path, 'utf8')) as Parameters<typeof z.fromJSONSchema>[0]);
    expect(schema.safeParse(parse(example())).error).toBeUndefined();
    expect(schema.safeParse({ channels: { a: { webhok: 'x' } } }).success).toBe(false);
  });

  it.each([
    ['channels: {}\n', /^2 deadheat: alerts.yaml:1:11: channels needs at least one channel/],
    [
      'dashbord: x\nchannels: { a: { command: mail } }\n',
      /^2 deadheat: .*alerts.yaml:1:1: unknown key dashbord.*Did you mean dashboard\?/s,
    ],
    [
      'channels:\n  a: { command: mail, webhook: https://x.org }\n',
      /alerts.yaml:2:3: channel a has both webhook and command/,
    ],
    ['channels:\n  a: { on: [slower] }\n', /alerts.yaml:2:3: channel a has none of webhook, command and issues/],
    ['channels:\n  a: { command: mail, on: [slow] }\n', /alerts.yaml:2:28: item 1 of on must be .*, not 'slow'/],
    [
      'channels:\n  a: { command: mail, secret: { file: x } }\n',
      /:2:23: secret has no effect here.*belongs to a webhook/s,
    ],
    ['channels:\n  a: { webhook: https://x.org, to: [a@x.org] }\n', /to has no effect here.*belongs to a command/s],
    ['channels:\n  a: { command: mail, from: a@x.org }\n', /from has no effect without to/],
    ['channels:\n  a: { command: mail | tee x }\n', /:2:17: command needs a shell, and none reads it.*Write a script/s],
    ['channels:\n  a: { command: "mail \'x" }\n', /a single quote is not closed/],
    [
      'channels:\n  a: { command: mail, to: ["a@x.org\\nBcc: b@x.org"] }\n',
      /item 1 of to needs? .*a text on one line|must be a text on one line/,
    ],
    ['channels:\n  a: { command: mail, token: { file: x } }\n', /token has no effect here.*belongs to issues/s],
    ['channels:\n  a: { issues: x, secret: { file: x } }\n', /secret has no effect here.*belongs to a webhook/s],
    ['channels:\n  a: { issues: x, on: [worker] }\n', /:2:6: only changes that are slower or faster have issues/],
    ['channels:\n  a: { issues: x, digest: day }\n', /only changes that are slower or faster have issues/],
    ['channels:\n  a: { issues: x, token: { file: x } }\n', /token has no effect here.*A folder needs none/s],
    ['channels:\n  a: { issues: https://github.com/o/r }\n', /:2:16: issues is no address .*api.github.com\/repos/s],
    ['channels:\n  a: { issues: http://x.org/repos/o/r }\n', /:2:16: issues is not encrypted/],
    ['channels:\n  a: { issues: https://x:y@x.org/repos/o/r }\n', /issues is no address .*without a password/s],
    ['channels:\n  a: { issues: https://x.org/repos/o/r }\n', /:2:6: issues needs a token/],
    ['channels:\n  "a b": { command: mail }\n', /a name has at most 60 letters/],
    ['channels:\n  a: { webhook: ftp://x.org }\n', /webhook must be an address that begins with https:\/\//],
    ['channels:\n  a: { webhook: https://me:pass@x.org }\n', /:2:17: the address holds a password.*environment: NAME/s],
    ['every: 10ms\nchannels: { a: { command: mail } }\n', /:1:8: every is less than 1s/],
    ['digest-hour: 24\nchannels: { a: { command: mail } }\n', /:1:14: digest-hour must be a whole number/],
  ])('says where and why %j cannot be', (text, expected) => {
    expect(refusal(text)).toMatch(expected);
  });

  it('of a webhook without TLS is refused unless that is allowed', () => {
    const text = 'channels:\n  a: { webhook: http://hooks.example.org/ }\n';
    expect(refusal(text)).toMatch(
      /^2 deadheat: alerts.yaml:2:17: webhook is not encrypted.*DEADHEAT_ALLOW_PLAINTEXT=1/s,
    );
    expect(refusal('channels:\n  a: { webhook: { environment: U } }\n', { U: 'http://hooks.example.org/' })).toMatch(
      /webhook is not encrypted/,
    );
    expect(read(text, { DEADHEAT_ALLOW_PLAINTEXT: '1' }).channels).toHaveLength(1);
    for (const here of ['http://localhost:9/', 'http://127.0.0.1:9/x', "'http://[::1]:9/'"]) {
      expect(read(`channels:\n  a: { webhook: ${here} }\n`).channels).toHaveLength(1);
    }
    for (const elsewhere of ['http://localhost.example.org/', 'http://127.0.0.1.example.org/', 'http://x@10.0.0.1/']) {
      expect(refusal(`channels:\n  a: { webhook: ${elsewhere} }\n`)).toMatch(/is not encrypted/);
    }
  });
});

describe('a secret of a file of alerts', () => {
  function keyOf(source: string, variables: Readonly<Record<string, string>> = {}): Uint8Array | null {
    const [channel] = read(`channels:\n  a: { webhook: https://x.org, secret: ${source} }\n`, variables).channels;
    return channel?.target.kind === 'webhook' ? channel.target.key : null;
  }

  it('comes from a variable or a file that only its owner may read, and no message repeats it', () => {
    expect(keyOf('{ environment: S }', { S: secret })).toEqual(Buffer.from(secret));
    expect(keyOf('{ environment: S }', { S: 'whsec_MDEyMzQ1Njc4OWFiY2RlZg==' })).toEqual(
      Buffer.from('0123456789abcdef'),
    );
    folder.write('key', `${secret}\n`, 0o600);
    expect(keyOf('{ file: key }')).toEqual(Buffer.from(secret));
    folder.write('open', secret, 0o644);
    folder.write('empty', ' \n', 0o600);
    const webhook = 'channels:\n  a: { webhook: https://x.org, secret:';
    const refused = [
      [refusal(`${webhook} ${secret} }\n`), /:2:\d+: secret must be a map with environment: NAME or file: PATH/],
      [refusal(`${webhook} { environment: S } }\n`), /:2:\d+: the variable S is not set/],
      [refusal(`${webhook} { file: nowhere } }\n`), /DIR\/nowhere cannot be read/],
      [refusal(`${webhook} { file: open } }\n`), /others than its owner may read or write DIR\/open.*chmod 600/s],
      [refusal(`${webhook} { file: empty } }\n`), /DIR\/empty is empty/],
      [refusal(`${webhook} { environment: S } }\n`, { S: 'short-secret' }), /the secret has fewer than 16 bytes/],
      [refusal(`${webhook} { environment: S } }\n`, { S: 'whsec_short-secret' }), /is not Base64 behind whsec_/],
      [
        refusal('channels:\n  a: { webhook: { environment: S } }\n', { S: 'no address short-secret' }),
        /webhook must be an address that begins with https:\/\/\n/,
      ],
    ] as const;
    for (const [text, expected] of refused) {
      expect(text).toMatch(expected);
      expect(text).not.toContain('short-secret');
    }
  });
});
