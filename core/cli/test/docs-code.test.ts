import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { pagesOf } from '../../../scripts/lib/documented-commands.js';

const root = join(import.meta.dirname, '../../..');

interface Example {
  /** Beside its page, so that packages are found by their names. */
  readonly file: string;
  readonly page: string;
  /** Line of the page before its first. */
  readonly line: number;
  readonly code: string;
}

/** The blocks of TypeScript and JavaScript of a page. */
function examplesOf(page: string): readonly Example[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```(js|ts)\n(.*?)^```/gms)].map(({ index, 1: language = '', 2: code = '' }) => {
    const line = text.slice(0, index).split('\n').length;
    return { file: join(root, `${page}.${line}.${language}`), page, line, code };
  });
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  allowJs: true,
  checkJs: true,
  skipLibCheck: true,
  noEmit: true,
  typeRoots: [join(root, 'node_modules/@types')],
};

/** JavaScript has no types to give to parameters. */
const untyped = new Set([7006, 7019, 7031]);
/**
 * Examples of values are JavaScript too, and tests of their packages compare the values with what the pages print: that one might be
 * absent, or that a text is one of few, need not be said there.
 */
const shownValues = new Set([...untyped, 2322, 2345, 2531, 2532, 18_047, 18_048]);

function isLeftOut({ code, file }: ts.Diagnostic): boolean {
  const name = file?.fileName ?? '';
  if (!name.endsWith('.js')) return false;
  return (name.startsWith(join(root, 'docs/methods/')) ? shownValues : untyped).has(code);
}

/** What the compiler says of examples, with the place on the page; all of them are one program. */
function problemsOf(examples: readonly Example[]): readonly string[] {
  const byFile = new Map(examples.map((example) => [example.file, example]));
  const host = ts.createCompilerHost(options);
  host.fileExists = (file) => byFile.has(file) || ts.sys.fileExists(file);
  host.readFile = (file) => byFile.get(file)?.code ?? ts.sys.readFile(file);
  const program = ts.createProgram([...byFile.keys()], options, host);
  const diagnostics = ts.getPreEmitDiagnostics(program).filter((diagnostic) => !isLeftOut(diagnostic));
  return diagnostics.map(({ file, start = 0, messageText }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, ' ');
    const example = byFile.get(file?.fileName ?? '');
    if (file === undefined || example === undefined) return `${file?.fileName ?? ''}: ${message}`;
    return `${example.page}:${example.line + file.getLineAndCharacterOfPosition(start).line + 1}: ${message}`;
  });
}

describe('the code of README and docs', () => {
  it('compiles in strict mode', () => {
    const examples = pagesOf(root).flatMap(examplesOf);
    expect(examples.length).toBeGreaterThan(40);
    const broken = {
      file: join(root, 'docs/broken.ts'),
      page: 'docs/broken.md',
      line: 7,
      code: "import { mean } from '@deadheat/stats';\nmean('no list');\n",
    };
    const problems = problemsOf([...examples, broken]);
    // What is wrong is seen, with its place.
    expect(problems.filter((problem) => problem.startsWith('docs/broken.md:9: '))).toHaveLength(1);
    expect(problems.filter((problem) => !problem.startsWith('docs/broken.md:'))).toEqual([]);
  });
});
