import { readFileSync, readdirSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import * as model from '@deadheat/model';
import * as stats from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import * as lab from '../../src/procedures.ts';

const modules = new URL('../../../../core/analysis/src/', import.meta.url);
const analysis: unknown = Object.assign(
  {},
  ...(await Promise.all(
    readdirSync(modules, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map(async (path) => (await import(new URL(path, modules).href)) as object),
  )),
);

const folder = new URL('../../../../docs/methods/procedures/', import.meta.url);
const pages = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));

/** Numbers agree to the six digits that the pages print; everything else exactly. */
const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, part: unknown) => (typeof part === 'number' ? part.toPrecision(5) : part));

/** The example with every `expression; // => value` turned into a call of `agree(expression, value)`. */
const checked = (example: string): string => {
  const source = example.replaceAll(
    /import \{([^}]*)\} from '@deadheat\/(\w+)(?:\/procedures)?';/g,
    'const {$1} = $2;',
  );
  let code = '';
  let statement = '';
  for (const line of source.split('\n')) {
    // A statement may run over several lines; its comment follows the closing semicolon.
    const [, last, printed] = /^(.*); \/\/ => (.*)$/.exec(line) ?? [];
    if (last !== undefined && printed !== undefined) {
      code += `agree(() => (${statement}${last}), (${printed}));\n`;
      statement = '';
      continue;
    }
    statement += `${line}\n`;
    if (!line.endsWith(';')) continue;
    code += statement;
    statement = '';
  }
  return code;
};

describe('docs/methods/procedures', () => {
  it.each(pages.filter(({ name }) => name !== 'README.md'))('$name: every example gives what it says', ({ text }) => {
    const examples = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
    expect(examples).toHaveLength(1);
    for (const example of examples) {
      let checks = 0;
      const agree = (expression: () => unknown, printed: unknown): void => {
        checks++;
        expect(rounded(expression()), String(expression)).toEqual(rounded(printed));
      };
      runInThisContext(`(stats, model, analysis, lab, agree) => {${checked(example)}\n}`)(
        stats,
        model,
        analysis,
        lab,
        agree,
      );
      expect(checks).toBe(example.split('// => ').length - 1);
      expect(checks).toBeGreaterThan(0);
    }
  });

  it('has every page and every function of a page in its table', () => {
    const table = pages.find(({ name }) => name === 'README.md')?.text ?? '';
    for (const { name, text } of pages.filter(({ name }) => name !== 'README.md')) {
      expect(table).toContain(`(${name})`);
      for (const first of [
        /import \{([^}]*)\} from '@deadheat\/analysis';/,
        /import \{([^}]*)\} from '@deadheat\/lab';/,
      ]) {
        const imported = first.exec(text)?.[1] ?? '';
        for (const used of imported.split(',').map((part) => part.trim())) {
          if (used !== '') expect(table).toContain(`\`${used}\``);
        }
      }
    }
  });
});
