// Real programs that do a known amount of work: what users compare, beside the artificial workloads.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@deadheat/stats';

/** Bytes of text that a unit of amount of gzip and of sort stands for. */
const chunkBytes = 1024;
const wordCount = 4000;

const nodeWork = `
const units = Number(process.argv[1]);
let state = 1;
let found = 0;
for (let unit = 0; unit < units; unit++) {
  const rows = [];
  for (let k = 0; k < 50; k++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    rows.push({ id: state % 997, name: 'row ' + state, tags: [k, state & 15] });
  }
  rows.sort((a, b) => a.id - b.id);
  found += JSON.parse(JSON.stringify(rows)).filter(({ name }) => /7.*3/.test(name)).length;
}
console.log(found);`;

const pythonWork = `
import sys
state = 1
counts = {}
for unit in range(int(sys.argv[1])):
    words = []
    for k in range(100):
        state = (state * 1103515245 + 12345) & 0x7fffffff
        words.append('word %d' % (state % 997))
    for word in sorted(words):
        counts[word] = counts.get(word, 0) + 1
print(sum(counts.values()))`;

export const realProgramNames = ['gzip', 'sort', 'node -e', 'python3 -c'];

/**
 * The programs, with inputs from a seed in a temporary folder of their own. Each gives the command of an amount, whole numbers
 * from 0 on; the more, the longer, in proportion but for the start.
 *
 * @returns {{ commands: Record<string, (amount: number) => readonly string[]>, remove: () => void }}
 */
export function makeRealPrograms() {
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-programs-'));
  // Where python3 is a script that looks for a version its own time would be measured.
  const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
  return {
    commands: {
      gzip: (amount) => ['gzip', '-6', '-n', '-c', textOf(folder, amount)],
      sort: (amount) => ['sort', '--parallel=1', textOf(folder, amount)],
      'node -e': (amount) => [process.execPath, '-e', nodeWork, String(amount)],
      'python3 -c': (amount) => [python, '-c', pythonWork, String(amount)],
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * A file of lines of words; longer ones begin like shorter ones.
 *
 * @param {string} folder
 * @param {number} amount
 */
function textOf(folder, amount) {
  const path = join(folder, `${amount}.txt`);
  if (!existsSync(path)) {
    const random = createRandom('text of the real programs');
    const words = Array.from({ length: wordCount }, () =>
      Array.from({ length: 2 + random.int(9) }, () => String.fromCodePoint(97 + random.int(26))).join(''),
    );
    let text = '';
    while (text.length < amount * chunkBytes) {
      // Some words are frequent, most are rare, as in a language.
      const line = Array.from({ length: 4 + random.int(9) }, () => words[Math.floor(wordCount * random.next() ** 3)]);
      text += `${line.join(' ')}\n`;
    }
    writeFileSync(path, text.slice(0, amount * chunkBytes));
  }
  return path;
}
