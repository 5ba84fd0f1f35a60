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
];
