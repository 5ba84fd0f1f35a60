import { printable } from '@deadheat/report';
import type { OutputChoices } from '../arguments/invocation.ts';
import type { Terminal } from './terminal.ts';

/** Tells on standard error what is being made ready; `--style none` wants to hear nothing. */
export function createTeller({ style }: Pick<OutputChoices, 'style'>, { stderr }: Terminal): (text: string) => void {
  return (text) => {
    if (style !== 'none') stderr.write(`deadheat: ${printable(text)}\n`);
  };
}
