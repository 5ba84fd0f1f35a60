import { expect, it } from 'vitest';
import { withPrintColours } from '../../src/archive/print-colours.ts';

const style = [
  ':root{--bg: #ffffff;--a: #0a63a8;--slower: #a8174f}',
  '@media screen and (prefers-color-scheme:dark){:root{--bg: #14181d;--a: #6cb6ff}}',
  'svg{background:var(--bg)}',
  'svg .a,svg .A{--c: var(--a)}',
  'svg .slower{--c: var(--slower)}',
  'svg .dots{fill:none;stroke:var(--c)}',
  'svg .forest circle{fill:var(--c)}',
].join('');

it('writes the light colour of each class into the rules that ask for it', () => {
  const printed = withPrintColours(`<svg><style>${style}</style><path class="a"/></svg>`);
  expect(printed).not.toMatch(/var\(|--/);
  expect(printed).not.toContain('#6cb6ff');
  expect(printed).toContain('svg{background:#ffffff}');
  expect(printed).toContain('svg .a .dots,svg .dots.a{fill:none;stroke:#0a63a8}');
  expect(printed).toContain('svg .A .dots,svg .dots.A{fill:none;stroke:#0a63a8}');
  expect(printed).toContain(
    'svg .slower .forest circle,svg .forest.slower circle,svg .forest circle.slower{fill:#a8174f}',
  );
  expect(printed).toContain('</style><path class="a"/></svg>');
});
