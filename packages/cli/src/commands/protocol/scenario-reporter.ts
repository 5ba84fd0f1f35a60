import type { Side } from '@deadheat/model';
import type { ProgressStream } from '../../terminal/progress-reporter.ts';
import { createColors } from '../../terminal/colors.ts';
import type { TerminalStyle } from '../../terminal/style.ts';

/** Tells which scenario a program is in. */
export interface ScenarioReporter {
  readonly show: (scenario: { readonly side: Side; readonly name: string }) => void;
  /** Erases the line; to be called before anything else is written. */
  readonly close: () => void;
}

const eraseLine = '\r\u001b[2K';

/** Redraws one line on a terminal; writes nothing elsewhere. */
export function createScenarioReporter({
  stream,
  style,
}: {
  readonly stream: ProgressStream;
  readonly style: TerminalStyle;
}): ScenarioReporter {
  if (!style.interactive) return { show: () => {}, close: () => {} };
  const colors = createColors(style);
  return {
    show: ({ side, name }) => {
      const line = `side ${side}: ${name}`.slice(0, (style.width ?? 80) - 1);
      stream.write(`${eraseLine}${colors.dim(line)}`);
    },
    close: () => stream.write(eraseLine),
  };
}
