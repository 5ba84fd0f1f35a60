// Chromium of the system, for what has to be seen as a reader sees it.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** `null` where there is none. */
export async function launchBrowser() {
  if (!existsSync(executablePath)) return null;
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
