import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../../scripts/lib/browser.js';
import { buildSite } from '../../../scripts/site.js';
import { searchIn } from '../../../scripts/site/search.js';

const folder = mkdtempSync(join(tmpdir(), 'deadheat-site-'));
const site = join(folder, 'site');
let pages: readonly { readonly place: string; readonly links: readonly string[] }[];

beforeAll(async () => {
  pages = await buildSite(site);
});
afterAll(() => rmSync(folder, { recursive: true }));

function html(place: string): string {
  return readFileSync(join(site, place), 'utf8');
}

/** The files beside pages that an HTML file refers to, and the ids that it has. */
function partsOf(text: string): { readonly targets: readonly string[]; readonly ids: ReadonlySet<string> } {
  const targets = [...text.matchAll(/ (?:href|src|data-index)="([^"]*)"/g)].map(([, target = '']) => target);
  return { targets, ids: new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)) };
}

describe('the site', () => {
  it('has a page for each guide and each page of docs, and links that lead to files and ids of it alone', () => {
    expect(pages.map(({ place }) => place)).toEqual(
      expect.arrayContaining(['index.html', 'guides/shell.html', 'command-line.html', 'methods/index.html']),
    );
    const ids = new Map(pages.map(({ place }) => [place, partsOf(html(place)).ids]));
    const wrong: string[] = [];
    for (const { place } of pages) {
      for (const target of partsOf(html(place)).targets) {
        if (/^(?:https?|data):/.test(target)) continue;
        const [path = '', id] = target.split('#');
        const found = path === '' ? place : join(dirname(place), path);
        if (
          !existsSync(join(site, found)) ||
          (id !== undefined && id !== 'content' && ids.get(found)?.has(id) !== true)
        ) {
          wrong.push(`${place}: ${target}`);
        }
      }
      // Nothing is loaded from elsewhere.
      expect(html(place)).not.toMatch(/<(?:script|img|link)[^>]+(?:src|href)="https?:/);
    }
    expect(wrong).toEqual([]);
  });

  it('finds words of headings and texts, and the beginnings of words', () => {
    const text = readFileSync(join(site, 'search-index.js'), 'utf8');
    const find = searchIn(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf(';'))));
    const places = (words: string): readonly string[] => find(words).map(({ href }) => String(href));
    expect(places('shallow clones')[0]).toBe('ci.html#shallow-clones');
    expect(places('waiver expi')).toContain('gate.html#margins-and-waivers');
    expect(places('zzz margin')).toEqual([]);
  });
});

describe('a site that is wrong', () => {
  /** Messages of a build of `docs/README.md` with a text, and other files. */
  async function problemsOf(front: string, files: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
    const root = mkdtempSync(join(folder, 'wrong-'));
    const all = { 'docs/README.md': front, 'package.json': '{"repository":{"url":"git+https://x/y.git"}}', ...files };
    for (const [name, text] of Object.entries(all)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    return buildSite(join(root, 'site'), { root }).then(
      () => [],
      (error: unknown) => (error as Error).message.split('\n'),
    );
  }

  it('is not written, and each link that leads nowhere is named with its line', async () => {
    const front =
      '# A\n\nA text.\nWith [one](b.md#no)\nand [two](c.md).\n\n- [three](b.md#b)\n- [four](#a)\n- ![five](x.png)\n';
    expect(await problemsOf(front, { 'docs/b.md': '# B\n' })).toEqual([
      'docs/README.md:4: docs/b.md has no heading #no',
      'docs/README.md:5: there is no docs/c.md',
      'docs/README.md:9: there is no docs/x.png',
    ]);
  });

  it.each([
    [
      'leaves out a level of heading',
      '# A\n\n### C\n',
      {},
      ['docs/README.md:3: a heading of level 3 below one of level 1'],
    ],
    ['has no heading', 'text\n', {}, ['docs/README.md:1: the page has no heading']],
    [
      'has a page that no link leads to',
      '# A\n',
      { 'docs/b/c.md': '# C\n' },
      ['docs/b/c.md:1: no link leads to this page from docs/README.md; add one there'],
    ],
    [
      'has links to files of the repository, and headings of one name',
      '# A\n\n[b](../b.js), [c](#c-1)\n\n## C\n\n## C\n',
      { 'b.js': '' },
      [],
    ],
  ])('%s', async (_, front, files, problems) => {
    expect(await problemsOf(front, files)).toEqual(problems);
  });
});

const browser = await launchBrowser();
afterAll(() => browser?.close());

describe.skipIf(browser === null)('the site in Chromium, opened as files below another path', () => {
  it.each([
    ['light', 1280, 'index.html'],
    ['dark', 390, 'formats/imports.html'],
  ] as const)(
    'is searched by the keyboard and has nothing that axe finds wrong: %s, %i px, %s',
    async (theme, width, place) => {
      const moved = join(folder, 'a sub path', theme);
      cpSync(site, moved, { recursive: true });
      const page = await browser!.newPage({ viewport: { width, height: 900 } });
      page.setDefaultTimeout(110_000);
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => {
        if (!/^(?:file|data):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
      });
      await page.goto(`${pathToFileURL(join(moved, place)).href}?theme=${theme}`);
      await page.waitForSelector('html[data-ready]', { state: 'attached' });
      expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe(theme);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.keyboard.press('/');
      await page.keyboard.type('shallow clones');
      await page.waitForSelector('.found li');
      await page.evaluate(axe.source);
      const { violations } = (await page.evaluate('axe.run({ preload: false })')) as axe.AxeResults;
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html: text }) => text).join(' ')}`)).toEqual([]);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(/ci\.html#shallow-clones$/);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );
});
