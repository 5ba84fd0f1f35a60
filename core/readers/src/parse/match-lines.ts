import { Worker } from 'node:worker_threads';
import { ParserError } from './output-parser.ts';

/** Limits of the work of a user's pattern on one text. */
export interface PatternLimits {
  readonly timeMs: number;
  /** Beside `timeMs`, for every part of the text, of about 1 MB. */
  readonly partMs: number;
  /** With which the time does not grow any more. */
  readonly mostMs: number;
  /** Size of the heap of its thread. */
  readonly memoryMiB: number;
}

const patternLimits: PatternLimits = { timeMs: 30_000, partMs: 1000, mostMs: 300_000, memoryMiB: 512 };

/** A line that a pattern with named groups matches. */
export interface MatchedLine {
  /** In the text, from 1. */
  readonly line: number;
  readonly groups: Readonly<Record<string, string | undefined>>;
}

/**
 * Finds the lines of a text that a user's regular expression matches. It is tried in a thread of its own, which is ended when it takes
 * too long: there are patterns, such as `^(a|a)*b`, for which a short line takes longer than anybody waits.
 *
 * @param parts the text in parts that each consist of whole lines; the last line of the last part may lack its line feed
 * @throws ParserError `PARSER_TIMEOUT`, `PARSER_MEMORY`, or `PARSER_FAILED` for what is no regular expression
 */
export async function* matchLines(
  pattern: string,
  parts: Iterable<string>,
  { timeMs, partMs, mostMs, memoryMiB }: PatternLimits = patternLimits,
): AsyncGenerator<MatchedLine> {
  let thread: PatternThread | null = null;
  let leftMs = timeMs;
  let totalMs = timeMs;
  let before = 0;
  try {
    for (const text of parts) {
      thread ??= takeThread(memoryMiB);
      const more = Math.min(partMs, mostMs - totalMs);
      leftMs += more;
      totalMs += more;
      const began = performance.now();
      const reply = await thread.ask({ pattern, text }, { leftMs, totalMs });
      leftMs -= performance.now() - began;
      for (const { index, groups } of reply.found) yield { line: before + index + 1, groups };
      before += reply.lines;
    }
    if (thread !== null) keepThread(thread);
    thread = null;
  } finally {
    await thread?.end();
  }
}

/** A thread that nobody uses: a start costs more than most texts. */
let idle: PatternThread | null = null;

function takeThread(memoryMiB: number): PatternThread {
  const kept = idle?.memoryMiB === memoryMiB ? idle : null;
  if (kept === null) return new PatternThread(memoryMiB);
  idle = null;
  return kept;
}

function keepThread(thread: PatternThread): void {
  if (idle === null) idle = thread;
  else void thread.end();
}

class PatternThread {
  readonly memoryMiB: number;
  readonly #worker: Worker;

  constructor(memoryMiB: number) {
    this.memoryMiB = memoryMiB;
    this.#worker = new Worker(new URL('./pattern-worker.js', import.meta.url), {
      env: {},
      argv: [],
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
    });
    // While nobody waits for it, it neither keeps the process alive nor ends it by an error.
    this.#worker.unref();
    this.#worker.on('error', () => {});
    this.#worker.once('exit', () => {
      if (idle === this) idle = null;
    });
  }

  async ask(
    request: PatternRequest,
    { leftMs, totalMs }: { readonly leftMs: number; readonly totalMs: number },
  ): Promise<MatchedPart> {
    const worker = this.#worker;
    let timer: NodeJS.Timeout | undefined;
    const listeners: (() => void)[] = [];
    worker.ref();
    try {
      const reply = await new Promise<PatternReply>((resolve, reject) => {
        function fail(code: 'PARSER_TIMEOUT' | 'PARSER_MEMORY' | 'PARSER_FAILED', why: string): void {
          reject(new ParserError(code, `the pattern ${request.pattern} ${why}`));
        }
        function onError(error: NodeJS.ErrnoException): void {
          if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') fail('PARSER_MEMORY', 'took too much memory');
          else fail('PARSER_FAILED', `cannot be tried: ${error.message}`);
        }
        function onExit(): void {
          fail('PARSER_FAILED', 'ended its thread without an answer');
        }
        worker.once('message', resolve).once('error', onError).once('exit', onExit);
        listeners.push(() => worker.off('message', resolve).off('error', onError).off('exit', onExit));
        const why = `took longer than ${totalMs / 1000} s; one that cannot match a line in several ways takes less`;
        timer = setTimeout(() => fail('PARSER_TIMEOUT', why), Math.max(0, leftMs));
        worker.postMessage(request, []);
      });
      if (reply.kind === 'failed') {
        throw new ParserError('PARSER_FAILED', `the pattern ${request.pattern} cannot be used: ${reply.message}`);
      }
      return reply;
    } finally {
      clearTimeout(timer);
      for (const remove of listeners) remove();
      worker.unref();
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** A part of a text that the thread is to try a pattern on. */
export interface PatternRequest {
  readonly pattern: string;
  readonly text: string;
}

interface MatchedPart {
  /** Number of lines in the part. */
  readonly lines: number;
  readonly found: readonly { readonly index: number; readonly groups: MatchedLine['groups'] }[];
}

/** The answer to each request. */
export type PatternReply =
  ({ readonly kind: 'matched' } & MatchedPart) | { readonly kind: 'failed'; readonly message: string };
