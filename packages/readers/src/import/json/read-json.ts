import type { ImportSource } from '../import-source.ts';
import { malformedText } from '../malformed-text.ts';
import { JsonNode } from './json-node.ts';
import type { ChooseReducer, WantedParts } from './json-reducer.ts';
import { JsonSyntaxError } from './json-syntax-error.ts';
import { JsonTokenizer } from './json-tokenizer.ts';
import { JsonTree } from './json-tree.ts';

/**
 * Reads a JSON file piece by piece; what `reduce` takes, and keys that `isWanted` does not want, are not built.
 *
 * @param options.advice Ends every message about the content.
 * @throws ImportError `MALFORMED_FILE` with line and column, or as the source
 */
export const readJson = async (
  source: ImportSource,
  {
    advice,
    reduce = null,
    isWanted = null,
  }: {
    readonly advice: string;
    readonly reduce?: ChooseReducer | null;
    readonly isWanted?: WantedParts | null;
  },
): Promise<JsonNode> => {
  const { path } = source;
  const tree = new JsonTree(reduce, isWanted);
  const tokenizer = new JsonTokenizer(tree);
  try {
    for await (const chunk of source.chunks()) tokenizer.write(chunk);
    tokenizer.end();
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { line, column, message } = error;
    throw malformedText({ path, line, column }, { what: message, advice });
  }
  return new JsonNode(tree.result, { path, advice });
};
