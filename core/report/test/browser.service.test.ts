import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderPage } from '../src/render-page.ts';
import { explanation } from './support-explanation.ts';
import { aComparison, anInput, someHosts } from './support-input.ts';
import { aReport } from './support-report.ts';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path)) ?? null;
if (executablePath === null)
  console.log('browser tests are skipped: there is no /usr/bin/chromium (apt-get install chromium)');

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

describe.skipIf(executablePath === null)('a page in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-page-'));
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? '', args });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  /** Shows a page; whatever it complains of or asks for is kept. */
  async function show(
    content: string,
    options: { readonly width?: number; readonly theme?: 'light' | 'dark'; readonly script?: boolean } = {},
  ): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
    const { width = 1280, theme = 'light', script = true } = options;
    const file = join(folder, 'report.html');
    writeFileSync(file, content);
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: theme,
      javaScriptEnabled: script,
      bypassCSP: false,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(110_000);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!/^(?:file|data):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
    });
    await page.goto(pathToFileURL(file).href);
    if (script) await page.waitForSelector('html[data-ready]', { state: 'attached' });
    return { page, complaints };
  }

  it.each(['light', 'dark'] as const)(
    'draws functions as a flame graph that is searched and zoomed, in %s',
    async (theme) => {
      const { page, complaints } = await show(renderPage({ ...anInput({ benchmarks: 1 }), explanation }), { theme });
      const places = page.locator('#functions .graph g');
      expect(await places.count()).toBe(3);
      await page.fill('#functions input', 'X<');
      expect(await page.textContent('#functions output')).toBe('1 found');
      expect(await page.locator('#functions .found').count()).toBe(1);
      await places.nth(2).click();
      expect(await page.textContent('#functions .about')).toMatch(
        /^x<.*, a\.c:4: A 500 ms, B 600 ms, B − A 100 ms \(\+20\.0 %\)$/,
      );
      const widths = await page
        .locator('#functions rect')
        .evaluateAll((all) => all.map((one) => one.getAttribute('width')));
      expect(new Set(widths).size).toBe(1);
      await page.click('#functions button');
      expect(await page.locator('#functions .found').count()).toBe(0);
      expect(complaints).toEqual([]);
    },
  );

  it('cuts the names of a flame graph where their boxes end', async () => {
    const table = ['W'.repeat(300), 'i'.repeat(900)].map((name) => {
      const own = { name, file: 'a.c', line: 1 };
      return { kind: 'both', A: own, B: own } as const;
    });
    const wide = { ...explanation, table };
    const { page } = await show(renderPage({ ...anInput({ benchmarks: 1 }), explanation: wide }), { width: 700 });
    const drawn = await page.locator('#functions .graph g:has(text)').evaluateAll((all) =>
      all.map((g) => ({
        name: g.textContent,
        room: Number(g.querySelector('rect')?.getAttribute('width')) - 4,
        taken: g.querySelector('text')?.getComputedTextLength() ?? 0,
      })),
    );
    expect(drawn.map(({ name }) => name.replaceAll(/([Wi])+/g, '$1'))).toEqual(['all', 'W…', 'i…']);
    for (const { room, taken } of drawn) expect(taken).toBeLessThanOrEqual(room);
    for (const { room, taken } of drawn.slice(1)) expect(taken).toBeGreaterThan(room * 0.9);
  });

  function names(page: Page): Promise<string[]> {
    return page.locator('#verdicts-table tbody tr:not([hidden]) th').allTextContents();
  }

  it('sorts by its columns and filters by name and verdict', async () => {
    const { page, complaints } = await show(renderPage(anInput({ benchmarks: 12, runs: 3, iterations: 5 })));
    expect(await page.locator('h1').textContent()).toBe('gzip');
    const before = await names(page);
    expect(before).toHaveLength(12);
    const place = page.getByRole('columnheader', { name: 'Benchmark' });
    await place.getByRole('button').click();
    expect(await place.getAttribute('aria-sort')).toBe('ascending');
    expect(await names(page)).toEqual([...before].sort());
    await place.getByRole('button').click();
    expect(await place.getAttribute('aria-sort')).toBe('descending');
    expect(await names(page)).toEqual([...before].sort().reverse());
    await page.getByRole('columnheader', { name: 'Verdict' }).getByRole('button').click();
    expect(await place.getAttribute('aria-sort')).toBeNull();
    expect(await names(page)).toEqual(before);

    await page.getByLabel('Benchmark', { exact: true }).fill('NCHMARK 00');
    expect(await names(page)).toHaveLength(9);
    await page.getByRole('checkbox', { name: 'slower' }).uncheck();
    expect(await names(page)).toHaveLength(6);
    expect(await page.locator('#controls output').textContent()).toBe('6 of 12 benchmarks');
    expect(complaints).toEqual([]);
  });

  it('tells the value under the pointer and looks closer where one drags', async () => {
    const { page, complaints } = await show(renderPage(anInput({ benchmarks: 1, runs: 5, iterations: 60 })));
    const plot = page.locator('figure.times svg').first();
    await plot.scrollIntoViewIfNeeded();
    await page.waitForSelector('figure.times .zoom');
    const box = await plot.boundingBox();
    if (box === null) throw new Error('the plot is not shown');
    const dot = await plot.evaluate((svg) => {
      const path = svg.querySelector('.points.a .dots')?.getAttribute('d') ?? '';
      const [, x = '', y = ''] = /M([\d.]+),([\d.]+)/.exec(path) ?? [];
      return { x: Number(x) / 1040, y: Number(y) / 250 };
    });
    await page.mouse.move(box.x + dot.x * box.width, box.y + dot.y * box.height);
    expect(await page.locator('figure.times .tip').textContent()).toMatch(/^(?:A|B) 1\d\.\d+ ms, run 1, iteration 21$/);
    await page.mouse.move(box.x + 300, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 500, box.y + 90, { steps: 4 });
    await page.mouse.up();
    const factor = await plot.evaluate((svg) =>
      Number(/matrix\(([\d.]+)/.exec(svg.querySelector('g[transform^=matrix]')?.getAttribute('transform') ?? '')?.[1]),
    );
    expect(factor).toBeGreaterThan(3);
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await plot.locator('g[transform^=matrix]').getAttribute('transform')).toBe('matrix(1,0,0,1,0,0)');
    expect(complaints).toEqual([]);
  });

  it('says everything without script', async () => {
    const { page, complaints } = await show(renderPage(anInput({ runs: 4, iterations: 5 })), { script: false });
    expect(await page.locator('#verdicts-table tbody tr').count()).toBe(4);
    expect(await page.locator('figure.times svg').first().isVisible()).toBe(true);
    expect(await page.locator('#controls').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('brings in the details of later benchmarks by itself, when they come near, and before printing', async () => {
    const content = renderPage(anInput({ benchmarks: 30, runs: 3, iterations: 5 }));
    expect(content.match(/<noscript>/g)).toHaveLength(20);
    const { page: still } = await show(content, { script: false });
    const whole = await still.locator('.benchmark svg.plot').count();
    expect(await still.locator('#b30 figure.times svg').first().isVisible()).toBe(true);
    expect(await still.evaluate('getComputedStyle(document.querySelector("#b30"), "::after").content')).toBe('none');

    const { page, complaints } = await show(content);
    await page.locator('#verdicts-table tbody a').last().click();
    await page.waitForSelector('#b30 figure.times .tip', { state: 'attached' });
    await page.waitForSelector('.benchmark > noscript', { state: 'detached' });
    expect(await page.locator('.benchmark svg.plot').count()).toBe(whole);

    const { page: printed } = await show(content);
    await printed.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await printed.locator('.benchmark svg.plot').count()).toBe(whole);
    expect(complaints).toEqual([]);
  });

  it('is light on paper in a dark theme, without what only a screen can do', async () => {
    const { page } = await show(renderPage(anInput({ benchmarks: 9, runs: 3, iterations: 5 })), { theme: 'dark' });

    function ground(): Promise<unknown> {
      return page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    }

    expect(await ground()).toBe('rgb(20, 24, 29)');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await ground()).toBe('rgb(255, 255, 255)');
    expect(await page.locator('#controls').isVisible()).toBe(false);
    expect(await page.locator('#verdicts-table th.wide').first().isVisible()).toBe(true);
  });

  it('runs no script that a benchmark is named after', async () => {
    const name = '<script>alert(1)</script><img src=x onerror=alert(2)>';
    const { points } = anInput({ benchmarks: 1, runs: 3 });
    const content = renderPage({
      report: aReport([aComparison({ benchmark: name })]),
      points: points.map((one) => ({ ...one, benchmark: name, params: {} })),
    });
    const { page, complaints } = await show(content);
    expect(await page.locator('#verdicts-table th a').textContent()).toBe(name);
    expect(complaints).toEqual([]);
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const)('has nothing that axe finds fault with: %s, %i pixels wide; nothing sticks out', async (theme, width) => {
    const { report, points } = anInput({ benchmarks: 9, runs: 4, iterations: 6 });
    const [worst, ...others] = report.comparisons;
    const comparisons = worst === undefined ? [] : [{ ...worst, hosts: someHosts() }, ...others];
    const warned = {
      ...report,
      comparisons,
      warnings: [{ code: 'LOAD', message: 'The load is high. Wait.' } as const],
    };
    const { page, complaints } = await show(renderPage({ report: warned, points }), { theme, width });
    // What is off the screen is not laid out, and could not be judged.
    await page.evaluate(`for (const section of document.querySelectorAll('.benchmark')) section.style.contentVisibility = 'visible';
      for (const details of document.querySelectorAll('details')) details.open = true;`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await page.evaluate(axe.source);
    const found = await page.evaluate(async () => {
      const { axe: judge } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      };
      const { violations } = await judge.run();
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
    });
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
