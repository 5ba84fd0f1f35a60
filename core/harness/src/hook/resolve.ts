import { readFileSync } from 'node:fs';
import { HarnessError } from '../harness-error.ts';

interface Resolved {
  readonly url: string;
  readonly format?: string | null | undefined;
  readonly shortCircuit?: boolean | undefined;
}

interface Context {
  readonly conditions: readonly string[];
  readonly parentURL?: string | undefined;
}

type Resolution = Resolved | PromiseLike<Resolved>;
type Next = (specifier: string, context?: Partial<Context>) => Resolution;

/** Modules of this package that stand for what a program imports. */
const adapters: ReadonlyMap<string, string> = new Map(
  [
    ['tinybench', '../tinybench/index.js'],
    ['mitata', '../mitata/index.js'],
    ['vite', './vite.js'],
  ].map(([name = '', path = '']) => [name, new URL(path, import.meta.url).href]),
);
const ownFolder = new URL('..', import.meta.url).href;
/** The first release of a library that its adapter understands, and the one that it does not any more. */
const understood: ReadonlyMap<string, readonly [number, number]> = new Map([['tinybench', [6, 7]]]);

/** Who imported a library first; from there the adapter finds the library itself. */
const importers = new Map<string, string>();

/** Node's hook `resolve`, asynchronous in a thread of its own or synchronous, as `next` is. */
export function resolve(specifier: string, context: Context, next: Next): Resolution {
  const { parentURL = '', conditions } = context;
  const inVitest = /\/node_modules\/vitest\/dist\//.test(parentURL) || /\/vitest\/dist\//.test(parentURL);
  if (inVitest) keepFirst('vitest', parentURL);
  if (parentURL.startsWith(ownFolder)) {
    const from = importers.get(specifier);
    return next(specifier, from === undefined ? context : { ...context, parentURL: from });
  }
  const adapter = adapters.get(specifier);
  // vitest brings Vite into play; its tinybench is replaced by the runner. What is required cannot wait for a connection.
  if (adapter === undefined || inVitest !== (specifier === 'vite') || !conditions.includes('import')) {
    return next(specifier, context);
  }
  const found = next(specifier, context);

  function replace({ url }: Resolved): Resolved {
    check(specifier, url);
    keepFirst(specifier, parentURL);
    return { url: adapter ?? url, format: 'module', shortCircuit: true };
  }

  return 'then' in found ? found.then(replace) : replace(found);
}

function keepFirst(name: string, parentURL: string): void {
  if (!importers.has(name)) importers.set(name, parentURL);
}

/** @throws HarnessError `UNKNOWN_RELEASE` for a release of a library that its adapter does not understand */
function check(library: string, url: string): void {
  const range = understood.get(library);
  const folder = /^.*\/node_modules\/[^/]+\//.exec(url)?.[0];
  if (range === undefined || folder === undefined) return;
  const { version } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as { readonly version: string };
  const [least, end] = range;
  const major = Number.parseInt(version, 10);
  if (major >= least && major < end) return;
  throw new HarnessError(
    'UNKNOWN_RELEASE',
    `deadheat understands ${library} ${least}, and this program imports ${library} ${version}; ` +
      `install ${library}@${least} for the benchmarks, or write them for @deadheat/harness`,
  );
}
