// Functions behind a difference: experiments of 20 pairs with a planted +25 % of a function of a fifth of the time, and of a program with
// itself, at 99 %: npm run bench -- explain [c] [node] [python] [java] [experiments of each kind]. What was measured is kept in
// bench/out/explain.jsonl, so that a later call goes on; an experiment takes one to three minutes. The CPU time that sampling takes:
// npm run bench -- explain overhead [c] [node] [python] [java] [pairs].
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadheat, out, printMachine, printTable, quote, readArguments, root } from '../lib/tools.js';
import { measureOverhead } from './overhead.js';

const folder = join(root, 'examples/explain');
const kept = join(out, 'explain.jsonl');
const pairs = 20;

/** Words of a program by its runtime; `build` is where it may put files. The planted function is the same work times 1.25. */
const programs = {
  c: {
    planted: 'hash_of',
    words: (build) => {
      execFileSync('gcc', ['-O2', '-o', join(build, 'words'), join(folder, 'c/words.c')]);
      return [join(build, 'words'), '100'];
    },
    slow: 'slow',
  },
  node: { planted: 'hashOf', words: () => ['node', join(folder, 'node/words.js'), '20'], slow: '--slow' },
  python: { planted: 'hash_of', words: () => ['python3', join(folder, 'python/words.py'), '40'], slow: '--slow' },
  java: {
    planted: 'Words.hashOf',
    words: (build) => {
      execFileSync('javac', ['-d', build, join(folder, 'java/Words.java')]);
      return ['java', '-cp', build, 'Words', '450'];
    },
    slow: 'slow',
  },
};

export async function run(given) {
  const isOverhead = given[0] === 'overhead';
  const { asked, number } = readArguments(isOverhead ? given.slice(1) : given, {
    bench: 'explain',
    known: Object.keys(programs),
    count: isOverhead ? 20 : 5,
  });
  printMachine();
  mkdirSync(out, { recursive: true });
  const runtimes = asked.length > 0 ? asked : Object.keys(programs);
  if (isOverhead) {
    await measureOverhead(Object.fromEntries(runtimes.map((runtime) => [runtime, programs[runtime]])), {
      pairs: number,
    });
    return;
  }
  for (let experiment = 0; experiment < number; experiment++) {
    for (const runtime of runtimes)
      for (const kind of ['planted', 'same']) await measure({ runtime, kind, experiment });
  }
  const results = readKept();
  printTable(
    ['runtime', 'experiments', 'planted first', 'interval holds the truth', 'A/A experiments', 'with a false function'],
    runtimes.map((runtime) => {
      const own = results.filter((one) => one.runtime === runtime);
      const planted = own.filter(({ kind }) => kind === 'planted');
      const same = own.filter(({ kind }) => kind === 'same');
      return [
        runtime,
        planted.length,
        planted.filter(({ isFirst }) => isFirst).length,
        planted.filter(({ isHeld }) => isHeld).length,
        same.length,
        same.filter(({ clear }) => clear > 0).length,
      ];
    }),
  );
}

function readKept() {
  return existsSync(kept)
    ? readFileSync(kept, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
}

async function measure(place) {
  const { runtime, kind, experiment } = place;
  if (readKept().some((one) => one.runtime === runtime && one.kind === kind && one.experiment === experiment)) return;
  const { planted, words, slow } = programs[runtime];
  const build = mkdtempSync(join(tmpdir(), 'deadheat-bench-explain-'));
  try {
    const recording = join(build, 'recording');
    const own = words(build);
    const other = kind === 'planted' ? [...own, slow] : own;
    const seed = ['--seed', `${runtime}${kind}${experiment}`];
    await deadheat(['--method', 'tandem', '--runs', '3', ...seed, quote(own), quote(other)], { output: recording });
    const { report } = await deadheat(['explain', '--pairs', String(pairs), recording], { plain: true });
    const { functions, whole } = report;
    const nameOf = ({ A, B }) => (B ?? A)?.name;
    const found = functions.find((one) => nameOf(one) === planted);
    const truth = (found?.selfSeconds.A ?? 0) * 0.25;
    const line = {
      ...place,
      isFirst: nameOf(functions[0]) === planted && functions[0].isClear,
      isHeld: found !== undefined && found.difference.low <= truth && truth <= found.difference.high,
      clear: functions.filter(({ isClear }) => isClear).length,
      share: (found?.selfSeconds.A ?? 0) / whole.A,
      difference: found?.difference,
    };
    appendFileSync(kept, `${JSON.stringify(line)}\n`);
    console.log(
      `${runtime}, ${kind} ${experiment + 1}: ${
        functions
          .filter(({ isClear }) => isClear)
          .map(nameOf)
          .join(', ') || 'nothing'
      }`,
    );
  } finally {
    rmSync(build, { recursive: true, force: true });
  }
}
