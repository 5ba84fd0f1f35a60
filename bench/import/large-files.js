import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

/** Writes pieces until a file has a size; `piece(k)` is the k-th, `last` ends it. */
async function writeFile(path, size, { first = '', piece, last = '' }) {
  const stream = createWriteStream(path);
  stream.write(first);
  let written = first.length;
  for (let k = 0; written < size; k++) {
    const text = piece(k);
    written += text.length;
    if (!stream.write(text)) await once(stream, 'drain');
  }
  stream.end(last);
  await once(stream, 'finish');
}

const jmhHead = (name, unit) =>
  `{"jmhVersion":"1.37","benchmark":"${name}","mode":"sample","threads":1,"forks":1,"measurementTime":"1 s",` +
  `"primaryMetric":{"score":1,"scoreUnit":"${unit}",`;
const series = (count, step, text) => Array.from({ length: count }, (_, k) => text(step + k)).join(',');

/** Files as large as people have them: a histogram or single iterations, in many forks. */
export const largeFiles = [
  {
    name: 'JMH JSON, sample mode',
    file: 'sample.json',
    write: (path, size) => {
      // A fork of ten iterations of a thousand bins.
      const fork = (k) =>
        `[${series(10, k, (i) => `[${series(1000, i, (v) => `[${(v % 97) + 0.123},${(v % 7) + 1}]`)}]`)}]`;
      return writeFile(path, size, {
        first: `[${jmhHead('large.Sampled.run', 'us/op')}"rawDataHistogram":[${fork(0)}`,
        piece: (k) => `,\n${fork(k)}`,
        last: ']}}]',
      });
    },
  },
  {
    name: 'JMH JSON, many results',
    file: 'results.json',
    write: (path, size) => {
      const result = (k) => {
        // JMH writes a number a line, indented by its depth.
        const fork = (i) =>
          `\n                [\n${series(100, i, (v) => `\n                    ${123.45678901 + (v % 89)}`)}\n                ]`;
        const raw = `[${series(10, k, fork)}\n            ]`;
        return `${jmhHead(`large.Measured.run${k}`, 'ns/op').replace('sample', 'avgt')}"rawData":${raw}}}`;
      };
      return writeFile(path, size, { first: `[${result(0)}`, piece: (k) => `,\n${result(k + 1)}`, last: ']' });
    },
  },
  {
    name: 'pa CSV, histograms',
    file: 'pa.csv',
    write: (path, size) =>
      writeFile(path, size, {
        first: 'project;commit;benchmark;params;instance;trial;fork;iteration;mode;unit;value_count;value\n',
        piece: (k) => {
          const before = `example;c0ffee;org.example.Large.run;size=1000;i-1;${k % 7};${Math.floor(k / 700)};${Math.floor(k / 7) % 100};sample;ns/op`;
          return Array.from({ length: 500 }, (_, v) => `${before};${(v % 9) + 1};${1000.5 + (v % 83)}\n`).join('');
        },
      }),
  },
  {
    name: 'pa CSV, a row an iteration',
    file: 'pa-rows.csv',
    write: (path, size) =>
      writeFile(path, size, {
        first: 'project;commit;benchmark;params;instance;trial;fork;iteration;mode;unit;value_count;value\n',
        piece: (k) =>
          Array.from(
            { length: 500 },
            (_, i) =>
              `example;c0ffee;org.example.Large.run${k % 50};size=1000;i-1;0;${Math.floor(k / 50)};${i};avgt;ns/op;1;${1000.5 + (i % 83)}\n`,
          ).join(''),
      }),
  },
  {
    name: 'Google Benchmark JSON',
    file: 'google.json',
    write: (path, size) => {
      const row = (k) =>
        `{"name":"BM_run/${k % 50}","run_name":"BM_run/${k % 50}","run_type":"iteration","repetitions":10,"repetition_index":${k % 10},` +
        `"threads":1,"iterations":1308,"real_time":${40_000.5 + (k % 83)},"cpu_time":${39_000.5 + (k % 83)},"time_unit":"ns"}`;
      return writeFile(path, size, {
        first: `{"context":{"host_name":"box"},"benchmarks":[\n${row(0)}`,
        piece: (k) => `,\n${Array.from({ length: 500 }, (_, i) => row(500 * k + i)).join(',\n')}`,
        last: ']}',
      });
    },
  },
  {
    name: 'go test -bench',
    file: 'go.txt',
    write: (path, size) =>
      writeFile(path, size, {
        first: 'goos: linux\npkg: example.org/large\n',
        piece: (k) =>
          Array.from(
            { length: 500 },
            (_, i) => `BenchmarkSort/size=${i % 50}-2   \t   10000\t    ${1000 + ((k + i) % 83)} ns/op\t  16 B/op\n`,
          ).join(''),
        last: 'ok  example.org/large 1s\n',
      }),
  },
  {
    name: 'any CSV',
    file: 'plain.csv',
    options: { format: 'csv', columns: { time: 'ms', run: 'run' }, unit: 'ms' },
    write: (path, size) =>
      writeFile(path, size, {
        first: 'run,ms\n',
        piece: (k) => {
          const row = (i) => `${Math.floor(k / 200)},${1000.5 + ((k + i) % 83)}${100 + ((i * 79) % 900)}\n`;
          return Array.from({ length: 500 }, (_, i) => row(i)).join('');
        },
      }),
  },
  {
    name: 'CSV of duetbench',
    file: 'duet.csv',
    write: (path, size) =>
      writeFile(path, size, {
        first: 'suite,benchmark,type,runid,pair,iteration,iteration_start_ns,iteration_end_ns,iteration_time_ns\n',
        piece: (k) =>
          Array.from({ length: 500 }, (_, i) => {
            const start = 1_000_000_000 * k + 1_000_000 * i;
            const time = 900_000 + (i % 83);
            return `large,run${k % 50},duet,${Math.floor(k / 50)},${'AB'[i % 2]},${i >> 1},${start},${start + time},${time}\n`;
          }).join(''),
      }),
  },
  {
    name: 'any JSON lines',
    file: 'lines.jsonl',
    options: { format: 'json-lines', columns: { time: 'ms', run: 'fork', benchmark: 'name' }, unit: 'ms' },
    write: (path, size) =>
      writeFile(path, size, {
        piece: (k) =>
          Array.from(
            { length: 500 },
            (_, i) =>
              `{"name":"sort${i % 5}","fork":${Math.floor(k / 20)},"ms":${100.5 + ((k + i) % 83)},"host":"box"}\n`,
          ).join(''),
      }),
  },
  {
    name: 'JSON of steady-state series',
    file: 'series.json',
    write: (path, size) => {
      const fork = (k) => `[${series(3000, k, (i) => `0.000${2162 + ((i * 79) % 883)}`)}]`;
      return writeFile(path, size, {
        first: `{"benchmark":"owner__name#Large.run","unit":"s","series":[${fork(0)}`,
        piece: (k) => `,${fork(k + 1)}`,
        last: ']}',
      });
    },
  },
  {
    name: 'hyperfine JSON',
    file: 'hyperfine.json',
    write: (path, size) => {
      const time = (k) => `\n        0.${89_414_230 + ((k * 7919) % 883_000)}`;
      const exits = Math.floor(size / 40);
      return writeFile(path, size - 12 * exits, {
        first: `{"results":[{"command":"count","mean":0.1,"stddev":0.03,"median":0.1,"user":0.02,"system":0.001,"min":0.08,"max":0.2,"times":[${time(0)}`,
        piece: (k) => `,${series(500, 500 * k, time)}`,
        last: `],"exit_codes":[${Array.from({ length: exits }, () => '\n         0').join(',')}]}]}`,
      });
    },
  },
  {
    name: "bash's time",
    file: 'time.txt',
    write: (path, size) =>
      writeFile(path, size, {
        piece: (k) =>
          series(
            500,
            500 * k,
            (i) => `\nreal\t0m0.${400 + (i % 83)}s\nuser\t0m0.${390 + (i % 83)}s\nsys\t0m0.010s\n`,
          ).replaceAll(',', ''),
      }),
  },
  {
    name: 'log of SPEC CPU',
    file: 'spec.log',
    write: (path, size) =>
      writeFile(path, size, {
        first: 'Running (#1) 505.mcf_r refrate (ref) base example (1 copy) [2022-06-01 14:04:52]\n',
        piece: (k) => {
          const start = 1_654_092_292 + 300 * k;
          // Most of a log is about what is compiled and checked.
          const rest = Array.from(
            { length: 60 },
            (_, i) => `  Specinvoke: copying mcf_r_base.example-m64.${i} into run/base/0000\n`,
          );
          return ` Rate Start: 2022-06-01 14:04:52 (${start}.28303)\n${rest.join('')} Rate End: 2022-06-01 14:10:00 (${start + 290 + (k % 9)}.04403)\n`;
        },
      }),
  },
  {
    name: 'Catch2 XML, a benchmark each',
    file: 'catch2.xml',
    write: (path, size) =>
      writeFile(path, size, {
        first:
          '<?xml version="1.0" encoding="UTF-8"?>\n<Catch2TestRun name="bench" catch2-version="3.5.2">\n<TestCase name="Sorting &amp; merging" line="9">\n',
        piece: (k) =>
          Array.from(
            { length: 100 },
            (
              _,
              i,
            ) => `        <BenchmarkResults name="sort &lt;int> ${100 * k + i}" samples="100" resamples="100000" iterations="3" clockResolution="27.6" estimatedDuration="4100000">
          <!--All values in nano seconds-->
          <mean value="${49_000.1 + i}" lowerBound="48580.4" upperBound="49561.8" ci="0.95"/>
          <standardDeviation value="1472.13" lowerBound="1177.71" upperBound="1913.77" ci="0.95"/>
          <outliers variance="0.1" lowMild="0" lowSevere="0" highMild="2" highSevere="1"/>
        </BenchmarkResults>\n`,
          ).join(''),
        last: '</TestCase></Catch2TestRun>\n',
      }),
  },
  {
    name: 'JMH CSV, a benchmark a row',
    file: 'jmh.csv',
    write: (path, size) =>
      writeFile(path, size, {
        first: '"Benchmark","Mode","Threads","Samples","Score","Score Error (99.9%)","Unit","Param: size"\n',
        piece: (k) =>
          Array.from(
            { length: 500 },
            (_, i) => `"org.example.Sorting.sort","avgt",1,12,${121.763 + i},4.1,"us/op",${500 * k + i}\n`,
          ).join(''),
      }),
  },
];
