import {
  type ChooseReducer,
  type JsonReducer,
  type WantedParts,
  type JsonEvents,
  JsonSyntaxError,
  JsonTokenizer,
  taken,
} from './json-tokenizer.ts';
import type { ImportSource } from '../import-source.ts';
import { ImportError, malformedText } from '../import-error.ts';
import { JsonNode } from './json-node.ts';

/** Of numbers these take 128 MB. What may be longer goes into a reducer. */
const mostItems = 2 ** 24;

/** A list is longer than is built at once. */
class ListTooLong extends Error {
  override readonly name = 'ListTooLong';
}

type Branch = unknown[] | Record<string, unknown>;

function ignore(): void {}
const skip: JsonReducer = { open: ignore, close: ignore, key: ignore, value: ignore, finish: () => undefined };

/** What objects are made of that have nothing but their own keys: those of `Object.create(null)` are slow to fill. */
class Bare {
  [key: string]: unknown;
}
Object.setPrototypeOf(Bare.prototype, null);
Reflect.deleteProperty(Bare.prototype, 'constructor');

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
    this.#branches.push(kind === 'array' ? [] : new Bare());
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
      const index = Number(this.#path.at(-1));
      if (branch.length === mostItems) throw new ListTooLong();
      if (value !== taken) branch[index] = value;
      this.#path[this.#path.length - 1] = index + 1;
    } else if (value !== undefined && this.#isWanted?.(this.#path) !== false) {
      branch[String(this.#path.at(-1))] = value;
    }
  }
}

/**
 * Reads a JSON file whose items - the objects of one list - are taken one by one and not kept, so that a file of any size is read in little
 * memory. What else is there is built.
 *
 * @param options.list The keys that lead to the list; none = the file is the list itself.
 * @param options.take Is told each item, which knows its place.
 * @param options.reduce As that of `readJson`, with paths that begin in an item.
 * @param options.isWanted As that of `readJson`, for what is outside of the list.
 * @throws ImportError as `readJson`, and for an item that is no object
 */
export async function readJsonItems(
  source: ImportSource,
  options: {
    readonly advice: string;
    readonly list: readonly string[];
    readonly take: (item: JsonNode) => void;
    readonly reduce?: ChooseReducer | null;
    readonly isWanted?: WantedParts | null;
  },
): Promise<JsonNode> {
  const { advice, list, take, reduce = null, isWanted = null } = options;
  const origin = { path: source.path, advice };
  let parent = new JsonNode(null, origin);
  for (const key of list) parent = new JsonNode(null, origin, { parent, key });
  const root = await readJson(source, {
    advice,
    isWanted,
    reduce: (path, kind) => {
      const key = path.at(-1);
      const isItem = path.length === list.length + 1 && list.every((step, depth) => path[depth] === step);
      if (!isItem || kind !== 'object' || typeof key !== 'number') return null;
      const index = key;
      const tree = new JsonTree(reduce);
      tree.open('object');
      function finish(): symbol {
        tree.close();
        take(new JsonNode(tree.result, origin, { parent, key: index }));
        return taken;
      }
      return { open: tree.open, close: tree.close, key: tree.key, value: tree.value, finish };
    },
  });
  const items = list.reduce((node, key) => node.get(key), root).items();
  // Those that were taken left holes, which `forEach` does not visit.
  items.forEach((other) => {
    throw other.error('an object');
  });
  return root;
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
    if (error instanceof ListTooLong) {
      const what = `${path} holds a list of more than ${mostItems} values, which is more than is read at once`;
      throw new ImportError('TOO_LARGE', `${what}. Split it, by benchmark for instance.`, { path });
    }
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { line, column, message } = error;
    throw malformedText({ path, line, column }, { what: message, advice });
  }
  return new JsonNode(tree.result, { path, advice });
}
