import { statSync } from 'node:fs';
import { sideState, word, type Page } from '@deadheat/sync';

/** Start-up and preparation of a program get at least this long, whatever the limit of an iteration. */
const leastStartUpMs = 10_000;
const looksInLimit = 8;
const shortestLookMs = 10;
const longestLookMs = 1000;

/** Where a program that times itself shows that it gets on. */
export interface Progress {
  /** Its page; `null` = it has none, and only its file tells. */
  readonly page: Page | null;
  readonly party: 0 | 1;
  readonly file: string;
}

/**
 * Calls `onStuck` when a program has been in one iteration for longer than the limit. What the program shows is looked
 * at a few times in a limit: the time at which it is ended lies up to an eighth of it late.
 */
export function watchProgress(
  progress: Progress,
  { limitNs, onStuck }: { readonly limitNs: number; readonly onStuck: () => void },
): { stop(): void } {
  const limitMs = limitNs / 1e6;
  const first = markOf(progress);
  let mark = first;
  let since = performance.now();
  const everyMs = Math.min(longestLookMs, Math.max(shortestLookMs, limitMs / looksInLimit));
  const timer = setInterval(() => {
    const now = performance.now();
    const current = markOf(progress);
    if (current !== mark || waitsForPeer(progress)) {
      mark = current;
      since = now;
      return;
    }
    if (now - since > (mark === first ? Math.max(limitMs, leastStartUpMs) : limitMs)) {
      clearInterval(timer);
      onStuck();
    }
  }, everyMs);
  return { stop: () => clearInterval(timer) };
}

/** Something that changes with every iteration. */
function markOf({ page, party, file }: Progress): string {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (page === null) return String(size);
  const { words } = page;
  return `${Atomics.load(words, word.cursor(party))} ${Atomics.load(words, word.workDone(party))} ${size}`;
}

function waitsForPeer({ page, party }: Progress): boolean {
  if (page === null) return false;
  const { words } = page;
  if (Atomics.load(words, word.state(party)) !== sideState.running) return false;
  return ((Atomics.load(words, word.cursor(party)) - Atomics.load(words, word.cursor(1 - party))) | 0) > 0;
}
