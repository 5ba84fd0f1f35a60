// node scripts/screenshots.js [RECORDING]: the pictures of a report in docs/img, from a recording (default: the newest of
// .deadheat, such as `deadheat demo` leaves one).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launchBrowser } from './lib/browser.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const [recording = '.deadheat'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'deadheat-screenshots-'));
const file = join(folder, 'report.html');
const browser = await launchBrowser();
try {
  if (browser === null) throw new Error('there is no /usr/bin/chromium; apt-get install chromium');
  execFileSync(process.execPath, [`${root}/core/cli/bin/deadheat.js`, 'report', '--file', file, recording]);
  for (const [name, width, height, selector, theme] of [
    ['report-top', 1120, 760, 'header', 'light'],
    ['report-benchmark', 1120, 1120, '#b2', 'dark'],
    ['report-phone', 390, 844, 'header', 'light'],
  ]) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme });
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector('html[data-ready]', { state: 'attached' });
    await page.locator(selector).evaluate((element) => element.scrollIntoView());
    await page.screenshot({ path: `${root}/docs/img/${name}.png` });
    await page.close();
    console.log(`docs/img/${name}.png`);
  }
} finally {
  await browser?.close();
  rmSync(folder, { recursive: true });
}
