import {
  type ChooseReducer,
  type JsonReducer,
  type WantedParts,
  type JsonEvents,
  JsonSyntaxError,
  JsonTokenizer,
} from './json-tokenizer.ts';
import type { ImportSource } from '../import-source.ts';
import { malformedText } from '../import-error.ts';
import { JsonNode } from './json-node.ts';

type Branch = unknown[] | Record<string, unknown>;

function ignore(): void {}
const skip: JsonReducer = { open: ignore, close: ignore, key: ignore, value: ignore, finish: () => undefined };

/**
 * Builds values from the parts of a JSON text, except where a reducer takes them and where they are not wanted. Objects have no
 * prototype.
 */
export class JsonTree implements JsonEvents {
  readonly #choose: ChooseReducer | null;
  readonly #isWanted: WantedParts | null;
  readonly #branches: Branch[] = [];
  readonly #path: (string | number)[] = [];
  #reducer: JsonReducer | null = null;
  #depthInReducer = 0;
  #result: unknown = undefined;

  constructor(choose: ChooseReducer | null, isWanted: WantedParts | null = null) {
    this.#choose = choose;
    this.#isWanted = isWanted;
  }

  /** The value of the whole text, once it has been read. */
  get result(): unknown {
    return this.#result;
  }

  /** Where the reading is. */
  get path(): readonly (string | number)[] {
    return this.#path;
  }

  readonly open = (kind: 'object' | 'array'): void => {
    if (this.#reducer !== null) {
      this.#depthInReducer += 1;
      this.#reducer.open(kind);
      return;
    }
    const isSkipped = typeof this.#path.at(-1) === 'string' && this.#isWanted?.(this.#path) === false;
    const reducer = isSkipped ? skip : (this.#choose?.(this.#path, kind) ?? null);
    if (reducer !== null) {
      this.#reducer = reducer;
      this.#depthInReducer = 0;
      return;
    }
    this.#branches.push(kind === 'array' ? [] : (Object.create(null) as Record<string, unknown>));
    this.#path.push(kind === 'array' ? 0 : '');
  };

  readonly close = (): void => {
    if (this.#reducer !== null) {
      if (this.#depthInReducer > 0) {
        this.#depthInReducer -= 1;
        this.#reducer.close();
        return;
      }
      const value = this.#reducer.finish();
      this.#reducer = null;
      this.#put(value);
      return;
    }
    this.#path.pop();
    this.#put(this.#branches.pop());
  };

  readonly key = (name: string): void => {
    if (this.#reducer !== null) this.#reducer.key(name);
    else this.#path[this.#path.length - 1] = name;
  };

  readonly value = (value: string | number | boolean | null): void => {
    if (this.#reducer !== null) this.#reducer.value(value);
    else this.#put(value);
  };

  #put(value: unknown): void {
    const branch = this.#branches.at(-1);
    if (branch === undefined) {
      this.#result = value;
    } else if (Array.isArray(branch)) {
      branch.push(value);
      this.#path[this.#path.length - 1] = branch.length;
    } else if (value !== undefined && this.#isWanted?.(this.#path) !== false) {
      branch[String(this.#path.at(-1))] = value;
    }
  }
}

/**
 * Reads a JSON file piece by piece; what `reduce` takes, and keys that `isWanted` does not want, are not built.
 *
 * @param options.advice Ends every message about the content.
 * @throws ImportError `MALFORMED_FILE` with line and column, or as the source
 */
export async function readJson(
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
): Promise<JsonNode> {
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
}
