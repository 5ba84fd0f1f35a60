// Files that other tools write beside busy loops, of a function and the same, and of a function and one that does 5 % more:
// npm run bench -- import loads [pairs a tool and load] [load ...] [tool ...]. Tools that are not installed are left out, and named.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { besideLoops } from '../lib/neighbours.js';
import { deadheat, percent, printMachine, printTable, root } from '../lib/tools.js';

const javascript = `const n = Number(process.env.WORK);\nconst work = () => { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; };\n`;
/** Iterations of the loop in a call: 20 to 100 µs. */
const amount = { javascript: 40_000, python: 1000, go: 40_000 };

/** By tool: the files of a benchmark, and the words that execute it and write `OUT`, or print what is written there. */
const tools = {
  mitata: {
    of: 'javascript',
    files: {
      'bench.mjs': `import { bench, do_not_optimize, run } from 'mitata';\n${javascript}bench('work', () => do_not_optimize(work()));\nawait run({ format: { json: { samples: true, debug: false } } });\n`,
    },
    words: [process.execPath, 'bench.mjs'],
  },
  tinybench: {
    of: 'javascript',
    files: {
      'bench.mjs': `import { Bench } from 'tinybench';\n${javascript}const bench = new Bench({ time: 400 });\nbench.add('work', work);\nawait bench.run();\nconsole.log(JSON.stringify(bench.tasks.map(({ name, result }) => ({ name, result }))));\n`,
    },
    words: [process.execPath, 'bench.mjs'],
  },
  vitest: {
    of: 'javascript',
    files: {
      'vitest.config.mjs': 'export default {};\n',
      'work.bench.mjs': `import { bench } from 'vitest';\n${javascript}bench('work', () => void work(), { time: 400 });\n`,
    },
    words: [join(root, 'node_modules/.bin/vitest'), 'bench', '--run', '--outputJson', 'OUT'],
  },
  'pytest-benchmark': {
    of: 'python',
    files: {
      'test_work.py': `import os\ndef work():\n    s = 0\n    for i in range(int(os.environ['WORK'])):\n        s = (s * 31 + i) & 0xffff\n    return s\ndef test_work(benchmark):\n    benchmark(work)\n`,
    },
    words: ['python3', '-m', 'pytest', '-q', '--benchmark-max-time=0.4', '--benchmark-json=OUT'],
  },
  'go test': {
    of: 'go',
    files: {
      'go.mod': 'module work\n\ngo 1.19\n',
      'work_test.go': `package work\nimport ("os"; "strconv"; "testing")\nvar Sink int32\nfunc BenchmarkWork(b *testing.B) {\n\tn, _ := strconv.Atoi(os.Getenv("WORK"))\n\tfor k := 0; k < b.N; k++ {\n\t\ts := int32(0)\n\t\tfor i := 0; i < n; i++ { s = s*31 + int32(i) }\n\t\tSink = s\n\t}\n}\n`,
    },
    extension: 'txt',
    before: ['go', 'test', '-c', '-o', 'work.test'],
    words: ['./work.test', '-test.bench=.', '-test.benchtime=100ms', '-test.count=5'],
  },
};

function execute(words, { folder, work, file }) {
  const [command, ...args] = words.map((word) => word.replace('OUT', file));
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    env: { ...process.env, WORK: String(work), CI: '1', NO_COLOR: '1' },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error === undefined && status === 0) return { stdout };
  return { trouble: error?.message ?? `${stderr}${stdout}`.trim().split('\n').at(-1) };
}

/** Writes the files of a tool, and executes it once. @returns why it cannot be used; `undefined` = it can */
function prepare(folder, { of, files, before, words }) {
  mkdirSync(folder);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const once = { folder, work: amount[of], file: join(folder, 'try') };
  return [before, words]
    .filter((all) => all !== undefined)
    .map((all) => execute(all, once).trouble)
    .find((trouble) => trouble !== undefined);
}

/** Writes the file of one execution, and returns its path. */
function makeFile({ words, extension = 'json' }, { folder, name, work }) {
  const file = join(folder, `${name}.${extension}`);
  const { stdout, trouble } = execute(words, { folder, work, file });
  if (trouble !== undefined) throw new Error(`${words.join(' ')}: ${trouble}`);
  if (!words.some((word) => word.includes('OUT'))) writeFileSync(file, stdout);
  return file;
}

/** Writes so many pairs of files, of which that of B does `more` times the work of A. */
function makePairs(tool, { folder, pairs, more }) {
  return Array.from({ length: pairs }, (_, pair) =>
    [1, more].map((factor, side) =>
      makeFile(tool, { folder, name: `${more}-${pair}-${side}`, work: Math.round(amount[tool.of] * factor) }),
    ),
  );
}

async function judgePairs(pairs) {
  const found = [];
  for (const files of pairs) {
    const { report } = await deadheat(['analyse', ...files], { plain: true });
    const [{ verdict, interval }] = report.comparisons;
    found.push({ verdict, ratio: interval?.estimate ?? 1 });
  }
  const ratiosOf = (verdict) => found.filter((one) => one.verdict === verdict).map(({ ratio }) => ratio);
  const [slower, faster] = [ratiosOf('slower'), ratiosOf('faster')];
  const farthest = Math.max(0, ...[...slower, ...faster].map((ratio) => Math.abs(ratio - 1)));
  return [pairs.length, slower.length, faster.length, percent(100 * farthest)];
}

/** @param given pairs a tool and load, the loads, and names of tools; without names all of them. */
export async function runLoads(given) {
  const [pairs = 20, ...loads] = given.map(Number).filter(Number.isFinite);
  const names = given.filter((word) => !Number.isFinite(Number(word)));
  printMachine();
  const base = mkdtempSync(join(tmpdir(), 'deadheat-import-loads-'));
  const rows = [];
  try {
    for (const [name, tool] of Object.entries(tools)) {
      if (names.length > 0 && !names.includes(name)) continue;
      const folder = join(base, name.replace(' ', '-'));
      const trouble = prepare(folder, tool);
      if (trouble !== undefined) {
        console.log(`left out: ${name}: ${trouble}`);
        continue;
      }
      for (const load of loads.length > 0 ? loads : [0, 20, 100]) {
        const [same, more] = await besideLoops(load, async () =>
          [1, 1.05].map((factor) => makePairs(tool, { folder, pairs, more: factor })),
        );
        rows.push([name, load, 'the same', ...(await judgePairs(same))]);
        rows.push([name, load, '5 % more', ...(await judgePairs(more))]);
        for (const row of rows.slice(-2)) console.log(row.join('  '));
      }
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
  printTable(['tool', 'load', 'work of B', 'pairs', 'slower', 'faster', 'largest change of these'], rows);
}
