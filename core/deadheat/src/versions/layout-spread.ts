import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExperimentDraft } from '@deadheat/engine';
import { type LayoutSpread, metricKinds, recordingFiles, resourcesOf, type Settings } from '@deadheat/model';
import { readStoredReport } from '@deadheat/recording';

/** Recordings that are looked into, the newest first. */
const mostRecordings = 50;

/** True if the counted work of the sides is measured, without which a difference in time is not held against that of layouts. */
function countsWork(draft: ExperimentDraft): boolean {
  return draft.benchmarks.some(({ own }) =>
    resourcesOf({ ...draft, ...(own as Partial<Settings>) }).some((metric) => metricKinds[metric].work === true),
  );
}

/**
 * An experiment with the difference that layouts make, of the newest recording below `parent` whose runs were spread over them; one of a benchmark of the same
 * name goes before others. Recordings that cannot be read are passed over.
 */
export async function withLayoutSpread(draft: ExperimentDraft, parent: string): Promise<ExperimentDraft> {
  if (!countsWork(draft)) return draft;
  const names = new Set(draft.benchmarks.map(({ name }) => name));
  let found: LayoutSpread | null = null;
  for (const folder of (await listNames(parent)).slice(0, mostRecordings)) {
    const spread = await spreadIn(join(parent, folder), names);
    if (spread === null || (found !== null && !spread.isSame)) continue;
    const { isSame, ...own } = spread;
    found = own;
    if (isSame) break;
  }
  return found === null ? draft : { ...draft, layoutSpread: found };
}

async function spreadIn(
  recording: string,
  names: ReadonlySet<string>,
): Promise<(LayoutSpread & { readonly isSame: boolean }) | null> {
  try {
    const text = await readFile(join(recording, recordingFiles.report), 'utf8');
    if (!text.includes('"layouts"')) return null;
    const { comparisons } = await readStoredReport(recording);
    const all = comparisons.flatMap(({ benchmark, controlOf, layouts }) =>
      layouts === undefined || controlOf !== undefined ? [] : [{ benchmark, layouts, isSame: names.has(benchmark) }],
    );
    const one = all.find(({ isSame }) => isSame) ?? all[0];
    if (one === undefined) return null;
    const { benchmark, layouts, isSame } = one;
    const degrees = layouts.each.length - 1;
    return { deviation: layouts.between, degrees, source: `as measured for ${benchmark} in ${recording}`, isSame };
  } catch {
    return null;
  }
}

/** Newest first: a recording's name begins with its time. */
async function listNames(parent: string): Promise<readonly string[]> {
  const names: readonly string[] = await readdir(parent).catch(() => []);
  return names.toSorted().toReversed();
}
