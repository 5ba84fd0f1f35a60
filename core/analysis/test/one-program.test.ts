import type { Command } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { isOneProgram } from '../src/metric/one-program.ts';

const commandOf = (commandLine: string): Command => ({
  name: commandLine,
  commandLine,
  argv: commandLine.includes('|') ? ['/bin/sh', '-c', commandLine] : commandLine.split(' '),
  executedBy: 'direct',
});

const isOne = (a: string, b: string): boolean => isOneProgram({ commands: { A: commandOf(a), B: commandOf(b) } });

describe('builds of one program', () => {
  it.each([
    ['the same command', 'sort big.txt', 'sort big.txt'],
    ['folders of the program', '/build/1/bin/prog -n 3', '/build/2/bin/prog -n 3'],
    ['folders of a script', 'node /old/bench.js', 'node /src/deep/new/bench.js'],
    ['folders of an option', 'java -cp=old/words.jar Words', 'java -cp=new/words.jar Words'],
    ['versions of the program', 'python3.11 a.py', 'python3.12 a.py'],
    ['numbered versions of a script', 'node bench-v1.js', 'node bench-v2.js'],
    ['words for versions', './prog-old x', './prog-new x'],
    ['words for versions alone', './base', './head'],
    ['the name of the side', './work --socket /tmp/A.sock', './work --socket /tmp/B.sock'],
    ['amounts within a quarter', 'gzip -6 -c 1000.txt', 'gzip -7 -c 1020.txt'],
    ['variables', '/usr/bin/env VERSION=2.0 node bench.mjs', 'node bench.mjs'],
    ['a number that one input lacks', 'gzip -c in.txt', 'gzip -c in2.txt'],
    ['a number that one input in another folder lacks', 'sort -n a/in.txt', 'sort -n b/in-2.txt'],
    ['amounts in a pipeline', 'cat 100.txt | wc', 'cat 125.txt | wc'],
  ])('are known where commands differ in %s', (_, a, b) => {
    expect(isOne(a, b)).toBe(true);
    expect(isOne(b.replaceAll('B.', 'A.'), a.replaceAll('A.', 'B.'))).toBe(true);
  });

  it.each([
    ['the program', 'gzip -c f', 'xz -c f'],
    ['the script', 'node fib.js', 'node sweep.js'],
    ['a number that one script lacks', 'node fib.js', 'node fib2.js'],
    ['an amount that one input lacks', 'gzip -c in.txt', 'gzip -c in1000.txt'],
    ['more than the number of an input', 'gzip -c in.txt', 'gzip -c on2.txt'],
    ['a number that one program lacks', './walk 5', './walk2 5'],
    ['an option', 'sort -n f', 'sort -g f'],
    ['the program behind variables', 'env X=1 gzip f', 'env X=1 xz f'],
    ['the number of arguments', 'sort f', 'sort -n f'],
    ['amounts by more than a quarter', './walk r 1024 10', './walk r 1290 10'],
    ['what is walked', './walk r 1024 10', './walk l 1024 10'],
    ['a stage of a pipeline', 'cat f | sort', 'cat f | uniq'],
    ['a name that is longer by a word', './prog f', './prog-new f'],
    ['the side of the other', './work B', './work A'],
  ])('are not known where commands differ in %s', (_, a, b) => {
    expect(isOne(a, b)).toBe(false);
    if (!a.endsWith('B')) expect(isOne(b, a)).toBe(false);
  });
});
