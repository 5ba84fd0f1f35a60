import { describe, expect, it } from 'vitest';
import { createWorkProgress } from '../src/terminal/progress.ts';

const plain = { color: false, interactive: false, width: null, quiet: false };

function told(style: typeof plain | (Omit<typeof plain, 'width'> & { width: number })): string[] {
  const written: string[] = [];
  let nowMs = 0;
  const stream = { write: (text: string) => written.push(text) };
  const progress = createWorkProgress({ what: 'pieces', total: 100 }, { stream, style, now: () => nowMs });
  for (const seconds of [4, 8, 12, 16]) {
    nowMs = 1000 * seconds;
    progress.advance(10);
  }
  progress.close();
  return written;
}

describe('createWorkProgress', () => {
  it('tells what is left every ten seconds where a line cannot be redrawn', () => {
    expect(told(plain)).toEqual([
      'deadheat: 100 pieces\n',
      'deadheat: 30 of 100 pieces, about 28 s left\n',
      'deadheat: 40 of 100 pieces in 16 s\n',
    ]);
  });

  it('redraws one line on a terminal, never wider than it, and erases it', () => {
    const written = told({ ...plain, interactive: true, width: 20 });
    expect(written).toHaveLength(6);
    expect(written[1]).toBe('\r\u001b[2K10 of 100 pieces, a');
    expect(written.at(-1)).toBe('\r\u001b[2K');
  });

  it('says nothing when asked to be quiet', () => {
    expect(told({ ...plain, quiet: true })).toEqual([]);
  });
});
