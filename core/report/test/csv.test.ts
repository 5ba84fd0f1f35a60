import { describe, expect, it } from 'vitest';
import { csvRows } from '../src/index.ts';

describe('a table as CSV', () => {
  it.each([
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ['@cmd', "'@cmd"],
    ['+1+1', "'+1+1"],
    ['-1 %', "'-1 %"],
    ['\t=1', "'\t=1"],
    ['\u001b]0;x\u0007', String.raw`\u{1b}]0;x\u{7}`],
  ])('holds no text that a spreadsheet executes or a terminal obeys: %j', (text, cell) => {
    expect(csvRows([['name', text]])).toBe(`name,${cell}\n`);
  });

  it('leaves numbers and other texts as they are', () => {
    expect(csvRows([[-1.5, '-2e3', 'a=b', 'a,b', null, 'two\nlines']])).toBe('-1.5,-2e3,a=b,"a,b",,"two\nlines"\n');
  });
});
