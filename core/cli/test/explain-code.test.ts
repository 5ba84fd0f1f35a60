import { errorCodes, warningFacts } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { explainCode } from '../src/program/explain-code.ts';
import { parse } from './support-arguments.ts';

describe('deadheat help CODE', () => {
  it('knows every warning and every error, in 80 columns', () => {
    for (const code of [...Object.keys(warningFacts), ...Object.values(errorCodes).flat()]) {
      const text = explainCode(code) ?? '';
      expect(text.startsWith(`${code}, a`), code).toBe(true);
      expect(text.split('\n').filter(({ length }) => length > 80)).toEqual([]);
    }
  });

  it('says what a warning means and what an error ends with', () => {
    expect(explainCode('LOAD')).toMatch(/^LOAD, a warning\. Other work competed for the cores/);
    expect(explainCode('CPU_TWICE')).toMatch(/exit code 2 \(usage\)[^]*--cpus\s+LIST/);
    // Both have this name.
    expect(explainCode('TIME_LIMIT')).toMatch(/a warning\.[^]*an error with exit code 124/);
    expect(explainCode('compare')).toBeNull();
  });

  it('stands in the place of the help of a command', () => {
    expect(parse(['help', 'LOAD'])).toEqual({ kind: 'help', text: explainCode('LOAD') });
    expect(parse(['help', 'git'])).toMatchObject({
      kind: 'help',
      text: expect.stringContaining('deadheat git') as string,
    });
  });
});
