import type { Method, RunPhase } from '@deadheat/model';

/** The events of a worker; none occurs while a run is timed. */
export type WorkerEvent =
  | { readonly kind: 'ready'; readonly worker: string; readonly cpus: readonly number[] | null }
  | {
      readonly kind: 'run-started';
      readonly experiment: string;
      readonly name: string;
      readonly benchmark: string;
      readonly phase: RunPhase;
      readonly run: number;
      /** `null` = it is a pilot run, which chooses the method of those that follow. */
      readonly method: Method | null;
    }
  | { readonly kind: 'run-stored'; readonly experiment: string; readonly token: string }
  /** Its attempt did not count any more: the run was given to another worker. */
  | { readonly kind: 'run-dropped'; readonly token: string }
  | { readonly kind: 'run-ended'; readonly experiment: string; readonly why: 'cancelled' | 'given-back' }
  | { readonly kind: 'run-refused'; readonly experiment: string; readonly message: string }
  /** It takes no runs until there is room again. */
  | { readonly kind: 'disk-full'; readonly message: string }
  | { readonly kind: 'disk-found' }
  | { readonly kind: 'connection-lost'; readonly message: string }
  | { readonly kind: 'connection-found' };
