import { existsSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bothTokens, commit, FakeFleet, put, useFolder, useServers, writeToken, type TestServer } from './support.ts';

/** Folder for pictures of pages, to be looked at; absent = none are made. */
const pictures = process.env['DEADHEAT_PICTURES'];
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

const name = '<script>alert(1)</script><img src=x onerror=alert(2)>';
const paths = [
  '/',
  '/projects',
  '/compare?from=c1&to=c6',
  '/benchmarks',
  '/health',
  '/series?project=parser&benchmark=parse&params=%7B%22size%22%3A%225%22%7D',
  '/commits',
  '/canaries',
  '/experiments/exp7',
  '/experiments/exp7/comparison?project=parser&benchmark=parse&params=%7B%22size%22%3A%225%22%7D',
  '/fleet',
  '/workers',
  '/fleet/experiments/f1/cancel',
  '/no/page',
];

describe.skipIf(executablePath === null)('the dashboard in Chromium', () => {
  const folder = useFolder();
  const servers = useServers();
  let browser: Browser;
  beforeAll(async () => {
    for (let at = 0; at < 8; at += 1) {
      const commits = { a: commit('v1', 1), b: commit(`c${at}`, 10 + at) };
      await put(folder('history'), { id: `exp${at}`, ...commits, slowdown: at < 4 ? 1 : 1.1 });
    }
    await put(folder('history'), { id: 'odd', project: name, b: { id: name, label: name, committedAt: null } });
    browser = await chromium.launch({ executablePath: executablePath ?? '', args });
  });
  afterAll(() => browser.close());

  function start(fleet: FakeFleet): Promise<TestServer> {
    return servers.start(folder('history'), { tokens: bothTokens, fleet: { view: fleet, cancel: fleet.cancel } });
  }

  /** Opens the dashboard; whatever it complains of, or asks of others, is kept. */
  async function show(
    server: TestServer,
    {
      width = 1280,
      theme = 'light',
      script = true,
    }: { width?: number; theme?: 'light' | 'dark'; script?: boolean } = {},
  ): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: theme,
      javaScriptEnabled: script,
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
      if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) {
        complaints.push(`asked for ${request.url()}`);
      }
    });
    return { page, complaints };
  }

  async function logIn(page: Page, server: TestServer): Promise<void> {
    await page.goto(server.url);
    await page.getByLabel('Token').fill(writeToken);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL(server.url);
  }

  it('shows 40 changes at once, with the subject and the author of their commits', async () => {
    const said = { subject: `Parse numbers in one pass ${name} `.repeat(3), author: 'Ada Lovelace' };
    for (let at = 0; at < 44; at += 1) {
      const [one, two] = [commit(`c${at}`, 10), { ...commit(`d${at}`, 11), ...(at % 4 === 3 ? {} : said) }];
      const project = `counting${at}`;
      await put(folder('many'), { id: `x${at}`, project, a: commit('v1', 1), b: one });
      const slowdown = [0.8, 1.2, 4.2][at % 3] ?? 1;
      await put(folder('many'), { id: `y${at}`, project, a: one, b: two, slowdown });
      if (slowdown > 4) await put(folder('many'), { id: `z${at}`, project, a: one, b: two, slowdown });
    }
    const server = await servers.start(folder('many'), { tokens: bothTokens });
    const headers = { authorization: `Bearer ${writeToken}` };
    const { items } = await server.json<{ items: readonly { id: string }[] }>('/changes', { headers });
    for (const { id } of items.slice(0, 9)) {
      const decision = `/api/v1/changes/${id}/triage?state=acknowledged&by=Ada+Lovelace`;
      expect((await server.ask(decision, { method: 'POST', headers })).status).toBe(200);
    }
    for (const [theme, width] of [
      ['light', 1280],
      ['dark', 1440],
      ['light', 360],
    ] as const) {
      const { page, complaints } = await show(server, { theme, width });
      await logIn(page, server);
      const rows = page.locator('.changed tbody tr');
      expect(await rows.count()).toBe(40);
      expect(await page.locator('.subject').first().textContent()).toContain(name);
      const end = await rows.last().boundingBox();
      if (width > 760) expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThan(900);
      // Subjects are cut off where they are too long; times, sizes, decisions and short names never. No name of a project is broken where it could be whole.
      const cells = page.locator('.changed :is(thead .moment, tbody time, tbody th, td:nth-child(2), td:last-child)');
      expect(await cells.evaluateAll(cutOff)).toEqual([]);
      expect(await page.locator('.changed th small').evaluateAll(inPieces)).toEqual([]);
      expect(await faultsOf(page)).toEqual([]);
      const change = (await page.locator('.changed tbody a[href*="changes/"]').first().getAttribute('href')) ?? '';
      for (const [title, path] of Object.entries({ first: '', change, health: 'health' })) {
        await page.goto(new URL(path, server.url).href);
        expect(await faultsOf(page), path).toEqual([]);
        expect(await page.evaluate<number>('document.documentElement.scrollWidth'), path).toBe(width);
        expect(await page.locator('tbody .n').evaluateAll(inPieces), path).toEqual([]);
        if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${title}-${theme}-${width}.png`) });
      }
      expect(complaints).toEqual([]);
    }
  });

  it('lets in by a token, filters without script, follows links to a comparison, and out again', async () => {
    const server = await start(new FakeFleet());
    const { page, complaints } = await show(server, { script: false });
    await logIn(page, server);
    await page.getByRole('link', { name: 'Benchmarks' }).click();
    const marks = page.locator('input[name=series]');
    await marks.nth(0).check();
    await marks.nth(1).check();
    await page.getByRole('button', { name: 'Draw together' }).click();
    expect(await page.locator('figure.series .legend .key').count()).toBe(2);
    expect(await page.locator('figure.series svg').isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Benchmarks' }).click();
    await page.getByLabel('Verdict').selectOption('slower');
    await page.getByRole('button', { name: 'Show' }).click();
    expect(await page.locator('.verdicts tbody th a').allTextContents()).toEqual(['parse size=5']);
    await page.getByRole('link', { name: 'parse size=5' }).click();
    expect(await page.locator('h1').textContent()).toBe('parse size=5');
    expect(await page.locator('figure.series svg').isVisible()).toBe(true);
    expect(await page.locator('.changes li').textContent()).toMatch(
      /^\s*\+\S+ % after\s+c3 and until\s+c4, comparison 5/,
    );
    await page.getByRole('link', { name: 'comparison 5' }).click();
    expect(await page.locator('.sentence').textContent()).toContain('SLOWER');
    await page.getByRole('link', { name: 'everything that was measured' }).click();
    expect(await page.title()).toBe('exp4');
    await page.goto(`${server.url}fleet`);
    await page.getByRole('button', { name: 'Log out' }).click();
    expect(await page.locator('h1').textContent()).toBe('Log in');
    expect(complaints).toEqual([]);
  });

  it('decides about a change without script, and tells the dots of its picture with it', async () => {
    const server = await start(new FakeFleet());
    const plain = await show(server, { script: false });
    await logIn(plain.page, server);
    await plain.page.getByRole('link', { name: 'parse size=5', exact: true }).first().click();
    await plain.page.getByLabel('It is').selectOption('ticket');
    await plain.page.getByRole('textbox', { name: 'Ticket' }).fill('T-17');
    await plain.page.getByLabel('Your name').fill(name);
    await plain.page.getByRole('button', { name: 'Keep' }).click();
    expect(await plain.page.locator('.facts .triage').textContent()).toBe('ticket');
    expect(await plain.page.locator('.facts dd').last().textContent()).toContain(`T-17 ${name}`);
    const path = plain.page.url();

    const { page, complaints } = await show(server);
    await logIn(page, server);
    await page.goto(path);
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    expect(await faultsOf(page)).toEqual([]);
    const svg = page.locator('figure.series svg');
    const box = await svg.boundingBox();
    const drawn = (await svg.locator('.points.slower .dots').getAttribute('d')) ?? '';
    const [, x = '', y = ''] = /^M([\d.]+),([\d.]+)/.exec(drawn) ?? [];
    if (box === null) throw new TypeError('there is no picture');
    const unit = box.width / Number((await svg.getAttribute('viewBox'))?.split(' ')[2]);
    const place = [box.x + Number(x) * unit, box.y + Number(y) * unit] as const;
    await page.mouse.move(...place);
    expect(await page.locator('.tip').textContent()).toMatch(/^2026-03-14, v1 → c4, \+\S+ % \[.*\], bench$/);
    await page.mouse.click(...place);
    await page.waitForURL(/\/experiments\/exp4\/comparison\?project=parser&benchmark=parse/);
    expect(complaints).toEqual([]);
    expect(plain.complaints).toEqual([]);
  });

  it('follows the fleet while it is looked at, and cancels', async () => {
    const fleet = new FakeFleet();
    const server = await start(fleet);
    const { page, complaints } = await show(server);
    await logIn(page, server);
    await page.goto(`${server.url}fleet`);
    const row = page.locator('tbody tr').first();
    await page.getByText('Live: this page follows the fleet.').waitFor();
    expect(await row.textContent()).toContain('12 of 40');
    await row.getByRole('link', { name: 'Cancel nightly <b>' }).focus();
    fleet.change({ runs: 33, name });
    await page.getByText('33 of 40').waitFor();
    expect(await row.locator('th').textContent()).toContain(name);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cancel the experiment' }).click();
    await page.waitForURL(`${server.url}fleet`);
    expect(await row.locator('.state').textContent()).toBe('cancelled');
    expect(fleet.cancelled).toEqual(['f1']);
    expect(complaints).toEqual([]);
  });

  it('runs no script that a project or a commit is named after', async () => {
    const server = await start(new FakeFleet());
    const { page, complaints } = await show(server);
    await logIn(page, server);
    await page.goto(`${server.url}projects`);
    expect(await page.locator('tbody th').first().textContent()).toBe(name);
    await page.locator('tbody th a').first().click();
    expect(await page.locator('h1').textContent()).toBe(`Benchmarks of ${name}`);
    await page.locator('.verdicts tbody th a').click();
    await page.goto(`${server.url}commits`);
    expect(await page.getByText(name.slice(0, 39)).count()).toBeGreaterThan(0);
    await page.goto(`${server.url}series?project=x&benchmark=${encodeURIComponent(name)}`);
    // a page that is not there is told in the console
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('has nothing that axe finds fault with: %s, %i pixels wide; nothing sticks out', async (theme, width) => {
    const server = await start(new FakeFleet());
    const { page, complaints } = await show(server, { theme, width });
    await page.goto(server.url);
    const judged: Record<string, readonly string[]> = { '/login': await faultsOf(page) };
    await logIn(page, server);
    for (const path of paths) {
      await page.goto(new URL(path, server.url).href);
      judged[path] = [
        ...(await faultsOf(page)),
        ...((await page.evaluate<number>('document.documentElement.scrollWidth')) > width ? ['sticks out'] : []),
      ];
    }
    expect(judged).toEqual(Object.fromEntries(['/login', ...paths].map((path) => [path, []])));
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });
});

/** The parts of an element of a page that are looked at there. */
interface Shown {
  readonly textContent: string;
  readonly clientWidth: number;
  readonly scrollWidth: number;
  closest(selector: string): Shown | null;
}

/** The texts of elements that do not fit into their cell of a table. Executed in the browser. */
function cutOff(elements: readonly unknown[]): readonly string[] {
  return (elements as readonly Shown[]).flatMap((element) => {
    const cell = element.closest('td, th');
    const isCut = cell !== null && cell.clientWidth > 0 && cell.scrollWidth > cell.clientWidth;
    return isCut ? [element.textContent] : [];
  });
}

/** The texts that take more than one line. Executed in the browser. */
function inPieces(elements: readonly unknown[]): readonly string[] {
  const { document } = globalThis as unknown as {
    document: {
      createRange(): { selectNodeContents(node: unknown): void; getClientRects(): Iterable<{ top: number }> };
    };
  };
  return (elements as readonly Shown[]).flatMap((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
    return lines.size > 1 ? [element.textContent] : [];
  });
}

async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: judge } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await judge.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
  });
}
