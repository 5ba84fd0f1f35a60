import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { houses, root, workspaces } from './workspaces.js';

/** Words by which a comment begins that does not name its subject first. */
const indirectStarts = new Set(['What', 'Whether', 'How', 'So', 'Of', 'As']);
const tellWords = /\b[a-z]*(?:tell|told)[a-z]*\b/gi;

/**
 * The size and the words of the source, measured from the files that git tracks or would track.
 *
 * @returns {Record<string, number>} every measurement by the name under which `budgets.yaml` limits it
 */
export function measureSource() {
  const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(root, path)));
  const measured = {};
  const sources = paths.filter((path) => /^(?:core|track|lab)\/[^/]+\/src\//.test(path)).map(readText);
  for (const house of houses) {
    const own = sources.filter(({ path }) => path.startsWith(`${house}/`));
    measured[`${house} lines`] = sum(own.map(({ text }) => linesOf(text)));
    measured[`${house} bytes`] = sum(own.map(({ text }) => Buffer.byteLength(text)));
    measured[`${house} files`] = own.length;
  }
  for (const folder of ['bench', 'scripts', 'clients']) {
    measured[`${folder} lines`] = linesBelow(paths, (path) => path.startsWith(`${folder}/`));
  }
  measured['tests lines'] = linesBelow(paths, (path) => /^(?:core|track|lab)\/[^/]+\/test\/.*\.[cm]?[jt]s$/.test(path));
  measured['names exported across packages'] = sum(workspaces.map((one) => namesOfPackage(one).size));
  measured['words with tell or told'] = sum(sources.map(({ text }) => text.match(tellWords)?.length ?? 0));
  const comments = sources.filter(({ path }) => path.endsWith('.ts')).flatMap(({ text }) => commentsOf(text));
  const indirect = comments.filter((text) => indirectStarts.has(/^[A-Za-z]+/.exec(text)?.[0] ?? ''));
  measured['percent of comments that begin with What, Whether, How, So, Of or As'] = percent(indirect, comments);
  return measured;
}

function readText(path) {
  return { path, text: readFileSync(join(root, path), 'utf8') };
}

function linesBelow(paths, isMeant) {
  return sum(
    paths
      .filter((path) => isMeant(path) && !/\.(?:png|gz|parquet|jfr)$/.test(path))
      .map((path) => linesOf(readText(path).text)),
  );
}

function linesOf(text) {
  return text.split('\n').length - 1;
}

function percent(part, whole) {
  return whole.length === 0 ? 0 : Math.round((1000 * part.length) / whole.length) / 10;
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** The names that a workspace exports through every entry of its `exports`, each once. */
function namesOfPackage({ folder, manifest }) {
  const entries = Object.values(manifest.exports ?? {})
    .map((entry) => entry.default ?? entry)
    .filter((path) => path.startsWith('./dist/'))
    .map((path) => join(folder, path.replace('./dist/', 'src/').replace(/\.js$/, '.ts')));
  return new Set(entries.filter(existsSync).flatMap((path) => [...namesOf(path)]));
}

/** The names that a module exports, those of `export *` from its own package included. */
function namesOf(path) {
  const names = new Set();
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) {
      if (statement.exportClause !== undefined) {
        for (const { name } of statement.exportClause.elements ?? [statement.exportClause]) names.add(name.text);
      } else if (statement.moduleSpecifier.text.startsWith('.')) {
        for (const name of namesOf(resolve(dirname(path), statement.moduleSpecifier.text))) names.add(name);
      }
    } else if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) {
      const declared = statement.declarationList?.declarations ?? [statement];
      for (const { name } of declared) names.add(name.text);
    }
  }
  return names;
}

/** The comments of a module without their marks; line comments that follow each other are one. */
function commentsOf(text) {
  const comments = [];
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text);
  let isBelowLineComment = false;
  const braces = [];
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (token === ts.SyntaxKind.CloseBraceToken && braces.at(-1) === 'template') {
      token = scanner.reScanTemplateToken(false);
      if (token === ts.SyntaxKind.TemplateTail) braces.pop();
    } else if (token === ts.SyntaxKind.TemplateHead) braces.push('template');
    else if (token === ts.SyntaxKind.OpenBraceToken) braces.push('block');
    else if (token === ts.SyntaxKind.CloseBraceToken) braces.pop();
    else if (token === ts.SyntaxKind.SlashToken || token === ts.SyntaxKind.SlashEqualsToken) {
      if (!/[\w)\]}'"`]\s*$/.test(text.slice(Math.max(0, scanner.getTokenStart() - 40), scanner.getTokenStart()))) {
        scanner.reScanSlashToken();
      }
    }
    const isLine = token === ts.SyntaxKind.SingleLineCommentTrivia;
    if (isLine || token === ts.SyntaxKind.MultiLineCommentTrivia) {
      if (!(isLine && isBelowLineComment)) comments.push(scanner.getTokenText().replace(/^(?:\/\*+|\/\/)[\s*]*/, ''));
      isBelowLineComment = isLine;
    } else if (token !== ts.SyntaxKind.WhitespaceTrivia && token !== ts.SyntaxKind.NewLineTrivia)
      isBelowLineComment = false;
  }
  return comments;
}
