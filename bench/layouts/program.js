// A C program of several files with forty functions of about the same time, as a repository with two commits: the second does 2 % more
// rounds, with the same code.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Bodies of functions that work on `data`, of `size` words, and give a digest. `n` makes them different. */
const bodies = [
  (n) => `for (unsigned i = 0; i < size; i++) { h ^= data[i] + ${n}; h *= 16777619u; h ^= h >> ${5 + n}; }`,
  (n) => `for (unsigned i = 0; i < size; i++) { h = data[(h ^ i) & 255] ^ (h >> ${n}); }`,
  (n) => `for (unsigned i = 0; i < size; i++) { h += data[(h >> ${n}) & 4095] | 1u; h ^= h << 7; }`,
  (n) =>
    `for (unsigned i = 0; i < size; i++) { h = h * 1664525u + (data[i] >> ${n}); h ^= h >> 15; h *= 0x2c1b3c6du; }`,
  (n) =>
    `unsigned seen[64] = {0}; for (unsigned i = 0; i < size; i++) seen[(data[i] >> ${n}) & 63] += i; for (int i = 0; i < 64; i++) h = h * 31 + seen[i];`,
];

const files = 4;
const functionsPerFile = 2 * bodies.length;

/** Sources by their names. */
function sources(rounds) {
  const names = Array.from({ length: files * functionsPerFile }, (_, f) => `work_${f}`);
  const work = Array.from({ length: files }, (_, file) => {
    const own = [...bodies, ...bodies].map((body, b) => {
      const n = 1 + file + (b < bodies.length ? 0 : files);
      return `__attribute__((noinline)) unsigned work_${file * functionsPerFile + b}(const unsigned *data, unsigned size)
{ unsigned h = 2166136261u; ${body(n)} return h; }`;
    });
    return [`work${file}.c`, `${own.join('\n')}\n`];
  });
  const main = `#include <stdio.h>
#include "rounds.h"
${names.map((name) => `unsigned ${name}(const unsigned *, unsigned);`).join('\n')}
static unsigned data[4096];
int main(void)
{ unsigned h = 1;
for (unsigned i = 0; i < 4096; i++) { h = h * 1664525u + 1013904223u; data[i] = h; }
for (int round = 0; round < ROUNDS; round++) { ${names.map((name) => `h += ${name}(data, 4096);`).join(' ')} }
printf("%u\\n", h); return 0; }
`;
  const objects = ['main.o', ...work.map(([name]) => name.replace('.c', '.o'))].join(' ');
  const makefile = `program: ${objects}\n\tgcc -o program ${objects}\n%.o: %.c rounds.h\n\tgcc -O2 -c $<\n`;
  return Object.fromEntries([
    ...work,
    ['main.c', main],
    ['rounds.h', `#define ROUNDS ${rounds}\n`],
    ['Makefile', makefile],
  ]);
}

/** Makes the repository; its commit `more` makes `share` more rounds than `base`. */
export function makeRepository(folder, { rounds, share }) {
  mkdirSync(folder, { recursive: true });
  const when = '2026-01-01T00:00:00Z';
  const env = { ...process.env, GIT_AUTHOR_DATE: when, GIT_COMMITTER_DATE: when };
  const git = (...words) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...words], { cwd: folder, env });
  git('init', '--quiet');
  for (const [tag, number] of [
    ['base', rounds],
    ['more', Math.round(rounds * (1 + share))],
  ]) {
    for (const [name, text] of Object.entries(sources(number))) writeFileSync(join(folder, name), text);
    git('add', '--all');
    git('commit', '--quiet', '--message', tag);
    git('tag', tag);
  }
}
