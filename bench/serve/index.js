// What a page of the dashboard costs over 100 000 comparisons, out of a folder and out of PostgreSQL.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printMachine, printTable } from '../lib/tools.js';
import { startPostgres, whyNoPostgres } from '../lib/postgres.js';
import { fillPlaces } from '../store/fill-places.js';

const script = fileURLToPath(new URL('./pages.js', import.meta.url));
const rounds = 11;

/** Arguments: commits (2000), benchmarks of each commit (50). */
export async function run([commits = '2000', benchmarks = '50'] = []) {
  printMachine();
  const why = whyNoPostgres();
  if (why !== null) console.log(`without PostgreSQL: ${why}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-serve-'));
  const server = why === null ? startPostgres() : null;
  try {
    const places = await fillPlaces({ commits: Number(commits), benchmarks: Number(benchmarks), folder, server });
    console.log(`${Number(commits) * Number(benchmarks)} comparisons: ${commits} commits x ${benchmarks} benchmarks\n`);
    for (const [name, place] of places) {
      const { firstMs, startMs, pages, rssBytes } = JSON.parse(
        execFileSync(process.execPath, [script, place, String(rounds)], { encoding: 'utf8', maxBuffer: 1 << 26 }),
      );
      printTable(
        [`${name}: page`, 'median', 'slowest', 'after a push', 'size', 'goal'],
        pages.map((page) => [
          page.name,
          `${page.medianMs.toFixed(0)} ms`,
          `${page.slowestMs.toFixed(0)} ms`,
          `${page.changedMs.toFixed(0)} ms`,
          `${(page.bytes / 1e3).toFixed(0)} kB`,
          '300 ms',
        ]),
      );
      const first = firstMs === null ? '' : `the first start ever ${(firstMs / 1e3).toFixed(1)} s, `;
      console.log(
        `\n${first}start ${(startMs / 1e3).toFixed(1)} s, then ${(rssBytes / 1e6).toFixed(0)} MB of memory\n`,
      );
    }
  } finally {
    server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
