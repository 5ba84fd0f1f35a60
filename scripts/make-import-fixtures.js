// Makes the result files of real tools in core/readers/test/import/fixtures, a pair each: the new side does half as
// much work again as the old one. Tools that are absent are named and their files left as they are. Numbers in the files are of
// no interest; keep the machine as it is.
//
//   node scripts/make-import-fixtures.js [NAME...]      hyperfine google-benchmark pyperf go-bench tinybench mitata vitest-4 vitest-5
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const fixtures = join(root, 'core/readers/test/import/fixtures');
const sizes = { old: 1000, new: 1500 };
const work = mkdtempSync(join(tmpdir(), 'deadheat-fixtures-'));

const has = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;
const run = (program, args, options = {}) =>
  execFileSync(program, args, {
    cwd: work,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  });
const place = (name) => {
  const path = join(work, name);
  mkdirSync(dirname(path), { recursive: true });
  return path;
};

/** Writes a file of the fixtures without what tells where it was made. */
function keep(name, text) {
  const path = join(fixtures, name);
  mkdirSync(dirname(path), { recursive: true });
  const clean = text.replaceAll(work, '/home/user/project').replaceAll(hostname(), 'box');
  writeFileSync(path, clean.endsWith('\n') ? clean : `${clean}\n`);
}

const sorting = (size) => `Array.from({ length: ${size} }, (_, i) => (i * 7919) % 1009).sort((a, b) => a - b)`;

const makers = {
  hyperfine(side, size) {
    if (!has('hyperfine', '--version')) return 'hyperfine is not installed';
    writeFileSync(place('sort.sh'), `i=0\nwhile [ $i -lt $1 ]; do i=$((i + 1)); done\n`);
    const out = place('hyperfine.json');
    run('hyperfine', ['-N', '-r', '12', '-w', '1', '-n', 'count', '--export-json', out, `sh sort.sh ${size * 10}`]);
    keep(`hyperfine/${side}.json`, readFileSync(out, 'utf8'));
  },

  'google-benchmark'(side, size) {
    if (!existsSync('/usr/include/benchmark/benchmark.h')) return 'libbenchmark-dev is not installed';
    writeFileSync(
      place('bench.cc'),
      `#include <benchmark/benchmark.h>
#include <algorithm>
#include <vector>
static void sort(benchmark::State& state) {
  std::vector<int> all(SIZE);
  for (auto _ : state) {
    for (int i = 0; i < SIZE; i++) all[i] = (i * 7919) % 1009;
    std::sort(all.begin(), all.end());
    benchmark::DoNotOptimize(all.data());
  }
}
static void refuse(benchmark::State& state) { state.SkipWithError("not here"); for (auto _ : state) {} }
BENCHMARK(sort)->Name("sort/n")->ComputeStatistics("max", [](const std::vector<double>& v) { return *std::max_element(v.begin(), v.end()); });
BENCHMARK(refuse);
BENCHMARK_MAIN();
`,
    );
    run('g++', ['-O2', `-DSIZE=${size}`, 'bench.cc', '-o', 'bench', '-lbenchmark', '-lpthread']);
    const flags = ['--benchmark_format=json', '--benchmark_repetitions=10', '--benchmark_min_time=0.01'];
    keep(`google-benchmark/${side}.json`, run(join(work, 'bench'), flags));
  },

  pyperf(side, size) {
    if (!has('python3', '-c', 'import pyperf')) return 'pyperf is not installed';
    const out = place('pyperf.json.gz');
    rmSync(out, { force: true });
    const statement = `sorted([(i * 7919) % 1009 for i in range(${size})])`;
    run('python3', ['-m', 'pyperf', 'timeit', '-q', '--fast', '--name', 'sort', '-o', out, statement]);
    mkdirSync(join(fixtures, 'pyperf'), { recursive: true });
    copyFileSync(out, join(fixtures, `pyperf/${side}.json.gz`));
  },

  'go-bench'(side, size) {
    if (!has('go', 'version')) return 'go is not installed';
    writeFileSync(place('go/go.mod'), 'module example.org/sorting\n');
    writeFileSync(
      place('go/sort_test.go'),
      `package sorting

import (
	"sort"
	"testing"
)

func BenchmarkSort(b *testing.B) {
	b.ReportAllocs()
	for n := 0; n < b.N; n++ {
		all := make([]int, ${size})
		for i := range all {
			all[i] = (i * 7919) % 1009
		}
		sort.Ints(all)
	}
}
`,
    );
    const env = { ...process.env, GOCACHE: join(work, 'cache'), GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' };
    // Five programs one after the other: five runs.
    const runs = Array.from({ length: 5 }, () =>
      run('go', ['test', '-bench=.', '-count=3', '-benchtime=10ms', '-run=^$'], { env, cwd: join(work, 'go') }),
    );
    keep(`go-bench/${side}.txt`, runs.join(''));
  },

  tinybench(side, size) {
    linkModules();
    writeFileSync(
      place('tinybench.mjs'),
      `import { Bench } from 'tinybench';
const bench = new Bench({ iterations: 40, time: 0, warmupIterations: 5, warmupTime: 0, retainSamples: true });
bench.add('sort', () => { ${sorting(size)}; });
bench.add('fails', () => { throw new Error('on purpose'); });
await bench.run();
console.log(JSON.stringify(bench.tasks.map(({ name, result }) => ({ name, result }))));
`,
    );
    keep(`tinybench/${side}.json`, run(process.execPath, ['tinybench.mjs']));
  },

  mitata(side, size) {
    linkModules();
    writeFileSync(
      place('mitata.mjs'),
      `import { bench, run } from 'mitata';
bench('sort', () => { ${sorting(size)}; });
await run({ format: 'json', print: (text) => process.stdout.write(text + '\\n') });
`,
    );
    const made = JSON.parse(run(process.execPath, ['mitata.mjs']));
    // A part of the samples and no sources, so that the file stays small.
    for (const { runs } of made.benchmarks) {
      for (const { stats } of runs) {
        stats.samples = stats.samples.filter((_, index) => index % 20 === 0);
        stats.debug = '';
      }
    }
    made.context.noop = {};
    keep(`mitata/${side}.json`, JSON.stringify(made));
  },

  'vitest-4'(side, size) {
    linkModules();
    writeFileSync(
      place('four/sort.bench.js'),
      `import { bench, describe } from 'vitest';
describe('arrays', () => { bench('sort', () => { ${sorting(size)}; }, { iterations: 40, time: 0, warmupTime: 1 }); });
`,
    );
    const out = place('vitest-4.json');
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    run(process.execPath, [vitest, 'bench', '--run', '--outputJson', out], {
      cwd: join(work, 'four'),
      stdio: 'ignore',
    });
    keep(`vitest-4/${side}.json`, readFileSync(out, 'utf8'));
  },

  'vitest-5'(side, size) {
    const folder = dirname(place('five/package.json'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n');
    if (!existsSync(join(folder, 'node_modules/vitest'))) {
      if (
        spawnSync('npm', ['install', '--no-audit', '--no-fund', 'vitest@5'], { cwd: folder, stdio: 'ignore' }).status
      ) {
        return 'vitest 5 cannot be installed';
      }
    }
    writeFileSync(
      join(folder, 'vitest.config.js'),
      `export default { test: { benchmark: { include: ['*.bench.js'], retainSamples: true } } };\n`,
    );
    writeFileSync(
      join(folder, 'sort.bench.js'),
      `import { test } from 'vitest';
test('arrays', async ({ bench }) => {
  await bench('sort', () => { ${sorting(size)}; }).run({ iterations: 40, time: 0, warmupTime: 1 });
});
`,
    );
    const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
    const out = join(folder, 'out.json');
    run(process.execPath, [vitest, 'bench', '--run', '--reporter=json', '--outputFile', out], {
      cwd: folder,
      stdio: 'ignore',
    });
    keep(`vitest-5/${side}.json`, readFileSync(out, 'utf8'));
  },
};

/** Lets programs in the work folder import what this repository has installed. */
function linkModules() {
  if (!existsSync(join(work, 'node_modules'))) symlinkSync(join(root, 'node_modules'), join(work, 'node_modules'));
}

try {
  const wanted = process.argv.slice(2);
  for (const name of wanted.length > 0 ? wanted : Object.keys(makers)) {
    const make = makers[name];
    if (make === undefined) throw new Error(`there is no ${name}; choose from ${Object.keys(makers).join(', ')}`);
    const missing = Object.entries(sizes).map(([side, size]) => make(side, size))[0];
    console.log(missing === undefined ? `${name}: made` : `${name}: left as it is, ${missing}`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
