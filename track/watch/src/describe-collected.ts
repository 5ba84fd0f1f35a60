import { formatDifference, percentDigits, verdictWords } from '@deadheat/report';
import type { CollectorEvent } from './collector.ts';
import { mostTries } from './notes.ts';

const workWords = { new: 'new commit', confirm: 'again, to confirm', gap: 'fills a gap' } as const;

/** The event of a collector, in lines for its log. */
export function describeCollected(event: Exclude<CollectorEvent, { readonly kind: 'trouble' }>): readonly string[] {
  switch (event.kind) {
    case 'began': {
      const { base, commit } = event.pair;
      return [`${commit.short} ${commit.subject}, against ${base.short} (${workWords[event.work]})`];
    }
    case 'canary-began':
      return ['canary of this machine'];
    case 'stored':
      return event.points.map(({ benchmark, verdict, ratio, experiment }) => {
        const difference = formatDifference(ratio.estimate, percentDigits(ratio));
        return `stored ${experiment}, ${benchmark}: ${difference} ${verdictWords[verdict]}`;
      });
    case 'failed': {
      const { commit, message, times, again } = event;
      const next = again === null ? 'it is not tried again' : `it is tried again after ${again}`;
      return [`${commit.slice(0, 12)} is skipped, attempt ${times} of ${mostTries}; ${next}: ${message}`];
    }
    case 'waiting':
      return ['waiting for new commits'];
  }
}
