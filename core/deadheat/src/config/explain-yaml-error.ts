import type { YAMLError } from 'yaml';

/** Message for a key that a map has twice. */
export const keyTwice = { message: 'this key is there twice', hint: 'Leave one of them out.' };

/** Explanation of a syntax error in words of the file, and its remedy. Errors not listed keep the parser's sentence. */
const explanations: Readonly<Record<string, { readonly message: string; readonly hint: string }>> = {
  DUPLICATE_KEY: keyTwice,
  TAB_AS_INDENT: { message: 'a tab cannot indent', hint: 'Indent with spaces.' },
  MULTIPLE_DOCS: { message: 'a second document begins here', hint: 'One file holds one experiment; remove the ---.' },
  TAG_RESOLVE_FAILED: {
    message: 'this tag has no meaning here',
    hint: 'Remove it; a text that begins with ! needs quotes.',
  },
  MISSING_CHAR: { message: 'a quote or bracket is not closed', hint: 'It was opened here or on a line above.' },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a map cannot begin on the line of its key',
    hint: 'Put a text that holds ": " in quotes, or begin the map on the next line.',
  },
};

/** Says what is wrong with the syntax of a file. */
export function explainYamlError(error: YAMLError): { readonly message: string; readonly hint: string | null } {
  const known = explanations[error.code];
  if (known !== undefined) return known;
  const own = error.message.split('\n')[0] ?? '';
  return { message: own.replace(/^./, (letter) => letter.toLowerCase()), hint: null };
}
