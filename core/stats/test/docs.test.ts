import { readFileSync, readdirSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import * as stats from '../src/index.ts';

const folder = new URL('../../../docs/methods/', import.meta.url);

/** Where two values differ. Numbers agree to the six digits that the pages print; everything else exactly. */
function differences(actual: unknown, printed: unknown, where: string): string[] {
  if (typeof printed === 'number') {
    const right = typeof actual === 'number' && Math.abs(actual - printed) <= 1e-5 * Math.abs(printed);
    return right ? [] : [`${where} is ${String(actual)}, not ${printed}`];
  }
  if (printed !== null && typeof printed === 'object') {
    const keys = Object.keys(printed);
    const own = Object.keys(actual as object);
    if (own.join() !== keys.join()) return [`${where} has ${own.join()}, not ${keys.join()}`];
    const [ours, theirs] = [actual, printed] as Record<string, unknown>[];
    return keys.flatMap((key) => differences(ours?.[key], theirs?.[key], `${where}.${key}`));
  }
  return actual === printed ? [] : [`${where} is ${String(actual)}, not ${String(printed)}`];
}

/** The table of contents, and what was simulated of all methods together. */
const withoutExample = new Set(['README.md', 'truth.md']);

describe('docs/methods', () => {
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));

  for (const page of pages) {
    const text = readFileSync(new URL(page, folder), 'utf8');
    const examples = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
    test(`${page}: every example gives what it says`, () => {
      expect(examples.length).toBe(withoutExample.has(page) ? 0 : 1);
      for (const example of examples) {
        let checks = 0;
        let statement = '';
        let code = '';
        const source = example.replaceAll(/import \{([^}]*)\} from '@deadheat\/stats';/g, 'const {$1} = stats;');
        for (const line of source.split('\n')) {
          // A statement may run over several lines; its comment follows the closing semicolon.
          const [, last, printed] = /^(.*); \/\/ => (.*)$/.exec(line) ?? [];
          if (last === undefined || printed === undefined) {
            statement += `${line}\n`;
            if (!line.endsWith(';')) continue;
            code += statement;
          } else {
            const expression = `${statement}${last}`.trim();
            code += `agree((${expression}), (${printed}), ${JSON.stringify(expression)});\n`;
            checks++;
          }
          statement = '';
        }
        expect(checks).toBe(example.split('// => ').length - 1);
        expect(checks).toBeGreaterThan(0);
        const wrong: string[] = [];

        function agree(...line: [unknown, unknown, string]): unknown {
          return wrong.push(...differences(...line));
        }

        runInThisContext(`(stats, agree) => {${code}\n}`)(stats, agree);
        expect(wrong).toEqual([]);
      }
    });
  }

  test('every exported function stands on a page', () => {
    const index = readFileSync(new URL('README.md', folder), 'utf8');
    const all = pages.map((page) => readFileSync(new URL(page, folder), 'utf8')).join('\n');
    for (const name of Object.keys(stats)) {
      const family = /^(normal|studentT|chiSquared|binomial|exponential)(Cdf|Sf|LogCdf|LogSf|Quantile|Pmf)$/.exec(name);
      expect(index).toContain(family ? `\`${family[1]}…\`` : `\`${name}\``);
      expect(all).toContain(family ? family[1] : name);
    }
  });
});
