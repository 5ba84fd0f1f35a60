// Whether pilot runs take a program for what it is beside any load: npm run bench -- real classes [pilots a program and load]
// [load ...]. The class is what the chosen method stands for: one busy core, several threads, or waiting. One pilot of each of
// 30 programs beside 0, 10, 50 and 100 busy loops takes about 20 minutes on two cores.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { besideLoops } from '../lib/neighbours.js';
import { countsOf, deadheat, percent, printMachine, printTable, quote } from '../lib/tools.js';

const nodes = {
  json: 'const o=[...Array(300)].map((_,i)=>({i,n:"n"+i})); let s=0; for(let k=0;k<N*9;k++) s+=JSON.parse(JSON.stringify(o)).length',
  regex:
    'const t="k1=v2;".repeat(2000); let s=0; for(let k=0;k<N*6;k++) for(const m of t.matchAll(/k(\\d)=v(\\d);/g)) s+=m.length',
  map: 'let s=0; for(let k=0;k<N*4;k++){const m=new Map(); for(let i=0;i<8000;i++) m.set("w"+i%997,i); s+=m.size}',
  sort: 'let s=0; for(let k=0;k<N*2;k++){const a=[...Array(15000)].map((_,i)=>(i*7919)%10007); a.sort((x,y)=>x-y); s+=a[3]}',
  loop: 'let s=0; for(let i=0;i<N*4e6;i++) s=(s*31+i)|0',
  text: 'let s=""; for(let i=0;i<N*9e4;i++) s+=i; s.length',
  floats:
    'const a=new Float64Array(1e5); let s=0; for(let k=0;k<N*20;k++) for(let i=0;i<1e5;i++) s+=a[i]=Math.sin(s+i)>0?1:2',
  objects: 'let s=0; for(let i=0;i<N*4e5;i++){const o={a:i,b:[i]}; s+=o.b.length}',
  hash: 'const c=require("crypto"); let h="x"; for(let i=0;i<N*6e3;i++) h=c.createHash("sha256").update(h).digest("hex")',
  start: '1',
};
const python = {
  loop: 's=0\nfor i in range(N*350000): s=(s*31+i)&0xffff',
  dict: 'd={}\nfor i in range(N*200000): d[i%997]=i',
  sort: 'for k in range(N*7): sorted((i*7919)%10007 for i in range(15000))',
};
const shell = (unit) => ({
  gzip: `head -c ${unit * 900_000} FILE | gzip -c > /dev/null`,
  xz: `xz -T1 -1 -c FILE > /dev/null`,
  bzip2: `head -c ${unit * 300_000} FILE | bzip2 -c > /dev/null`,
  perl: `perl -e 'for(1..${unit}*700000){$s=($s*31+$_)&65535}'`,
  awk: `awk 'BEGIN{for(i=0;i<${unit}*600000;i++) s+=i%7}'`,
  shell: `sh -c 'i=0; while [ $i -lt ${unit * 60_000} ]; do i=$((i+1)); done'`,
  openssl: `openssl dgst -sha256 FILE`,
});
const threaded = (threads, rounds) => `#include <pthread.h>
static void *work(void *arg) { volatile unsigned s = 1; for (long i = 0; i < ${rounds}; i++) s = s * 31 + i; return arg; }
int main(void) { pthread_t t[${threads}]; for (int k = 0; k < ${threads}; k++) pthread_create(&t[k], 0, work, 0);
  for (int k = 0; k < ${threads}; k++) pthread_join(t[k], 0); return 0; }`;

/** The class of the programs of a group. */
const classes = { node: 'one busy core', 'one thread': 'one busy core', threads: 'several threads' };

function makePrograms(folder) {
  const file = join(folder, 'text');
  writeFileSync(file, Array.from({ length: 200_000 }, (_, i) => `word ${(i * 7919) % 10_007}`).join('\n'));
  const programs = [];
  const add = (group, name, command, expected = classes[group]) => programs.push({ group, name, command, expected });
  for (const [name, code] of Object.entries(nodes)) {
    add('node', name, quote([process.execPath, '-e', code.replaceAll(/\bN\b/g, '5')]));
  }
  for (const [name, code] of Object.entries(python)) {
    add('one thread', `python ${name}`, quote(['python3', '-c', code.replaceAll(/\bN\b/g, '2')]));
  }
  for (const [name, command] of Object.entries(shell(3))) add('one thread', name, command.replaceAll('FILE', file));
  for (const threads of [2, 3, 4, 8]) {
    for (const rounds of [2e7, 6e7]) {
      const source = join(folder, `t${threads}-${rounds}.c`);
      writeFileSync(source, threaded(threads, rounds / threads));
      const to = source.slice(0, -2);
      execFileSync('gcc', ['-O1', '-pthread', '-o', to, source]);
      add('threads', `${threads} threads of ${rounds / threads / 1e6}M`, to);
    }
  }
  add('threads', 'sort --parallel', `sort --parallel=2 -S 64M -o /dev/null ${file}`);
  // It computes in one thread for a file of this size.
  add('threads', 'zstd -T2', `zstd -q -19 -T2 -B512KB -c ${file} > /dev/null`, classes['one thread']);
  return programs;
}

/** The class that a report's reason for its method stands for. */
function classOf({ method, methodReason: reason }) {
  if (/several/.test(reason)) return 'several threads';
  if (method === 'tandem' || method === 'alone') return 'one busy core';
  if (/waits/.test(reason)) return 'waiting';
  return `other: ${reason}`;
}

/** @param given pilots a program and load, and the loads. */
export async function runClasses(given) {
  const [pilots = 1, ...loads] = given.map(Number);
  printMachine();
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-classes-'));
  const found = [];
  try {
    const programs = makePrograms(folder);
    for (const load of loads.length > 0 ? loads : [0, 10, 50, 100]) {
      await besideLoops(load, async () => {
        for (const { group, name, command, expected } of programs) {
          for (let pilot = 0; pilot < pilots; pilot++) {
            const args = [
              '--runs',
              '2',
              '--margin',
              '0',
              '--seed',
              `classes ${name} ${pilot}`,
              '--shell',
              'sh',
              command,
              command,
            ];
            const { report } = await deadheat(args);
            const [comparison] = report.comparisons;
            const is = classOf(comparison);
            found.push({ group, load, is, isRight: is === expected });
            if (is !== expected)
              console.log(`load ${load}, ${group} ${name}: ${is}, not ${expected}: ${comparison.methodReason}`);
          }
        }
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  printTable(
    ['programs', 'load', 'pilots', 'right', 'share', 'classes'],
    [...new Set(found.map(({ group, load }) => `${group}|${load}`))].map((key) => {
      const own = found.filter(({ group, load }) => `${group}|${load}` === key);
      const right = own.filter(({ isRight }) => isRight).length;
      const [group, load] = key.split('|');
      return [group, load, own.length, right, percent((100 * right) / own.length), countsOf(own.map(({ is }) => is))];
    }),
  );
}
