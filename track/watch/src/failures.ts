import { z } from 'zod';
import type { HistoryNote } from '@deadheat/history';

/** Topic of the notes that collectors (`deadheat history watch`) keep in a history: the commits that could not be built or run. */
export const failureTopic = 'watch';

const failureSchema = z.object({
  kind: z.literal('failure'),
  project: z.string(),
  /** Whole hash. */
  commit: z.string(),
  code: z.string(),
  message: z.string(),
});
export type FailureNote = Readonly<z.infer<typeof failureSchema>>;

/** A commit that could not be measured, and when that was tried. */
interface FailedCommit {
  /** The number of attempts. */
  readonly times: number;
  /** When it may be tried again, ISO 8601; `null` = never. */
  readonly again: string | null;
  readonly message: string;
}

const hourMs = 3_600_000;
/** A commit that cannot be built or does not run is tried again after these times, and not any more then. */
const retryAfterMs = [hourMs, 24 * hourMs] as const;
/** Most times that a commit is tried. */
export const mostTries: number = retryAfterMs.length + 1;

/** The commits of a project that failed, by their notes in their order; those of other projects are left out. */
export function failedCommits(notes: readonly HistoryNote[], project: string): ReadonlyMap<string, FailedCommit> {
  const failures = new Map<string, FailedCommit>();
  for (const { at, content } of notes) {
    const { data } = failureSchema.safeParse(content);
    if (data?.project !== project) continue;
    const times = (failures.get(data.commit)?.times ?? 0) + 1;
    const waitMs = retryAfterMs[times - 1];
    const again = waitMs === undefined ? null : new Date(Date.parse(at) + waitMs).toISOString();
    failures.set(data.commit, { times, again, message: data.message });
  }
  return failures;
}
