import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from 'deadheat/settings';
import { describe, expect, it } from 'vitest';
import { commandsOf, documentedCommands } from '../../../scripts/lib/documented-commands.js';
import { parse } from './support-arguments.ts';

const root = join(import.meta.dirname, '../../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly scripts: object };

/** A value for each word in capitals that stands for one of a list. */
const placeholders: Readonly<Record<string, string>> = {
  FORMAT: 'go',
  'FORMAT:FILE': 'go:FILE',
  CODE: 'LOAD',
  SHELL: 'bash',
  'K/N': '1/2',
  N: '2',
};
/** A mention may leave out what a command needs. */
const leftOut: ReadonlySet<string> = new Set(['MISSING_COMMAND', 'MISSING_VALUE']);

/** Why the parser refuses a command, `null` when it takes it. */
function refusal(words: readonly string[], kind: 'block' | 'span'): string | null {
  const [program, name = '', ...further] = words;
  if (program === 'npm') return npmRefusal(further);
  try {
    parse(
      [name, ...further].map((word) => placeholders[word] ?? word.replace(/^~/, '/home/me').replaceAll(/\$\w+/g, '1')),
    );
    return null;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return kind === 'span' && leftOut.has(error.code) ? null : error.message;
  }
}

function npmRefusal([script = '', ...args]: readonly string[]): string | null {
  if (!(script in scripts)) return `package.json has no script ${script}`;
  const name = args.find((word) => word !== '--') ?? '';
  if (script !== 'bench' || name === '' || existsSync(join(root, 'bench', name, 'index.js'))) return null;
  return `bench has no folder ${name}`;
}

describe('the commands of a page', () => {
  it('are found in blocks and spans, with the words that a shell would make of them', () => {
    const page = [
      'Say `deadheat doctor --quick` or `npx deadheat demo`; deadheat itself is no command, nor is `deadheat`.',
      '',
      '    $ npm ci && npx deadheat \'a "b"\' "c d" -- x    # deadheat --not-this',
      '    deadheat run | tee log; sudo deadheat doctor --apply > out 2>&1 &',
      '    deadheat push --to URL \\',
      '      --commit B=$(git rev-parse HEAD) [--project NAME]',
      '',
      '```text',
      'deadheat compares commands',
      "  deadheat history 'select 1 from x where y > 2'",
      '  deadheat [options] A B',
      '```',
      '',
      '```yaml',
      '    - deadheat run --part "$K/$N"',
      '  script: [deadheat ci merge parts]',
      '```',
      '',
      '```ts',
      '    deadheat run --this-is-no-command',
      '```',
    ].join('\n');
    expect(commandsOf(page).map(({ line, kind, words }) => [line, kind, ...words])).toEqual([
      [1, 'span', 'deadheat', 'doctor', '--quick'],
      [1, 'span', 'deadheat', 'demo'],
      [3, 'block', 'deadheat', 'a "b"', 'c d', '--', 'x'],
      [4, 'block', 'deadheat', 'run'],
      [4, 'block', 'deadheat', 'doctor', '--apply'],
      [5, 'block', 'deadheat', 'push', '--to', 'URL', '--commit', 'B=$(git rev-parse HEAD)', '--project', 'NAME'],
      [10, 'block', 'deadheat', 'history', 'select 1 from x where y > 2'],
      [15, 'block', 'deadheat', 'run', '--part', '$K/$N'],
      [16, 'block', 'deadheat', 'ci', 'merge', 'parts'],
    ]);
  });

  const commands = documentedCommands(root);

  it('are many', () => {
    expect(commands.length).toBeGreaterThan(250);
    expect(refusal(['deadheat', '--no-such-option', 'a', 'b'], 'span')).toContain('--no-such-option');
    expect(refusal(['deadheat', 'run', '--runs', 'many'], 'span')).toContain('--runs');
    expect(refusal(['npm', 'run', 'nothing'], 'block')).toContain('nothing');
    expect(refusal(['npm', 'run', 'bench', '--', 'nothing'], 'block')).toContain('nothing');
  });

  it.each([...new Set(commands.map(({ page }) => page))])('are taken by the parser: %s', (page) => {
    const refused = commands
      .filter((command) => command.page === page)
      .flatMap(({ line, kind, words }) => {
        const why = refusal(words, kind);
        return why === null ? [] : [`${page}:${line}: ${words.join(' ')}: ${why}`];
      });
    expect(refused).toEqual([]);
  });
});
