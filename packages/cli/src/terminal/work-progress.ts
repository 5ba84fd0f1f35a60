import { formatStretch } from '@deadheat/report';
import { createColors } from './colors.ts';
import type { ProgressStream } from './progress-reporter.ts';
import type { TerminalStyle } from './style.ts';

const redrawMs = 100;
/** Between two lines where a line cannot be redrawn. */
const lineMs = 10_000;
const eraseLine = '\r\u001b[2K';

/** Tells how far computing is. */
export interface WorkProgress {
  /** So many more pieces are done. */
  readonly advance: (pieces: number) => void;
  /** Erases the line that is being redrawn, or says how long it took. */
  readonly close: () => void;
}

/**
 * Tells on `stream` how far work on `total` pieces is and how long it will take. An interactive style redraws one line, any other
 * writes a line at the start, every ten seconds and at the end.
 *
 * @param what names the pieces, such as `experiments`
 */
export function createWorkProgress(
  { what, total }: { readonly what: string; readonly total: number },
  {
    stream,
    style,
    now,
  }: { readonly stream: ProgressStream; readonly style: TerminalStyle; readonly now: () => number },
): WorkProgress {
  const started = now();
  let done = 0;
  let toldMs = started;
  const tell = (): void => {
    if (style.quiet || now() - toldMs < (style.interactive ? redrawMs : lineMs)) return;
    toldMs = now();
    const left = ((now() - started) * (total - done)) / done;
    const line = `${done} of ${total} ${what}, about ${formatStretch(left * 1e6)} left`;
    if (style.interactive) {
      stream.write(`${eraseLine}${createColors(style).dim(line.slice(0, (style.width ?? 80) - 1))}`);
    } else stream.write(`deadheat: ${line}\n`);
  };
  if (!style.quiet) stream.write(style.interactive ? `${total} ${what}` : `deadheat: ${total} ${what}\n`);
  return {
    advance: (pieces) => {
      done += pieces;
      if (done > 0 && done < total) tell();
    },
    close: () => {
      if (style.quiet) return;
      if (style.interactive) stream.write(eraseLine);
      else stream.write(`deadheat: ${done} of ${total} ${what} in ${formatStretch((now() - started) * 1e6)}\n`);
    },
  };
}
