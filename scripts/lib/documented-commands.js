import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaces } from './workspaces.js';

/** @import { DocumentedCommand } from './documented-commands.d.ts' */

/** The pages that users read, by their paths below the root. */
export function pagesOf(root) {
  const below = (folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .toSorted()
      .map((name) => join(folder, name));
  const packages = workspaces.map(({ house, name }) => join(house, name, 'README.md'));
  const readmes = packages.filter((path) => readdirSync(join(root, path, '..')).includes('README.md'));
  return ['README.md', 'examples/README.md', ...below('docs'), ...readmes];
}

/**
 * The commands `deadheat …` and `npm run …` in the code of a page, in blocks and in spans, in their order.
 *
 * @returns {readonly DocumentedCommand[]}
 */
export function commandsOf(text) {
  const found = [];
  let fence = null;
  let isText = false;
  let pending = null;
  for (const [index, line] of text.split('\n').entries()) {
    const [, marks, language] = /^\s*(```+)(.*)$/.exec(line) ?? [];
    if (marks !== undefined) {
      fence = fence === null ? language.trim() : null;
      pending = null;
      continue;
    }
    // A block without a fence comes behind an empty line.
    if (fence === null && !/^ {4}/.test(line)) isText = line.trim() !== '';
    const isBlock = fence !== null || (/^ {4}/.test(line) && !isText);
    // In a help the examples are two columns in; what else it says may begin with our name as well.
    const isProse = fence === 'text' && !/^ {2}\S/.test(line);
    if (isBlock && !isProse && fence !== 'js' && fence !== 'ts') {
      const begun = pending ?? { line: index + 1, text: '' };
      if (line.endsWith('\\')) {
        pending = { ...begun, text: `${begun.text}${line.slice(0, -1)}` };
        continue;
      }
      pending = null;
      for (const words of simpleCommands(`${begun.text}${line}`)) {
        found.push({ line: begun.line, kind: 'block', words });
      }
    } else if (!isBlock) {
      for (const [, span] of line.matchAll(/(?<!`)`([^`]+)`(?!`)/g)) {
        for (const words of simpleCommands(span)) found.push({ line: index + 1, kind: 'span', words });
      }
    }
  }
  return found;
}

/** The pages' commands with the page of each. */
export function documentedCommands(root) {
  return pagesOf(root).flatMap((page) =>
    commandsOf(readFileSync(join(root, page), 'utf8')).map((command) => ({ page, ...command })),
  );
}

/** What may stand before a command: a prompt, another program that starts it, an assignment, keys of YAML. */
const before = /^(?:\$|sudo|npx|-|run:|script:|[A-Z_]+=.*)$/;

/** The words of each command of a line that is one of ours, from `deadheat` or `npm` on. */
function simpleCommands(line) {
  // What is optional is typed; lists of YAML and what stands behind an arrow are taken off.
  const plain = line
    .replace(/\s->.*$/, '')
    .replaceAll(/\[(-[^\]]*)\]/g, '$1')
    .replace(/^(\s*(?:- )?script: )\[(.*)\]$/, '$1$2');
  return listOf(plain).flatMap((all) => {
    const words = all.slice(all.findIndex((word) => !before.test(word)));
    const isOurs = words[0] === 'deadheat' || (words[0] === 'npm' && words[1] === 'run');
    const isUsage = words.includes('[options]') || words.includes('SUBCOMMAND');
    return isOurs && words.length > 1 && !isUsage ? [words.filter((word) => !/^(?:…|\.\.\.)$/.test(word))] : [];
  });
}

/** The simple commands of a line of a shell, without redirections and comments. */
function listOf(line) {
  const commands = [[]];
  const token =
    /\s*(?:(#.*$)|(\d?>>?&?\s*\S+|<\s*[^\s(]\S*)|(&&|\|\||[;|&])|((?:'[^']*'|"(?:\\.|[^"\\])*"|\$\([^)]*\)|<\([^)]*\)|\\.|[^\s'"\\;|&<>])+)|(.))/gy;
  for (const [, comment, redirection, operator, word] of line.matchAll(token)) {
    if (comment !== undefined || redirection !== undefined) continue;
    if (operator !== undefined) commands.push([]);
    else if (word !== undefined) commands.at(-1).push(unquoted(word));
  }
  return commands.filter((words) => words.length > 0);
}

function unquoted(word) {
  return word.replaceAll(
    /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
    (_, single, double, escaped) => single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped,
  );
}
