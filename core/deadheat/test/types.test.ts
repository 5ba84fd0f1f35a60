import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, expect, test } from 'vitest';

const declarations = fileURLToPath(new URL('../types/index.d.ts', import.meta.url));
const caller = declarations.replace('index.d.ts', 'caller.ts');

const calls = `
import { compare, type Comparison, type Duration, type ExperimentDescription, type FunctionComparison, type Interval, type Report, type Share, type Verdict } from './index.js';
export const right = compare({ a: 'true', margin: '0.5ms', maxTime: '500ms', confidence: 0.99 });
export const result: Promise<Comparison> = right.then(({ comparison }) => comparison);
export const verdict = (one: Comparison): Verdict => one.verdict;
export const interval = (one: Comparison): Interval => one.interval;
export const functions: Promise<FunctionComparison> = compare({ a: () => 1, b: async () => 2, margin: '5%', maxTime: '1s' });
export const wrong = [compare({ a: 'true', margin: '1 apple' }), compare({ a: 'true', maxTime: 'soon' })];
export const mixed = compare({ a: 'true', b: () => 1 });
`;

let program: ts.Program;
let service: ts.LanguageService;

beforeAll(() => {
  const options = {
    strict: true,
    noEmit: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    types: [],
  };
  const read = (name: string): string | undefined => (name === caller ? calls : ts.sys.readFile(name));
  service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [caller],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = read(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => process.cwd(),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === caller || ts.sys.fileExists(name),
    readFile: read,
  });
  const made = service.getProgram();
  if (made === undefined) throw new Error('the language service has no program');
  program = made;
}, 60_000);

/** Every property that can be reached from a type by its name, without those of the platform. */
function* propertiesOf(name: string): Generator<{ readonly path: string; readonly node: ts.PropertySignature }> {
  const file = program.getSourceFile(declarations);
  const checker = program.getTypeChecker();
  const seen = new Set<ts.Node>();
  function* walk(
    node: ts.Node,
    path: string,
  ): Generator<{ readonly path: string; readonly node: ts.PropertySignature }> {
    if (seen.has(node)) return;
    seen.add(node);
    if (ts.isPropertySignature(node)) yield { path: `${path}.${node.name.getText()}`, node };
    const inner = ts.isPropertySignature(node) ? `${path}.${node.name.getText()}` : path;
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
      const place = ts.isTypeReferenceNode(node) ? node.typeName : node.expression;
      for (const declaration of checker.getSymbolAtLocation(place)?.declarations ?? []) {
        if (declaration.getSourceFile() === file) yield* walk(declaration, place.getText());
      }
    }
    for (const child of node.getChildren(file)) yield* walk(child, inner);
  }
  const start = file?.statements.find(
    (one) => (ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one)) && one.name.text === name,
  );
  if (start === undefined) throw new Error(`there is no type ${name}`);
  yield* walk(start, name);
}

for (const name of ['CompareOptions', 'ExperimentDescription', 'Report']) {
  test(`every field of ${name} has documentation in an editor`, () => {
    const fields = [...propertiesOf(name)];
    expect(fields.length).toBeGreaterThan(50);
    const silent = fields.filter(({ node }) => {
      const info = service.getQuickInfoAtPosition(declarations, node.name.getStart());
      return ts.displayPartsToString(info?.documentation).trim() === '';
    });
    expect(silent.map(({ path }) => path)).toEqual([]);
  });
}

test('amounts that cannot be read do not compile', () => {
  const found = service
    .getSemanticDiagnostics(caller)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  expect(found).toHaveLength(3);
  expect(found[0]).toContain('1 apple');
  expect(found[1]).toContain('soon');
});

test('the declarations of the library hold no types of other libraries', () => {
  expect(readFileSync(declarations, 'utf8')).not.toMatch(/\bimport\b.*from|zod/i);
});
