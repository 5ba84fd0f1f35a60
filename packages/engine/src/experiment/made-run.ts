import type { Failure, Trial, Warning } from '@deadheat/model';
import type { RecordedSides } from '../record/index.ts';

/** What came of one run that was to be made. */
export type MadeRun =
  /** A hook before it failed, or it was interrupted (no failures then); it leaves no trace. */
  | { readonly kind: 'none'; readonly failures: readonly Failure[] }
  /** It was ended because a result is no longer waited for. */
  | { readonly kind: 'hopeless' }
  | {
      readonly kind: 'made';
      readonly trial: Trial;
      /** What its programs recorded themselves, where that can be used. */
      readonly recorded: RecordedSides | null;
      /** Whether its limit ended it, which is no failure of the experiment. */
      readonly isCut: boolean;
      /** What its reader should know. */
      readonly warnings: readonly Warning[];
    };
