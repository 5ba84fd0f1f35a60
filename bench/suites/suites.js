// Small made-up suites of benchmarks: what a repository holds, and the command that people type in it. An operation repeats its work
// `rounds` times, so that 21 in place of 20 are a slowdown of 5 %.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/tools.js';

/** Names of the benchmarks of a suite. */
export const names = ['sort', 'join', 'hash', 'search', 'sum'];

function works(command, ...args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** Installs a package of npm into the folder of the bench, once. */
function installs(folder, ...packages) {
  return works('npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', '--no-save', ...packages);
}

const camel = (name) => name[0].toUpperCase() + name.slice(1);
const each = (make) => names.map(make).join('\n');
const ignored = { '.gitignore': '.deadheat\nnode_modules\ntarget\n__pycache__\n.pytest_cache\n.benchmarks\nbuild\n' };

const javascript = (rounds) => ({
  ...ignored,
  'package.json':
    '{ "name": "suite", "version": "1.0.0", "type": "module", "private": true, "scripts": { "bench": "node bench.js" } }\n',
  'work.js': `const rounds = ${JSON.stringify(rounds)};
const numbers = Array.from({ length: 60 }, (_, n) => (n * 7919) % 61);
const words = Array.from({ length: 60 }, (_, n) => 'word' + n);
const text = words.join(' ');
const once = {
  sort: () => [...numbers].sort((a, b) => a - b)[3],
  join: () => words.join(',').length + words.join(';').length,
  hash: () => { let h = 0; for (let n = 0; n < text.length; n += 1) h = (h * 31 + text.charCodeAt(n)) | 0; return h; },
  search: () => numbers.indexOf(60) + words.findIndex((word) => word.endsWith('59')),
  sum: () => { let sum = 0; for (let n = 0; n < 600; n += 1) sum = (sum + numbers[n % 60] * n) % 1000003; return sum; },
};
function repeat(name) {
  const work = once[name];
  const count = rounds[name];
  return () => { let sum = 0; for (let n = 0; n < count; n += 1) sum += work(); return sum; };
}
export const works = Object.fromEntries(Object.keys(once).map((name) => [name, repeat(name)]));
`,
});

const linked = (folder) => ({ link: { from: folder, to: 'node_modules' } });

const vitestBench = `import { bench, describe } from 'vitest';
import { works } from './work.js';
describe('works', () => { for (const [name, work] of Object.entries(works)) bench(name, () => { work(); }); });
`;
const vitest5Bench = `import { bench, describe, test } from 'vitest';
import { works } from './work.js';
describe('works', () => { for (const [name, work] of Object.entries(works)) test(name, async ({ bench }) => { await bench(name, () => { work(); }).run(); }); });
`;

const go = (rounds) => ({
  ...ignored,
  'go.mod': 'module suite\n\ngo 1.19\n',
  'work.go': `package suite

import (
	"sort"
	"strings"
)

var numbers, words = make([]int, 60), make([]string, 60)
var text string

func init() {
	for n := range numbers {
		numbers[n] = n * 7919 % 61
		words[n] = "word" + string(rune('a'+n%26)) + string(rune('a'+n/26))
	}
	text = strings.Join(words, " ")
}

func Sort() (sum int) {
	for r := 0; r < ${rounds.sort}; r++ {
		own := append([]int(nil), numbers...)
		sort.Ints(own)
		sum += own[3]
	}
	return
}

func Join() (sum int) {
	for r := 0; r < ${rounds.join}; r++ {
		sum += len(strings.Join(words, ",")) + len(strings.Join(words, ";"))
	}
	return
}

func Hash() (h uint32) {
	for r := 0; r < ${rounds.hash}; r++ {
		for n := 0; n < len(text); n++ {
			h = h*31 + uint32(text[n])
		}
	}
	return
}

func Search() (sum int) {
	for r := 0; r < ${rounds.search}; r++ {
		sum += strings.Index(text, "wordhc") + strings.Index(text, "wordgc")
	}
	return
}

func Sum() (sum int) {
	for r := 0; r < ${rounds.sum}; r++ {
		for n := 0; n < 600; n++ {
			sum = (sum + numbers[n%60]*n) % 1000003
		}
	}
	return
}
`,
  'work_test.go': `package suite

import "testing"

var sink int

${each(
  (name) => `func Benchmark${camel(name)}(b *testing.B) {
	for n := 0; n < b.N; n++ {
		sink += int(${camel(name)}())
	}
}
`,
)}`,
});

const rustWork = (rounds) => `fn numbers() -> Vec<u32> { (0..60).map(|n| n * 7919 % 61).collect() }
fn words() -> Vec<String> { (0..60).map(|n| format!("word{}", n)).collect() }
pub struct Data { numbers: Vec<u32>, words: Vec<String>, text: String }
impl Data {
    pub fn new() -> Data { let words = words(); Data { numbers: numbers(), text: words.join(" "), words } }
    #[inline(never)] pub fn sort(&self) -> u32 { (0..${rounds.sort}).map(|_| { let mut own = std::hint::black_box(&self.numbers).clone(); own.sort(); own[3] }).sum() }
    #[inline(never)] pub fn join(&self) -> u32 { (0..${rounds.join}).map(|_| std::hint::black_box(&self.words).join(",").len() as u32).sum() }
    #[inline(never)] pub fn hash(&self) -> u32 { (0..${rounds.hash}).fold(7u32, |h, _| std::hint::black_box(&self.text).bytes().fold(h, |h, b| h.wrapping_mul(31).wrapping_add(b as u32))) }
    #[inline(never)] pub fn search(&self) -> u32 { (0..${rounds.search}).map(|_| std::hint::black_box(&self.text).find("word59").unwrap_or(0) as u32).sum() }
    #[inline(never)] pub fn sum(&self) -> u32 { (0..${rounds.sum}).fold(0u32, |s, _| (0..600u32).fold(s, |s, n| (s + std::hint::black_box(&self.numbers)[(n % 60) as usize] * n) % 1000003)) }
}
`;

const rust = (rounds) => ({
  ...ignored,
  'Cargo.toml': '[package]\nname = "suite"\nversion = "0.1.0"\nedition = "2018"\n\n[lib]\nbench = false\n',
  'src/lib.rs': rustWork(rounds),
  'benches/work.rs': `#![feature(test)]
extern crate test;
${each((name) => `#[bench] fn ${name}(b: &mut test::Bencher) { let data = suite::Data::new(); b.iter(|| data.${name}()); }`)}
`,
});

const criterion = (rounds) => ({
  ...rust(rounds),
  'Cargo.toml':
    '[package]\nname = "suite"\nversion = "0.1.0"\nedition = "2018"\n\n[lib]\nbench = false\n\n[dev-dependencies]\ncriterion = { version = "0.3", default-features = false }\n\n[[bench]]\nname = "work"\nharness = false\n',
  '.cargo/config.toml':
    '[source.crates-io]\nreplace-with = "debian"\n\n[source.debian]\ndirectory = "/usr/share/cargo/registry"\n',
  'benches/work.rs': `use criterion::{criterion_group, criterion_main, Criterion};
fn works(c: &mut Criterion) {
    let data = suite::Data::new();
${each((name) => `    c.bench_function("${name}", |b| b.iter(|| data.${name}()));`)}
}
criterion_group!(benches, works);
criterion_main!(benches);
`,
});

const pythonWork = (rounds) => `numbers = [n * 7919 % 61 for n in range(60)]
words = ["word%d" % n for n in range(60)]
text = " ".join(words)

def sort():
    return sum(sorted(numbers)[3] for _ in range(${rounds.sort}))

def join():
    return sum(len(",".join(words)) for _ in range(${rounds.join}))

def hash():
    h = 0
    for _ in range(${rounds.hash}):
        for c in words:
            h = (h * 31 + len(c)) & 0xffffffff
    return h

def search():
    return sum(text.find("word59") for _ in range(${rounds.search}))

def sum_():
    s = 0
    for _ in range(${rounds.sum}):
        for n in numbers:
            s = (s + n * 7) % 1000003
    return s
`;

const pytest = (rounds) => ({
  ...ignored,
  'work.py': pythonWork(rounds),
  'test_work.py': `import work\n\n${each((name) => `def test_${name}(benchmark):\n    benchmark(work.${name === 'sum' ? 'sum_' : name})\n`)}`,
});

const cppWork = (rounds) => `#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>
struct Data {
  std::vector<int> numbers; std::vector<std::string> words; std::string text;
  Data() { for (int n = 0; n < 60; n++) { numbers.push_back(n * 7919 % 61); words.push_back("word" + std::to_string(n)); text += words.back() + " "; } }
};
inline Data& data() { static Data made; return made; }
template <class T> inline void keep(T const& value) { asm volatile("" : : "r,m"(value) : "memory"); }
inline long sort() { long sum = 0; for (int r = 0; r < ${rounds.sort}; r++) { auto own = data().numbers; keep(own); std::sort(own.begin(), own.end()); sum += own[3]; } return sum; }
inline long join() { long sum = 0; for (int r = 0; r < ${rounds.join}; r++) { std::string all; for (auto& word : data().words) { all += word; all += ','; } keep(all); sum += all.size(); } return sum; }
inline long hash() { uint32_t h = 7; for (int r = 0; r < ${rounds.hash}; r++) { for (char c : data().text) h = h * 31 + c; keep(h); } return h; }
inline long search() { long sum = 0; for (int r = 0; r < ${rounds.search}; r++) { keep(data().text); sum += data().text.find("word59"); } return sum; }
inline long sum() { long sum = 0; for (int r = 0; r < ${rounds.sum}; r++) { keep(data().numbers); for (int n = 0; n < 600; n++) sum = (sum + data().numbers[n % 60] * n) % 1000003; } return sum; }
`;

const google = (rounds) => ({
  ...ignored,
  'work.hpp': cppWork(rounds),
  'bench.cpp': `#include <benchmark/benchmark.h>
#include "work.hpp"
${each((name) => `static void BM_${name}(benchmark::State& state) { for (auto _ : state) benchmark::DoNotOptimize(${name}()); }\nBENCHMARK(BM_${name});`)}
BENCHMARK_MAIN();
`,
  Makefile:
    'bench: build/bench\n\t./build/bench\n\nbuild/bench: bench.cpp work.hpp\n\tmkdir -p build\n\t$(CXX) -O2 -o $@ bench.cpp -lbenchmark -lpthread\n',
});

const catch2 = (rounds) => ({
  ...ignored,
  'work.hpp': cppWork(rounds),
  'bench.cpp': `#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include <catch2/catch.hpp>
#include "work.hpp"
TEST_CASE("works") {
${each((name) => `  BENCHMARK("${name}") { return ${name}(); };`)}
}
`,
  Makefile: 'build/bench: bench.cpp work.hpp\n\tmkdir -p build\n\t$(CXX) -O2 -o $@ bench.cpp\n',
});

const jmh = (rounds) => ({
  ...ignored,
  'Work.java': `package suite;

import java.util.*;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.*;

@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
public class Work {
  int[] numbers = new int[60];
  String[] words = new String[60];
  String text;

  public Work() {
    for (int n = 0; n < 60; n++) { numbers[n] = n * 7919 % 61; words[n] = "word" + n; }
    text = String.join(" ", words);
  }

  @Benchmark public long sort() { long sum = 0; for (int r = 0; r < ${rounds.sort}; r++) { int[] own = numbers.clone(); Arrays.sort(own); sum += own[3]; } return sum; }
  @Benchmark public long join() { long sum = 0; for (int r = 0; r < ${rounds.join}; r++) sum += String.join(",", words).length(); return sum; }
  @Benchmark public long hash() { int h = 7; for (int r = 0; r < ${rounds.hash}; r++) for (int n = 0; n < text.length(); n++) h = h * 31 + text.charAt(n); return h; }
  @Benchmark public long search() { long sum = 0; for (int r = 0; r < ${rounds.search}; r++) sum += text.indexOf("word5" + (r % 10)); return sum; }
  @Benchmark public long sum() { long sum = 0; for (int r = 0; r < ${rounds.sum}; r++) for (int n = 0; n < 600; n++) sum = (sum + numbers[n % 60] * n) % 1000003; return sum; }
}
`,
});

/** Jar that holds JMH with its packages and its generator; absent = the suite is skipped. */
const jmhJar = process.env.DEADHEAT_JMH ?? '';
const own = join(root, 'node_modules');

/**
 * The suites. `ready(folder)`: true where their tools are there, in a folder that is kept over all experiments; `files(rounds)`: the
 * repository; `planted`: the benchmark that gets slower; `command`: what is typed; `build`: how a side is built; `settled`: the rounds of
 * a benchmark, 20 when absent.
 */
export const suites = {
  'vitest 4': {
    ready: () => existsSync(join(own, 'vitest')),
    files: (rounds) => ({ ...javascript(rounds), 'work.bench.js': vitestBench }),
    ...linked(own),
    planted: 'hash',
    command: 'npx vitest bench --run',
  },
  'vitest 5': {
    ready: (folder) => installs(folder, 'vitest@5.1.1', 'node@22'),
    files: (rounds) => ({ ...javascript(rounds), 'work.bench.js': vitest5Bench }),
    ...linked(null),
    planted: 'sum',
    command: 'node node_modules/vitest/vitest.mjs bench --run',
  },
  tinybench: {
    ready: () => existsSync(join(own, 'tinybench')),
    files: (rounds) => ({
      ...javascript(rounds),
      'bench.js': `import { Bench } from 'tinybench';
import { works } from './work.js';
const bench = new Bench();
for (const [name, work] of Object.entries(works)) bench.add(name, () => { work(); });
await bench.run();
console.table(bench.table());
`,
    }),
    ...linked(own),
    planted: 'sort',
    command: 'npm run bench',
  },
  mitata: {
    ready: () => existsSync(join(own, 'mitata')),
    files: (rounds) => ({
      ...javascript(rounds),
      'bench.js': `import { bench, run } from 'mitata';
import { works } from './work.js';
for (const [name, work] of Object.entries(works)) bench(name, work);
await run();
`,
    }),
    ...linked(own),
    planted: 'join',
    command: 'node bench.js',
  },
  'Benchmark.js': {
    ready: (folder) => installs(folder, 'benchmark@2.1.4'),
    files: (rounds) => ({
      ...javascript(rounds),
      'bench.js': `import Benchmark from 'benchmark';
import { works } from './work.js';
const suite = new Benchmark.Suite();
for (const [name, work] of Object.entries(works)) suite.add(name, work);
suite.on('cycle', (event) => console.log(String(event.target))).run();
`,
    }),
    ...linked(null),
    planted: 'hash',
    command: 'node bench.js',
  },
  'go test': { ready: () => works('go', 'version'), files: go, planted: 'sort', command: 'go test -bench .' },
  'go test, make': {
    ready: () => works('go', 'version'),
    files: (rounds) => ({ ...go(rounds), Makefile: 'bench:\n\tgo test -run ^$$ -bench . ./...\n' }),
    planted: 'hash',
    command: 'make bench',
  },
  'cargo bench': {
    ready: () => works('cargo', '--version'),
    files: rust,
    planted: 'join',
    build: 'cargo bench --no-run',
    environment: { RUSTC_BOOTSTRAP: '1' },
    command: 'cargo bench',
  },
  criterion: {
    ready: () => works('cargo', '--version') && existsSync('/usr/share/cargo/registry/criterion-0.3.6'),
    files: criterion,
    planted: 'sum',
    build: 'cargo bench --no-run',
    command: 'cargo bench',
  },
  'pytest-benchmark': {
    ready: () => works('/usr/bin/python3', '-c', 'import pytest_benchmark'),
    files: pytest,
    planted: 'sort',
    command: '/usr/bin/python3 -m pytest',
  },
  timeit: {
    ready: () => works('python3', '--version'),
    files: pytest,
    planted: 'hash',
    only: 'hash',
    command: "python3 -m timeit -s 'import work' 'work.hash()'",
  },
  'Google Benchmark': {
    ready: () => works('g++', '--version') && existsSync('/usr/include/benchmark/benchmark.h'),
    files: google,
    planted: 'search',
    build: 'make build/bench',
    command: 'make bench',
  },
  Catch2: {
    ready: () => works('g++', '--version') && existsSync('/usr/include/catch2/catch.hpp'),
    files: catch2,
    planted: 'sort',
    build: 'make build/bench',
    command: './build/bench',
  },
  JMH: {
    ready: () => works('javac', '-version') && existsSync(jmhJar),
    files: jmh,
    planted: 'join',
    build: `mkdir -p build && javac -cp ${jmhJar} -d build Work.java`,
    command: `java -cp build:${jmhJar} org.openjdk.jmh.Main`,
  },
};
