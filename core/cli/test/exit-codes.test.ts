import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { categoryOf, DeadheatError, errorCodes, type ErrorCategory, type ErrorCode } from '@deadheat/model';
import { exitCodeOfCategory } from '../src/errors/exit-codes.ts';
import { explainError } from '../src/errors/explain-error.ts';

/** What a script relies on; docs/command-line.md says the same. */
const expected: Readonly<Record<ErrorCategory, number>> = {
  usage: 2,
  workload: 4,
  environment: 5,
  'time-limit': 124,
  interrupted: 130,
};

const all = (Object.entries(errorCodes) as [ErrorCategory, readonly ErrorCode[]][]).flatMap(([category, codes]) =>
  codes.map((code) => ({ category, code })),
);

describe('exit codes', () => {
  it.each(all)('$code is of the category $category', ({ category, code }) => {
    const error = new DeadheatError(code, 'what, why', { hint: 'What next.' });
    expect(error).toMatchObject({ code, category, hint: 'What next.' });
    const { message, exitCode } = explainError(error);
    // Options that help may follow (flag-hints.ts).
    expect(message).toMatch(/^deadheat: what, why\nWhat next\.(?:\n|$)/);
    expect(exitCode).toBe(expected[category]);
  });

  it('are one for each category', () => {
    expect(exitCodeOfCategory).toEqual(expected);
  });

  it('has every code in one category', () => {
    const codes = all.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(categoryOf('NOT_A_CODE')).toBeNull();
  });

  it('are listed, with every code, in docs/command-line.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/command-line.md'), 'utf8');
    for (const { category, code } of all) {
      const row = page
        .split('\n')
        .find((line) => line.startsWith(`| ${expected[category]} `) && line.includes(category));
      expect(row, code).toContain(`\`${code}\``);
    }
  });
});
