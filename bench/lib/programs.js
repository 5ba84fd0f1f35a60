// Real programs that do a known amount of work: what users compare, beside the artificial workloads.
import { execFileSync, spawnSync } from 'node:child_process';
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

const perlWork = `
my $state = 1; my %counts;
for my $unit (1 .. $ARGV[0]) {
  my @words = map { $state = ($state * 1103515245 + 12345) & 0x7fffffff; 'word ' . $state % 997 } 1 .. 100;
  $counts{$_}++ for sort @words;
}
print scalar(keys %counts), "\n";`;

/** A function a unit, for the compiler. */
const functionOf = (number) => `
int work_${number}(const int *values, int count) {
  int sum = ${number};
  for (int k = 0; k < count; k++) sum = sum * 31 + (values[k] ^ (sum >> 7)) % ${number + 3};
  return sum;
}`;

export const realProgramNames = ['gzip', 'sort', 'node -e', 'python3 -c'];
/** More programs, of packages that may be missing. */
export const packagedProgramNames = ['xz', 'bzip2', 'zstd', 'awk', 'perl', 'gcc'];

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
      ...Object.fromEntries(
        Object.entries({
          xz: (amount) => ['xz', '-3', '-T1', '-c', textOf(folder, amount)],
          bzip2: (amount) => ['bzip2', '-c', textOf(folder, amount)],
          zstd: (amount) => ['zstd', '-q', '-9', '--single-thread', '-c', textOf(folder, amount)],
          awk: (amount) => [
            'awk',
            '{ for (i = 1; i <= NF; i++) n[$i]++ } END { print length(n) }',
            textOf(folder, amount),
          ],
          perl: (amount) => ['perl', '-e', perlWork, String(amount)],
          gcc: (amount) => ['gcc', '-O2', '-c', sourceOf(folder, amount), '-o', '/dev/null'],
        }).filter(([name]) => isInstalled(name)),
      ),
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function isInstalled(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** A C file of so many functions. */
function sourceOf(folder, amount) {
  const path = join(folder, `${amount}.c`);
  if (!existsSync(path))
    writeFileSync(path, Array.from({ length: amount }, (_, number) => functionOf(number)).join(''));
  return path;
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
