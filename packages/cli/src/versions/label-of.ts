import type { Commit, Revision } from '@deadheat/engine';
import type { CommitRef } from '@deadheat/model';
import { printable } from '@deadheat/report';

/** What a version is called: `main (1a2b3c4)`, or the hash alone where it has no other name. */
export function labelOf({ label, commit }: Revision): string {
  return label === commit.short ? label : `${label} (${commit.short})`;
}

/** A commit for a reader: `1a2b3c4 Add the cache`. */
export function titleOf({ short, subject }: Commit): string {
  return subject === '' ? short : `${short} ${printable(subject)}`;
}

/** A version as a recording keeps it. */
export function commitRefOf({ label, commit: { id, committedAt } }: Revision): CommitRef {
  return { id, label, committedAt };
}
