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
interface DeliveryOptions {
  readonly limits: DeliveryLimits;
  readonly toolVersion: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Ends the waiting and the attempt under way. */
  readonly signal: AbortSignal;
  /** Called before each attempt; what it throws ends the delivery. */
  readonly beforeAttempt: () => Promise<void>;
}

/** An attempt that failed. */
class Failure extends Error {
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

/**
 * Sends a message, with growing pauses between attempts, until it is sent, the receiver refuses it for good, or the deadline is over.
 *
 * @throws AlertError
 */
export async function deliver(
  target: WebhookTarget | CommandTarget,
  message: AlertMessage,
  options: DeliveryOptions,
): Promise<void> {
  const { limits, signal, beforeAttempt } = options;
  const end = performance.now() + limits.deadlineMs;
  for (let pauseMs = limits.firstPauseMs, attempts = 1; ; pauseMs *= 2, attempts += 1) {
    await beforeAttempt();
    try {
      await within(limits.attemptMs, signal, (deadline) => {
        const own = { ...options, signal: deadline };
        return target.kind === 'webhook' ? post(target, message, own) : pipe(target, message, own);
      });
      return;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const waitMs = Math.max(pauseMs, error.waitMs ?? 0);
      if (!error.isPassing || signal.aborted || performance.now() + waitMs > end) {
        const times = attempts === 1 ? '' : `, in ${attempts} attempts`;
        throw new AlertError('ALERT_NOT_SENT', `${message.channel}: not sent${times}: ${error.message}.`, {
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
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'user-agent': `deadheat/${toolVersion}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(key === null ? {} : { 'webhook-signature': signatureOf(key, { id, timestamp, body }) }),
  };
  const address = new URL(url);
  const { status, retryAfter } = await new Promise<{ status: number; retryAfter: string | undefined }>(
    (resolve, reject) => {
      const ask = address.protocol === 'https:' ? requestHttps : requestHttp;
      const asked = ask(
        address,
        // NODE_TLS_REJECT_UNAUTHORIZED=0 does not count here.
        { method: 'POST', headers, signal: deadline, agent: false, rejectUnauthorized: true },
        (answer: IncomingMessage) => {
          resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] });
          // Nothing that it says is needed.
          answer.destroy();
        },
      );
      asked.on('error', (error: NodeJS.ErrnoException) =>
        reject(new Failure(whyUnreachable(error, deadline), { isPassing: true })),
      );
      asked.end(body);
    },
  );
  if (status >= 200 && status < 300) return;
  if (status >= 300 && status < 400) {
    throw new Failure(`the webhook answers ${status}, a redirect, which is not followed`, { isPassing: false });
  }
  const seconds = /^\d{1,5}$/.test(retryAfter ?? '') ? Number(retryAfter) : null;
  throw new Failure(`the webhook answers ${status}`, {
    isPassing: isPassing(status),
    waitMs: seconds === null ? null : seconds * 1000,
  });
}

/** Why a webhook could not be asked; without its address, which may hold a secret. */
function whyUnreachable(error: NodeJS.ErrnoException, deadline: AbortSignal): string {
  if (deadline.aborted) return 'the webhook does not answer in time';
  return `the webhook cannot be reached (${printable(error.code ?? error.name)})`;
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
