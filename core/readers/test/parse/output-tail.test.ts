import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OutputTail, readsAsItComes } from '../../src/parse/output-tail.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'output-tail-test-'));
  path = join(directory, 'A.txt');
});
afterEach(() => rmSync(directory, { recursive: true }));

const durations = (tail: OutputTail): readonly (number | undefined)[] =>
  tail.iterations.map(({ durationNs }) => durationNs);

describe('output read as it comes', () => {
  it('gives iterations whose line has ended, whatever the pieces that it comes in', () => {
    const tail = new OutputTail(path, 'renaissance');
    expect(tail.read()).toBe(0);
    const text = [
      '====== é (test) [default], iteration 0 started ======\n',
      'what the benchmark says\n====== é (test) [default], iteration 0 completed (2.000 ms) ======\n',
      '====== é (test) [default], iteration 1 completed (3.000 ms) ======',
    ].join('');
    for (const byte of Buffer.from(text)) {
      appendFileSync(path, Buffer.of(byte));
      expect(tail.read()).toBe(1);
    }
    expect(durations(tail)).toEqual([2e6]);
    // All but the line that has not ended.
    expect(tail.bytes).toBe(Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1)));
    expect(tail.read()).toBe(0);
    appendFileSync(path, '\n');
    tail.read();
    expect(durations(tail)).toEqual([2e6, 3e6]);
    expect(tail.iterations[1]?.benchmark).toBe('é');
    tail.close();
  });

  it('knows from the head how many invocations an iteration of JMH holds', () => {
    const tail = new OutputTail(path, 'jmh');
    appendFileSync(path, '# Warmup: <none>\n# Measurement: 9 iterations, 1 s each\n# Benchmark: a.B.c\n');
    tail.read();
    appendFileSync(path, '# Parameters: (n = 5)\nIteration   1: 2000.000 ns/op\nIteration   2: ');
    tail.read();
    expect(tail.iterations).toMatchObject([{ benchmark: 'a.B.c', params: { n: '5' }, invocations: 500_000 }]);
    tail.close();
  });

  it('throws for what is not as its format has it', () => {
    const tail = new OutputTail(path, 'jmh');
    appendFileSync(path, 'Iteration   1: <failure>\n');
    expect(() => tail.read()).toThrow(expect.objectContaining({ code: 'PARSER_FAILED' }));
    tail.close();
  });

  it('is for parsers that read what is printed', () => {
    expect(readsAsItComes('dacapo')).toBe(true);
    expect(readsAsItComes('spec-cpu')).toBe(false);
    expect(() => new OutputTail(path, 'spec-cpu')).toThrow(RangeError);
  });
});
