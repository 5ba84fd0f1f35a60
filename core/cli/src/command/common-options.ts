import type { StyleChoice } from '../terminal/style.ts';
import { choice, flag, type Option, option, several, text } from './option.ts';

const styles: readonly StyleChoice[] = ['auto', 'basic', 'full', 'nocolor', 'color', 'none'];

/** The option for the style of the text output. */
export const styleOptions: { readonly style: Option<StyleChoice> } = {
  style: option('--style <STYLE>', {
    help: 'style of the text output: auto, basic, full, nocolor, color or none; auto chooses by the terminal and the variable NO_COLOR',
    parse: choice(styles),
    default: 'auto',
  }),
};

/** The option that allows a connection to `what` on another machine without TLS; `withPlaintext` applies its value. */
export function plaintextOptions(what = 'a database'): { readonly allowPlaintext: Option<boolean> } {
  return {
    allowPlaintext: flag('--allow-plaintext', {
      help: `allow a connection without TLS to ${what} on another machine (as DEADHEAT_ALLOW_PLAINTEXT=1 does)`,
    }),
  };
}

/** The option that chooses benchmarks of a file by their names. */
export const filterOptions: { readonly filter: Option<readonly string[]> } = {
  filter: several('--filter <PATTERN>', {
    help: 'run only the benchmarks with this name; * matches any text; may be repeated',
    parse: text('the name of a benchmark'),
  }),
};

/** The option for the folder of the recording. */
export const recordingOptions: { readonly output: Option<string | null> } = {
  output: option('--output <DIR>', {
    help: 'folder in which the recording is stored',
    parse: text('a folder'),
    fallback: 'a new folder in .deadheat',
  }),
};
