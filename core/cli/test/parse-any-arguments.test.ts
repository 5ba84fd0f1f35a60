import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse as parseWords } from './support-arguments.ts';
import { explainError } from '../src/errors/explain-error.ts';
import { UsageError } from 'deadheat/settings';

const words = (
  'a|gzip f|demo|analyse|help|--|-|-r|-w|-m|-M|-s|-p|-C|-c|-n|-P|-D|-L|-N|-S|-i|-V|-h|-x|-5|--runs|--runs=3|--runs=|' +
  '--input|--method|async-duet|sequential|--iterations|--confidence|--margin|1%|0.5|--max-time|--precision|--timeout|' +
  '10s|--cpus|0,1|--seed|--output|--resume|--metric|cpu|--swap|--interval|t|--fail-on|slower|--strict|--export|json:-|' +
  '--style|none|n|1|3|{n}|__proto__|constructor||é|-iN|-r3|--parameter-list=n|-Lx'
).split('|');

it('accepts any arguments or refuses them with one usage error', () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 7 }), (args) => {
      try {
        const invocation = parseWords(args);
        accepted += 1;
        if ('text' in invocation) expect(invocation.text).toMatch(/^(?:Usage: )?deadheat /);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        expect(explainError(error)).toMatchObject({ exitCode: 2 });
        const { excerpt } = error;
        if (excerpt !== null) expect(excerpt.column).toBeLessThanOrEqual(excerpt.text.length + 1);
      }
    }),
    { seed: 20_26, numRuns: 2000 },
  );
  expect(accepted).toBeGreaterThan(50);
});
