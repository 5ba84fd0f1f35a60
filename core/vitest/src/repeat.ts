/** The program of a side: vitest with one test of one file. Its arguments are a file with a call, a variable for the test and its value. */
import { readFileSync, writeFileSync } from 'node:fs';
import * as module from 'node:module';
import { dirname, join } from 'node:path';
import type { Call } from './experiment.ts';

/** The part of `vitest/node` of vitest 5 that is used. */
interface VitestNode {
  readonly parseCLI: (argv: readonly string[]) => { readonly options: object };
  readonly createVitest: (options: object) => Promise<Vitest>;
}

interface Vitest {
  readonly projects: readonly {
    readonly name: string;
    readonly createSpecification: (file: string, options: { readonly testIds: readonly string[] }) => object;
  }[];
  readonly runTestSpecifications: (all: readonly object[]) => Promise<{
    readonly testModules: readonly {
      readonly errors: () => readonly Failure[];
      readonly children: {
        readonly allTests: () => Iterable<{ readonly id: string; readonly result: () => TestResult }>;
      };
    }[];
    readonly unhandledErrors: readonly unknown[];
  }>;
  readonly close: () => Promise<void>;
}

interface Failure {
  readonly message: string;
}

interface TestResult {
  readonly state: string;
  readonly note?: string;
  readonly errors?: readonly Failure[];
}

/** Executes the test; the messages of what failed, none where the benchmark was measured. */
async function repeat({ node, args, file, project: name, test }: Call): Promise<readonly string[]> {
  const { parseCLI, createVitest } = (await import(node)) as VitestNode;
  const { options } = parseCLI(['vitest', ...args]);
  const settled = {
    run: true,
    watch: false,
    ui: false,
    benchmarkOnly: true,
    reporters: [{}],
    coverage: { enabled: false },
  };
  const vitest = await createVitest({ ...options, ...settled });
  try {
    const project = vitest.projects.find((one) => one.name === name);
    if (project === undefined) return [`vitest has no project '${name}' when it is started again`];
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications([
      project.createSpecification(file, { testIds: [test] }),
    ]);
    const result = testModules
      .flatMap(({ children }) => [...children.allTests()])
      .find(({ id }) => id === test)
      ?.result();
    const errors = [
      ...testModules.flatMap((one) => one.errors()),
      ...(unhandledErrors as Failure[]),
      ...(result?.errors ?? []),
    ];
    if (errors.length > 0) return errors.map(({ message }) => message);
    if (result?.state === 'skipped' && result.note === 'measured') return [];
    return [`the test does not reach the call when it is executed again (${result?.state ?? 'absent'})`];
  } finally {
    await vitest.close();
  }
}

const [path = '', variable = '', value = ''] = process.argv.slice(2);
process.env[variable] = value;
// Only of this process, which starts vitest; the benchmark is executed in another.
(module as { readonly enableCompileCache?: (folder: string) => unknown }).enableCompileCache?.(dirname(path));
const messages = await repeat(JSON.parse(readFileSync(path, 'utf8')) as Call);
if (messages.length > 0) writeFileSync(join(dirname(path), 'why'), messages.join('\n'));
process.exit(messages.length === 0 ? 0 : 1);
