import { createHmac } from 'node:crypto';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram, within } from '@deadheat/engine';
import { DeadheatError } from '@deadheat/model';
import { printable, shorten } from '@deadheat/report';
import type { AlertMessage } from './alert.ts';
import type { CommandTarget, WebhookTarget } from './alerts-file.ts';

/** A message could not be sent; it will be tried again with the next look. */
export class AlertError extends DeadheatError<'ALERT_NOT_SENT'> {
  override readonly name = 'AlertError';
}

/** Limits of sending a message, ms. */
export interface DeliveryLimits {
  /** For an attempt: until the answer of a webhook begins, or a command has ended. */
  readonly attemptMs: number;
  /** For all attempts of one message. */
  readonly deadlineMs: number;
  /** Before the second attempt; doubled before each further one. */
  readonly firstPauseMs: number;
}

/** The means of sending a message. */
export interface DeliveryOptions {
  readonly limits: DeliveryLimits;
  readonly toolVersion: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Ends the waiting and the attempt under way. */
  readonly signal: AbortSignal;
  /** Called before each attempt; what it throws ends the delivery. */
  readonly beforeAttempt: () => Promise<void>;
}

/** An attempt that failed. */
export class Failure extends Error {
  /** True when the same attempt may succeed later. */
  readonly isPassing: boolean;
  /** Time that the receiver asks to wait, ms; `null` = it says nothing. */
  readonly waitMs: number | null;

  constructor(message: string, { isPassing, waitMs = null }: { isPassing: boolean; waitMs?: number | null }) {
    super(message);
    this.isPassing = isPassing;
    this.waitMs = waitMs;
  }
}

/** Sends a message to a webhook or a program. @throws AlertError */
export async function deliver(
  target: WebhookTarget | CommandTarget,
  message: AlertMessage,
  options: DeliveryOptions,
): Promise<void> {
  await persist(message.channel, options, (deadline) => {
    const own = { ...options, signal: deadline };
    return target.kind === 'webhook' ? post(target, message, own) : pipe(target, message, own);
  });
}

/**
 * Repeats an attempt, with growing pauses, until it succeeds, fails for good, or the deadline is over.
 *
 * @param attempt gets its own deadline and the number of attempts, its own included; fails with a `Failure`, any other error ends at once
 * @throws AlertError
 */
export async function persist<T>(
  channel: string,
  { limits, signal, beforeAttempt }: DeliveryOptions,
  attempt: (deadline: AbortSignal, attempts: number) => Promise<T>,
): Promise<T> {
  const end = performance.now() + limits.deadlineMs;
  for (let pauseMs = limits.firstPauseMs, attempts = 1; ; pauseMs *= 2, attempts += 1) {
    await beforeAttempt();
    try {
      return await within(limits.attemptMs, signal, (deadline) => attempt(deadline, attempts));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const waitMs = Math.max(pauseMs, error.waitMs ?? 0);
      if (!error.isPassing || signal.aborted || performance.now() + waitMs > end) {
        const times = attempts === 1 ? '' : `, in ${attempts} attempts`;
        throw new AlertError('ALERT_NOT_SENT', `${channel}: not sent${times}: ${error.message}.`, {
          hint: 'What was not sent is kept, and tried again with the next look.',
          cause: error,
        });
      }
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/**
 * The signature of a body: `v1,` and the Base64 of HMAC-SHA-256 over `ID.TIMESTAMP.BODY`.
 *
 * Source: Standard Webhooks specification 1.0, "Signature scheme".
 *
 * @param timestamp s since the epoch
 */
function signatureOf(
  key: Uint8Array,
  { id, timestamp, body }: { readonly id: string; readonly timestamp: number; readonly body: string },
): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** Statuses that may be others in a moment: too early, too many requests, and faults of the server. */
function isPassing(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

async function post(
  { url, key }: WebhookTarget,
  message: AlertMessage,
  { toolVersion, signal: deadline }: DeliveryOptions,
): Promise<void> {
  const body = JSON.stringify(message);
  const timestamp = Math.floor(Date.now() / 1000);
  const { id } = message;
  await askServer(new URL(url), {
    method: 'POST',
    body,
    headers: {
      'user-agent': `deadheat/${toolVersion}`,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      ...(key === null ? {} : { 'webhook-signature': signatureOf(key, { id, timestamp, body }) }),
    },
    signal: deadline,
    who: 'the webhook',
    // Nothing that it says is needed.
    mostBytes: 0,
  });
}

/** A request of HTTP, and who is asked, for messages. */
interface ServerRequest {
  readonly method: string;
  /** JSON; `null` = none. */
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly who: string;
  /** Bytes of the answer that are read; the rest is dropped. */
  readonly mostBytes: number;
}

/**
 * Asks a server, whose certificate has to be trusted. Redirects are not followed.
 *
 * @returns the answer, where its status is 200 to 299
 * @throws Failure
 */
export async function askServer(
  address: URL,
  { method, body, headers, signal, who, mostBytes }: ServerRequest,
): Promise<string> {
  const { status, retryAfter, text } = await new Promise<{
    status: number;
    retryAfter: string | undefined;
    text: string;
  }>((resolve, reject) => {
    const content =
      body === null
        ? {}
        : { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };
    function fail(error: NodeJS.ErrnoException): void {
      const why = signal.aborted
        ? `${who} does not answer in time`
        : // Without the address, which may hold a secret.
          `${who} cannot be reached (${printable(error.code ?? error.name)})`;
      reject(new Failure(why, { isPassing: true }));
    }
    const ask = address.protocol === 'https:' ? requestHttps : requestHttp;
    const asked = ask(
      address,
      // NODE_TLS_REJECT_UNAUTHORIZED=0 does not count here.
      { method, headers: { ...headers, ...content }, signal, agent: false, rejectUnauthorized: true },
      (answer: IncomingMessage) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        function end(): void {
          const retry = answer.headers['retry-after'];
          resolve({ status: answer.statusCode ?? 0, retryAfter: retry, text: Buffer.concat(parts).toString() });
          answer.destroy();
        }
        if (mostBytes === 0) {
          end();
          return;
        }
        answer.on('data', (part: Buffer) => {
          parts.push(part);
          bytes += part.length;
          if (bytes >= mostBytes) end();
        });
        answer.on('end', end).on('error', fail);
      },
    );
    asked.on('error', fail);
    asked.end(body ?? undefined);
  });
  if (status >= 200 && status < 300) return text;
  if (status >= 300 && status < 400) {
    throw new Failure(`${who} answers ${status}, a redirect, which is not followed`, { isPassing: false });
  }
  const seconds = /^\d{1,5}$/.test(retryAfter ?? '') ? Number(retryAfter) : null;
  const said = /"message":\s*"([^"\\]{1,200})"/.exec(text)?.[1];
  throw new Failure(`${who} answers ${status}${said === undefined ? '' : ` (${printable(said)})`}`, {
    // 403 with a time to wait is a limit of requests.
    isPassing: isPassing(status) || (status === 403 && seconds !== null),
    waitMs: seconds === null ? null : seconds * 1000,
  });
}

/** Most characters of what a command writes to standard error that a message repeats. */
const mostStderr = 300;

async function pipe(
  { words, mail }: CommandTarget,
  message: AlertMessage,
  { variables, signal: deadline }: DeliveryOptions,
): Promise<void> {
  const [program = '', ...args] = words;
  const { status, stderr } = await runProgram([program, ...args], {
    environment: { ...variables },
    signal: deadline,
    input: mail === null ? message.text : mailOf(message, mail),
  });
  if (status === 0) return;
  if (status === 'not-found') {
    throw new Failure(`${printable(program)} cannot be started: there is no such program`, { isPassing: false });
  }
  const how =
    status !== null ? `ends with status ${status}` : deadline.aborted ? 'does not end in time' : 'is ended by a signal';
  const said = stderr.trim() === '' ? '' : `: ${shorten(printable(stderr.slice(-mostStderr)), mostStderr)}`;
  throw new Failure(`${printable(program)} ${how}${said}`, { isPassing: true });
}

/**
 * A message as mail, with line feeds as programs like sendmail take them. Every header is one line, whatever stands in it.
 *
 * Source: RFC 5322; RFC 2047 for words that are not ASCII; RFC 3834, section 5, for Auto-Submitted.
 */
export function mailOf(
  { id, at, subject, text }: AlertMessage,
  { to, from }: NonNullable<CommandTarget['mail']>,
): string {
  const headers: readonly (readonly [string, string])[] = [
    ...(from === null ? [] : [['From', from] as const]),
    ['To', to.join(', ')],
    ['Subject', encoded(subject)],
    ['Date', new Date(at).toUTCString().replace('GMT', '+0000')],
    ['Message-ID', `<${id}.${Date.parse(at)}@${hostname().replaceAll(/[^\w.-]/g, '-') || 'localhost'}>`],
    ['Auto-Submitted', 'auto-generated'],
    ['MIME-Version', '1.0'],
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Content-Transfer-Encoding', '8bit'],
  ];
  const head = headers.map(([name, value]) => `${name}: ${value.replaceAll(/\p{Cc}/gu, ' ')}`).join('\n');
  return `${head}\n\n${text}`;
}

/** Bytes of a word of RFC 2047 before it is encoded: with Base64 and its frame at most 75 characters. */
const mostInWord = 45;

/** A header's text: as it is where it is ASCII, else in encoded words. */
function encoded(text: string): string {
  if (/^[\x20-\x7e]{0,150}$/.test(text) && !text.includes('=?')) return text;
  const words: string[] = [''];
  for (const character of text) {
    const longer = `${words.at(-1) ?? ''}${character}`;
    if (Buffer.byteLength(longer) > mostInWord) words.push(character);
    else words[words.length - 1] = longer;
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}
